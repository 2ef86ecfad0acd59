//! The ways in which a statement is left other than by its end.

use headstart_ir::{BlockId, FileIr, InstId, Span, Stmt, StmtId, StmtKind};

use crate::unit::Scope;

/// What the leaving of a statement is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Within {
    /// What stands behind it in its block.
    Block,
    /// The next turns of the loop whose body it is in: `continue` only ends this one. What is awaited here,
    /// they do not rely on: they do the same for another item.
    Turn(InstId),
}

impl Within {
    pub(crate) fn is_own(self, first: InstId, end: InstId) -> bool {
        matches!(self, Self::Turn(wait) if first <= wait && wait < end)
    }
}

/// Whether a statement may be left by another way than its end, so that what comes next does not run:
/// `return`, `throw`, `break`, `continue`. For the next turns of a loop, `throw` tells of a failure: what it
/// takes is asked apart.
pub(crate) fn has_exit(ir: &FileIr, kind: &StmtKind, within: Within) -> bool {
    let mut pending = vec![(kind, false)];
    while let Some((kind, is_nested)) = pending.pop() {
        let leaves = match kind {
            StmtKind::Return => true,
            StmtKind::Throw => within == Within::Block,
            StmtKind::Break { is_labelled } => {
                within == Within::Block || *is_labelled || !is_nested
            }
            StmtKind::Continue { is_labelled } => within == Within::Block || *is_labelled,
            _ => false,
        };
        if leaves {
            return true;
        }
        let is_nested =
            is_nested || matches!(kind, StmtKind::Loop { .. } | StmtKind::Switch { .. });
        for block in kind.nested() {
            pending.extend(ir.block(block).iter().map(|&id| (&ir.stmt(id).kind, is_nested)));
        }
    }
    false
}

impl Scope<'_, '_> {
    /// Whether an instruction is part of what the turn of a loop does for its own item.
    pub(crate) fn is_part(&self, within: Within, at: InstId) -> bool {
        let ir = self.analysis.ir;
        matches!(within, Within::Turn(wait) if ir.span(wait).contains(ir.span(at)))
    }

    /// Where a statement throws on purpose, so that the loop around it ends. What a handler throws is the
    /// failure of what it has caught, where nothing in its block is there to fail; and what a handler catches
    /// ends nothing unless it throws itself.
    pub(crate) fn thrown(&self, stmt: &Stmt, within: Within) -> Option<Span> {
        if within == Within::Block {
            return None;
        }
        let ir = self.analysis.ir;
        let thrown_in = |block: BlockId| {
            ir.block(block).iter().find_map(|&it| self.thrown(ir.stmt(it), within))
        };
        let parts = match &stmt.kind {
            StmtKind::Throw => return Some(stmt.span),
            StmtKind::Try(parts) => parts,
            kind => return kind.nested().into_iter().find_map(thrown_in),
        };
        let of_handler = parts.handler.and_then(thrown_in);
        let is_check = |&it: &StmtId| {
            let inner = ir.stmt(it);
            let mut steps = self.summaries.steps(self.at(), inner.first, inner.end).into_iter();
            steps.any(|it| {
                let is_other = it.throws && !self.is_part(within, it.at);
                let only_looks = it.now.writes.is_empty() && it.later.writes.is_empty();
                let is_statement = only_looks && self.stands_alone(inner, it.at);
                is_other && (is_statement || self.throws_on_purpose(it.at))
            })
        };
        let checks =
            || thrown_in(parts.block).is_some() || ir.block(parts.block).iter().any(is_check);
        let of_block = match parts.handler {
            None => thrown_in(parts.block),
            Some(_) => of_handler.filter(|_| checks()),
        };
        of_block.or_else(|| parts.finalizer.and_then(thrown_in))
    }
}
