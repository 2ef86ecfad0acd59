//! Walking the statements of a function, with what encloses them.

use headstart_effects::Code;
use headstart_ir::{
    BlockId, DeclKind, FileIr, FunctionId, Inst, LoopKind, PinnedComment, Span, Stmt, StmtId,
    StmtKind,
};

/// What encloses a block inside its function.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context {
    /// The nearest `try` whose handler looks at the error.
    pub(crate) handler: Option<Span>,
    /// Whether a `try` with `finally` is around it.
    pub(crate) has_finalizer: bool,
    /// Whether a statement is around it that disposes of something when it is left: `using`, `for await`.
    pub(crate) disposes: bool,
    /// Whether it is in a loop.
    pub(crate) is_loop: bool,
}

/// Calls `visit` for every block of a function, the outer ones first. Statements that the user
/// has told us to ignore are not entered.
pub(crate) fn blocks(ir: &FileIr, function: FunctionId, visit: &mut dyn FnMut(BlockId, Context)) {
    let mut pending = vec![(ir.function(function).body, around(ir, function))];
    while let Some((block, mut context)) = pending.pop() {
        context.disposes |= declares_disposed(ir, block);
        visit(block, context);
        for &stmt in ir.block(block).iter().rev() {
            if !is_ignored(ir, stmt) {
                children(ir, stmt, context, &mut pending);
            }
        }
    }
}

/// What encloses the place where a function is created: what it throws, or leaves running, is
/// likely to be met there.
fn around(ir: &FileIr, function: FunctionId) -> Context {
    let Some(parent) = ir.function(function).parent else { return Context::default() };
    let created = ir.function(function).created;
    let mut context = Context { is_loop: false, ..around(ir, parent) };
    let mut block = ir.function(parent).body;
    loop {
        context.disposes |= declares_disposed(ir, block);
        let holder = ir.block(block).iter().copied().find(|&stmt| {
            let stmt = ir.stmt(stmt);
            stmt.first <= created && created < stmt.end
        });
        // None where it is a declaration, which stands before the statements of its block.
        let Some(stmt) = holder else { return context };
        let mut parts = Vec::new();
        children(ir, stmt, context, &mut parts);
        let end = |block: &BlockId| ir.block(*block).last().map(|&last| ir.stmt(last).end);
        let part = parts
            .into_iter()
            .filter(|(part, _)| end(part).is_some_and(|end| end >= created))
            .min_by_key(|(part, _)| end(part));
        let Some((next, inner)) = part else { return context };
        (block, context) = (next, Context { is_loop: false, ..inner });
    }
}

/// Whether a block declares a resource that is disposed of where the block ends.
fn declares_disposed(ir: &FileIr, block: BlockId) -> bool {
    ir.block(block).iter().any(|&stmt| {
        matches!(
            ir.stmt(stmt).kind,
            StmtKind::Declaration { kind: DeclKind::Using | DeclKind::AwaitUsing, .. }
        )
    })
}

/// The statements that a comment stands above which says that they are to be left alone, each with what is said of it.
pub(crate) fn ignored_spans(ir: &FileIr) -> Vec<(Span, Code)> {
    if ir.ignores.is_empty() && ir.in_order.is_empty() {
        return Vec::new();
    }
    let of = |stmt: &Stmt| Some((stmt.span, why_ignored(ir, stmt)?));
    ir.stmts.iter().filter_map(of).collect()
}

/// Why a statement is left alone: a comment above it says so.
pub(crate) fn why_ignored(ir: &FileIr, stmt: &Stmt) -> Option<Code> {
    let start = stmt.span.start;
    // A function is described, and what stands in it is not meant.
    let is_meant = matches!(
        stmt.kind,
        StmtKind::Loop { .. }
            | StmtKind::Expression { .. }
            | StmtKind::Declaration { .. }
            | StmtKind::Return
    );
    if ir.ignores.contains(&start) {
        Some(Code::IgnoredByComment)
    } else if is_meant && ir.in_order.contains(&start) {
        Some(Code::OrderedByComment)
    } else {
        None
    }
}

fn children(ir: &FileIr, stmt: StmtId, context: Context, into: &mut Vec<(BlockId, Context)>) {
    let stmt = ir.stmt(stmt);
    match &stmt.kind {
        StmtKind::If { then, otherwise } => {
            into.extend(otherwise.map(|block| (block, context)));
            into.push((*then, context));
        }
        // Leaving it early ends the iterator, which may clean up.
        StmtKind::Loop { kind: LoopKind::ForAwait, body, .. } => {
            into.push((*body, Context { disposes: true, is_loop: true, ..context }));
        }
        StmtKind::Loop { body, .. } => {
            // `for (using x of …)`
            let disposes = context.disposes
                || FileIr::range(stmt.first, stmt.end)
                    .any(|id| matches!(ir.inst(id), Inst::Dispose { .. }));
            into.push((*body, Context { disposes, is_loop: true, ..context }));
        }
        StmtKind::Block(block) => into.push((*block, context)),
        StmtKind::Switch { cases } => into.extend(cases.iter().rev().map(|&it| (it, context))),
        StmtKind::Try(parts) => {
            into.extend(parts.finalizer.map(|block| (block, context)));
            let mut guarded = context;
            guarded.has_finalizer |= parts.finalizer.is_some();
            into.extend(parts.handler.map(|block| (block, guarded)));
            if parts.handler_reads_error {
                guarded.handler = Some(stmt.span);
            }
            into.push((parts.block, guarded));
        }
        _ => {}
    }
}

/// Whether a block has several statements that wait, or one that waits several times itself: else
/// there is nothing in it that could overlap.
pub(crate) fn waits_twice(ir: &FileIr, block: BlockId) -> bool {
    let waits = |first, end| FileIr::range(first, end).filter(|&it| ir.inst(it).is_suspend_point());
    let statements = || ir.block(block).iter().map(|&id| ir.stmt(id));
    let waiting = statements().filter(|it| waits(it.first, it.end).next().is_some()).count();
    waiting > 1
        || statements().any(|stmt| {
            let nested = stmt.kind.nested();
            let inner: usize = nested
                .iter()
                .flat_map(|&block| ir.block(block))
                .map(|&id| waits(ir.stmt(id).first, ir.stmt(id).end).count())
                .sum();
            waits(stmt.first, stmt.end).count() > inner + 1
        })
}

/// Whether a comment above a statement says that it is to be left alone.
pub(crate) fn is_ignored(ir: &FileIr, stmt: StmtId) -> bool {
    why_ignored(ir, ir.stmt(stmt)).is_some()
}

/// The comment for a tool that stands at some statements: it means what it says only there.
pub(crate) fn pinned_comment(ir: &FileIr, span: Span) -> Option<&PinnedComment> {
    ir.pinned_comments
        .iter()
        .find(|it| span.contains(it.span) || it.attached_to == span.start || it.follows == span.end)
}
