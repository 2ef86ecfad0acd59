//! Operations that run only sometimes, where a plain test decides: `if (test) await operation`.
//!
//! Such an operation may start early where its test is asked early, too (the contract, S2): it starts behind
//! its own guard, wherever that is.
//!
//! The same goes for an operation that is the first thing in a `try`: it starts in front of that, and is waited for
//! where it was, so that its failure is handled there. What it may throw before there is a promise becomes a rejection of
//! one: `(async () => operation)()`.

use headstart_effects::{FileAnalysis, Known};
use headstart_ir::{FileIr, Inst, InstId, Span, Stmt, StmtKind};
use rustc_hash::FxHashSet;

use crate::function_ref;
use crate::narrowed::Closed;
use crate::site::{Binding, Moves, Site, site, site_at};
use crate::unit::variables;

/// The operation that a statement waits for first, where a test at its start decides whether it does, or a `try`
/// begins with it.
pub(crate) fn guarded_site<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    known: &Known,
) -> Option<Site<'p>> {
    let ir = analysis.ir;
    let wait = FileIr::range(stmt.first, stmt.end).find(|&it| ir.inst(it).is_suspend_point())?;
    if let StmtKind::Try(parts) = &stmt.kind {
        let holder = ir.stmt(*ir.block(parts.block).first()?);
        let found = site(analysis, holder, known).filter(|it| it.suspension == wait)?;
        // What is thrown in front of the `try` nothing in it handles, whatever the arguments are.
        let end = InstId::new(found.operation.index() + 1);
        let function = ir.function_at(found.operation);
        let steps = analysis.summaries.steps(function_ref(analysis, function), stmt.first, end);
        let mut found = found;
        found.is_caught = steps.iter().any(|it| it.throws);
        let found = moved_out(analysis, stmt, found, known, None);
        let (reads, _) = variables(ir, stmt.first, end);
        let of_site =
            Closed { function, before: stmt.first, reads: &reads, own: &FxHashSet::default() };
        let keeps_types = !found.is_caught
            || found.stretch.as_ref().is_ok_and(|it| !of_site.may_lose_type(analysis, it));
        return keeps_types.then_some(found);
    }
    let (branch, holder) = match &stmt.kind {
        StmtKind::If { then, .. } => {
            let holder = ir.stmt(*ir.block(*then).first()?);
            (InstId::new(holder.first.index().checked_sub(1)?), holder)
        }
        StmtKind::Declaration { .. } | StmtKind::Expression { .. } | StmtKind::Return => {
            (consequent(ir, stmt, wait)?, stmt)
        }
        _ => return None,
    };
    let Inst::Conditional { test, end } = ir.inst(branch) else { return None };
    if !(branch < wait && wait < end) {
        return None;
    }
    let found = match holder.span == stmt.span {
        true => site_at(analysis, stmt, wait, known)?,
        false => site(analysis, holder, known).filter(|it| it.suspension == wait)?,
    };
    let guard = Guard { test: ir.span(test), is_plain: is_plain(ir, test) };
    Some(moved_out(analysis, stmt, found, known, Some(guard)))
}

/// An operation that starts in front of the statement that it stands in. The test, and all that stands before it
/// there, is asked early with it.
fn moved_out<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &Stmt,
    mut found: Site<'p>,
    known: &Known,
    guard: Option<Guard>,
) -> Site<'p> {
    found.widen(analysis, stmt.first, known);
    found.guard = guard;
    found.fixed = found.why_fixed(analysis, Moves::Guarded);
    found.binding = Binding::Within;
    found
}

/// What decides whether an operation starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Guard {
    /// The test.
    pub(crate) test: Span,
    /// Whether it needs no parentheses before a `?`.
    pub(crate) is_plain: bool,
}

/// The branch into the first part of `test ? first : second` that a wait stands in, and nothing else that
/// decides about it. The second part asks the same test right behind the first.
fn consequent(ir: &FileIr, stmt: &Stmt, wait: InstId) -> Option<InstId> {
    let mut around = FileIr::range(stmt.first, wait).filter_map(|it| match ir.inst(it) {
        Inst::Conditional { test, end } if wait < end => Some((it, test, end)),
        _ => None,
    });
    let (branch, test, end) = around.next()?;
    let is_ternary = end < stmt.end
        && matches!(ir.inst(end), Inst::Conditional { test: again, .. } if again == test);
    (is_ternary && around.next().is_none()).then_some(branch)
}

/// Whether a test binds tighter than `?:` (ECMA-262, 13.14).
fn is_plain(ir: &FileIr, test: InstId) -> bool {
    matches!(
        ir.inst(test),
        Inst::LoadVar(_)
            | Inst::Get { .. }
            | Inst::Call { .. }
            | Inst::CallMethod { .. }
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Operator { .. }
    )
}
