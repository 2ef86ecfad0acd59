//! What the test of a branch in an expression has to give for the branch to be taken.

use headstart_ir::{FileIr, Inst, InstId};

/// What a test gives where an operation starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Something true: `test && await operation`.
    True,
    /// Something false: `test || await operation`.
    False,
    /// `null` or `undefined`: `test ?? await operation`.
    Missing,
}

/// What the test of a branch has to give for the branch to be taken, in an expression that takes the instructions from
/// `first` up to `until`.
pub(crate) fn decides(
    ir: &FileIr,
    (first, until): (InstId, InstId),
    branch: InstId,
    (test, end): (InstId, InstId),
) -> Option<When> {
    let is_branch_of =
        |it: InstId| matches!(ir.inst(it), Inst::Conditional { test: other, .. } if other == test);
    if end < until && is_branch_of(end) {
        return Some(When::True);
    }
    let is_first_part = |it: &InstId| matches!(ir.inst(*it), Inst::Conditional { test: other, end } if other == test && end == branch);
    if FileIr::range(first, branch).any(|it| is_first_part(&it)) {
        return Some(When::False);
    }
    match ir.inst(end) {
        Inst::Select(left, _) if left == test && end < until => {
            let kinds = [
                (ir.is_conjunction(end), When::True),
                (ir.is_disjunction(end), When::False),
                (ir.is_coalescing(end), When::Missing),
            ];
            kinds.into_iter().find(|it| it.0).map(|it| it.1)
        }
        _ => None,
    }
}

/// Whether a value needs no parentheses behind `!`, and before an operator.
pub(crate) fn is_simple(ir: &FileIr, value: InstId) -> bool {
    matches!(
        ir.inst(value),
        Inst::Call { .. } | Inst::CallMethod { .. } | Inst::Get { .. } | Inst::LoadVar(_)
    )
}
