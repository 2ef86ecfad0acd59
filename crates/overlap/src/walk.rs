//! Walking the statements of a function, with what encloses them.

use headstart_ir::{BlockId, FileIr, FunctionId, Span, StmtId, StmtKind};

/// What encloses a block inside its function.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// The nearest `try` whose handler looks at the error.
    pub(crate) handler: Option<Span>,
    /// The nearest `try` with a `finally`.
    pub(crate) finalizer: Option<Span>,
}

/// Calls `visit` for every block of a function, the outer ones first. Statements that the user
/// has told us to ignore are not entered.
pub(crate) fn blocks(ir: &FileIr, function: FunctionId, visit: &mut dyn FnMut(BlockId, Context)) {
    let mut pending = vec![(ir.function(function).body, Context::default())];
    while let Some((block, context)) = pending.pop() {
        visit(block, context);
        for &stmt in ir.block(block).iter().rev() {
            if !is_ignored(ir, stmt) {
                children(ir, stmt, context, &mut pending);
            }
        }
    }
}

fn children(ir: &FileIr, stmt: StmtId, context: Context, into: &mut Vec<(BlockId, Context)>) {
    let stmt = ir.stmt(stmt);
    match &stmt.kind {
        StmtKind::If { then, otherwise } => {
            into.extend(otherwise.map(|block| (block, context)));
            into.push((*then, context));
        }
        StmtKind::Loop { body, .. } => into.push((*body, context)),
        StmtKind::Block(block) => into.push((*block, context)),
        StmtKind::Switch { cases } => into.extend(cases.iter().rev().map(|&it| (it, context))),
        StmtKind::Try(parts) => {
            into.extend(parts.finalizer.map(|block| (block, context)));
            let mut guarded = context;
            if parts.finalizer.is_some() {
                guarded.finalizer = Some(stmt.span);
            }
            into.extend(parts.handler.map(|block| (block, guarded)));
            if parts.handler_reads_error {
                guarded.handler = Some(stmt.span);
            }
            into.push((parts.block, guarded));
        }
        _ => {}
    }
}

/// Whether a `headstart-ignore` comment stands above the statement.
pub(crate) fn is_ignored(ir: &FileIr, stmt: StmtId) -> bool {
    let start = ir.stmt(stmt).span.start;
    ir.ignores.contains(&start)
}
