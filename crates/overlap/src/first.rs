//! What the turn of a loop waits for first, and what decides whether it does.

use headstart_effects::{Blocker, Code};
use headstart_ir::{BlockId, FileIr, Inst, InstId, Span, Stmt, StmtId, StmtKind};

use crate::deciding::{When, decides};
use crate::exits::{Within, has_exit};

/// The first wait of a turn.
pub(crate) struct FirstWait<'p> {
    /// The statement that it stands in.
    pub(crate) stmt: &'p Stmt,
    /// The `await`.
    pub(crate) wait: InstId,
    /// What stands before it in the turn, in order.
    pub(crate) before: Vec<Before<'p>>,
}

/// What stands before the operation in a turn.
pub(crate) enum Before<'p> {
    /// A statement that is passed in any case.
    Statement(&'p Stmt),
    /// A test that decides whether the operation starts.
    Test {
        /// Its first instruction.
        first: InstId,
        /// The branch behind it.
        branch: InstId,
        /// Its value.
        test: InstId,
        /// What it has to give for the operation to start.
        when: When,
    },
}

impl Before<'_> {
    /// Its instructions, from the first to the one behind the last.
    pub(crate) fn range(&self) -> (InstId, InstId) {
        match self {
            Self::Statement(stmt) => (stmt.first, stmt.end),
            Self::Test { first, branch, .. } => (*first, *branch),
        }
    }
}

/// What the turn of a loop with some body waits for first.
///
/// # Errors
/// Something before it may end the turn in a way that is not a plain test, or it stands where it may run
/// several times.
pub(crate) fn first_wait<'p>(
    ir: &'p FileIr,
    body: BlockId,
    whole: Span,
) -> Result<FirstWait<'p>, Blocker> {
    let mut before = Vec::new();
    let mut block = body;
    'block: loop {
        for stmt in ir.block(block).iter().map(|&it| ir.stmt(it)) {
            let range = FileIr::range(stmt.first, stmt.end);
            let Some(wait) = range.into_iter().find(|&it| ir.inst(it).is_suspend_point()) else {
                before.push(passed(ir, stmt)?);
                continue;
            };
            let (inner, branch) = match &stmt.kind {
                StmtKind::Block(inner) => (*inner, None),
                StmtKind::Try(parts) if holds(ir, parts.block, wait) => (parts.block, None),
                StmtKind::If { then, .. } if holds(ir, *then, wait) => {
                    (*then, Some((branch(ir, *then), When::True)))
                }
                StmtKind::If { otherwise: Some(otherwise), .. } if holds(ir, *otherwise, wait) => {
                    (*otherwise, Some((branch(ir, *otherwise), When::False)))
                }
                StmtKind::Try(_) | StmtKind::Switch { .. } | StmtKind::Loop { .. } => {
                    return Err(unclear(stmt));
                }
                _ => {
                    tests(ir, stmt, wait, &mut before)?;
                    return Ok(FirstWait { stmt, wait, before });
                }
            };
            if let Some((branch, when)) = branch {
                before.push(branch.and_then(|it| test(ir, it, when)).ok_or_else(|| unclear(stmt))?);
            }
            block = inner;
            continue 'block;
        }
        return Err(Blocker::new(Code::WaitsForNothing, whole));
    }
}

fn unclear(stmt: &Stmt) -> Blocker {
    Blocker::new(Code::WaitsSometimesOrOften, stmt.span)
}

/// The tests in a statement that decide whether a wait in it is reached: `a && await f()`, `a || await f()`,
/// `a ?? await f()`, `a ? await f() : await g()`.
fn tests<'p>(
    ir: &FileIr,
    stmt: &Stmt,
    wait: InstId,
    before: &mut Vec<Before<'p>>,
) -> Result<(), Blocker> {
    for branch in FileIr::range(stmt.first, wait) {
        let Inst::Conditional { test: value, end } = ir.inst(branch) else { continue };
        if end <= wait {
            continue;
        }
        let when = decides(ir, (stmt.first, stmt.end), branch, (value, end))
            .ok_or_else(|| unclear(stmt))?;
        before.push(test(ir, branch, when).ok_or_else(|| unclear(stmt))?);
    }
    Ok(())
}

/// The test of a branch, with the instructions that compute it.
fn test<'p>(ir: &FileIr, branch: InstId, when: When) -> Option<Before<'p>> {
    let Inst::Conditional { test, .. } = ir.inst(branch) else { return None };
    let span = ir.span(test);
    let mut first = test;
    while let Some(before) = first.index().checked_sub(1).map(InstId::new)
        && span.contains(ir.span(before))
    {
        first = before;
    }
    // The second part of `test ? first : second` stands behind the first.
    let end = InstId::new(test.index() + 1);
    Some(Before::Test { first, branch: end, test, when })
}

fn holds(ir: &FileIr, block: BlockId, at: InstId) -> bool {
    ir.block(block).iter().any(|&it| ir.stmt(it).first <= at && at < ir.stmt(it).end)
}

/// The branch that leads into a block of an `if`.
pub(crate) fn branch(ir: &FileIr, block: BlockId) -> Option<InstId> {
    let first = ir.block(block).first().map(|&it| ir.stmt(it).first)?;
    let before = first.index().checked_sub(1).map(InstId::new)?;
    matches!(ir.inst(before), Inst::Conditional { .. }).then_some(before)
}

/// A statement that stands before the operation and does not wait.
fn passed<'p>(ir: &FileIr, stmt: &'p Stmt) -> Result<Before<'p>, Blocker> {
    if !has_exit(ir, &stmt.kind, Within::Block) {
        return Ok(Before::Statement(stmt));
    }
    let branch = match &stmt.kind {
        StmtKind::If { then, otherwise: None } if only_continues(ir, *then) => branch(ir, *then),
        _ => None,
    };
    branch.and_then(|it| test(ir, it, When::False)).ok_or_else(|| {
        Blocker::new(Code::DecidesWhetherItStarts.with(&["the operation"]), stmt.span)
    })
}

/// Whether a block is left for the next turn, or for a failure, at its end, and only there. What else it does
/// stays in the turn.
fn only_continues(ir: &FileIr, block: BlockId) -> bool {
    let Some((last, rest)) = ir.block(block).split_last() else { return false };
    let leaves = |id: &StmtId| has_exit(ir, &ir.stmt(*id).kind, Within::Block);
    matches!(ir.stmt(*last).kind, StmtKind::Continue { is_labelled: false } | StmtKind::Throw)
        && !rest.iter().any(leaves)
}
