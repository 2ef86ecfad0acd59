//! What the statements of a function say of its instructions.

use headstart_ir::{FileIr, FunctionId, InstId, LoopKind, StmtKind, TryParts};

/// What is guarded in a function, and which loops need not end.
#[derive(Debug)]
pub(crate) struct Structure {
    /// The blocks whose errors a handler catches.
    pub(crate) caught: Vec<(InstId, InstId)>,
    /// The loops that may wait for ever.
    pub(crate) endless: Vec<(InstId, InstId)>,
    /// Whether the function may be suspended.
    pub(crate) waits: bool,
}

impl Structure {
    pub(crate) fn of(ir: &FileIr, function: FunctionId) -> Self {
        let data = ir.function(function);
        let waits = FileIr::range(data.first, data.end).any(|it| ir.inst(it).is_suspend_point());
        let mut structure = Self { caught: Vec::new(), endless: Vec::new(), waits };
        let mut blocks = vec![data.body];
        while let Some(block) = blocks.pop() {
            for &id in ir.block(block) {
                let stmt = ir.stmt(id);
                match &stmt.kind {
                    StmtKind::Try(parts) => structure.guard(ir, stmt.first, parts),
                    StmtKind::Loop { kind: LoopKind::While | LoopKind::DoWhile, .. } => {
                        structure.endless.push((stmt.first, stmt.end));
                    }
                    _ => {}
                }
                blocks.extend(stmt.kind.nested());
            }
        }
        structure
    }

    fn guard(&mut self, ir: &FileIr, first: InstId, parts: &TryParts) {
        let last = ir.block(parts.block).last().map(|&it| ir.stmt(it).end);
        // A `return` in `finally` takes the place of an error.
        let returns = parts.finalizer.is_some_and(|it| {
            ir.block(it).iter().any(|&it| matches!(ir.stmt(it).kind, StmtKind::Return))
        });
        if let Some(end) = last.filter(|_| parts.handler.is_some() || returns) {
            self.caught.push((first, end));
        }
        let of_handler = parts.handler.and_then(|it| ir.block(it).last().copied());
        if let (true, Some(last)) = (returns, of_handler) {
            self.caught.push((first, ir.stmt(last).end));
        }
    }
}
