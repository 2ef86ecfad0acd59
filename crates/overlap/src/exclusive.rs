//! Statements of which only one can run: `if (kind === "pdf") { … }`, and `if (kind === "sheet") { … }` behind it, or only the
//! operation of one: `kind === "pdf" ? await … : null`. An
//! operation that starts in front of one that never runs beside it overlaps nothing.

use headstart_ir::{FileIr, Inst, InstId, StmtKind};

use crate::deciding::When;
use crate::unit::Unit;

/// Whether two statements compare the same with different literals, and run only where that is what they say. Of `===`
/// and `!==` this one and that are not told apart: of what differs from two things, nothing is said either.
pub(crate) fn exclude_each_other(ir: &FileIr, one: &Unit<'_>, other: &Unit<'_>) -> bool {
    let (Some(one), Some(other)) = (compared(ir, one), compared(ir, other)) else { return false };
    ir.inst(one.1) != ir.inst(other.1) && ir.are_alike(one.0, other.0)
}

/// What decides whether a statement does anything, or its operation starts, compares, and the literal that it compares it with.
fn compared(ir: &FileIr, unit: &Unit<'_>) -> Option<(InstId, InstId)> {
    let test = match &unit.stmt.kind {
        StmtKind::If { then, otherwise: None } => {
            let first = ir.stmt(*ir.block(*then).first()?).first;
            let branch = InstId::new(first.index().checked_sub(1)?);
            let Inst::Conditional { test, .. } = ir.inst(branch) else { return None };
            test
        }
        _ => {
            let site = unit.site.as_ref()?;
            let guard = site.guard.filter(|it| it.when == When::True)?;
            let is_test = |it: &InstId| ir.span(*it) == guard.test;
            FileIr::range(unit.stmt.first, site.operation).find(is_test)?
        }
    };
    let Inst::Pure2(left, right) = ir.inst(test) else { return None };
    let is_literal = |it| matches!(ir.inst(it), Inst::Literal(_));
    match (is_literal(left), is_literal(right)) {
        (false, true) => Some((left, right)),
        (true, false) => Some((right, left)),
        _ => None,
    }
}
