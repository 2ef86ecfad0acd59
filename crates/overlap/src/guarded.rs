//! Operations that run only sometimes, where a plain test decides: `if (test) await operation`,
//! `test && (await operation)`, `known ?? (await operation)`.
//!
//! Such an operation may start early where its test is asked early, too (the contract, S2): it starts behind
//! its own guard, wherever that is.
//!
//! The same goes for an operation that is the first thing in a `try`: it starts in front of that, and is waited for
//! where it was, so that its failure is handled there. What it may throw before there is a promise becomes a rejection of
//! one: `(async () => operation)()`.

use headstart_effects::{FileAnalysis, Known};
use headstart_ir::{FileIr, Inst, InstId, Span, Stmt, StmtKind};

use crate::deciding::{When, decides, is_simple};
use crate::function_ref;
use crate::narrowed::keeps_types;
use crate::site::{Binding, Moves, Site, site, site_at};

/// The operation that a statement waits for first, where a test at its start decides whether it does, or a `try`
/// begins with it.
pub(crate) fn guarded_site<'p>(
    analysis: &FileAnalysis<'p>,
    stmt: &'p Stmt,
    known: &Known,
) -> Option<Site<'p>> {
    let ir = analysis.ir;
    if ir.declares_type_within(stmt.span) {
        return None;
    }
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
        return (!found.is_caught || keeps_types(analysis, &found)).then_some(found);
    }
    let (deciding, holder) = match &stmt.kind {
        StmtKind::If { then, .. } => {
            let holder = ir.stmt(*ir.block(*then).first()?);
            let branch = InstId::new(holder.first.index().checked_sub(1)?);
            if wait < branch {
                (decides_within(ir, (stmt.first, branch), wait)?, stmt)
            } else {
                ((branch, When::True), holder)
            }
        }
        StmtKind::Declaration { .. } | StmtKind::Expression { .. } | StmtKind::Return => {
            (decides_within(ir, (stmt.first, stmt.end), wait)?, stmt)
        }
        _ => return None,
    };
    let (branch, when) = deciding;
    let Inst::Conditional { test, end } = ir.inst(branch) else { return None };
    if !(branch < wait && wait < end) {
        return None;
    }
    let found = match holder.span == stmt.span {
        true => site_at(analysis, stmt, wait, known)?,
        false => site(analysis, holder, known).filter(|it| it.suspension == wait)?,
    };
    let guard = Guard { test: ir.span(test), when, is_plain: is_plain(ir, test, when) };
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
pub struct Guard {
    /// The test.
    pub test: Span,
    /// Which answers to it start the operation.
    pub when: When,
    /// Whether it needs no parentheses where it stands in front of a `?`, or of what asks for it there.
    pub is_plain: bool,
}

/// The branch of an expression that a wait stands in, where nothing else in it decides about the wait, and which answers
/// lead there.
fn decides_within(
    ir: &FileIr,
    (first, end): (InstId, InstId),
    wait: InstId,
) -> Option<(InstId, When)> {
    let mut around = FileIr::range(first, wait).filter_map(|it| match ir.inst(it) {
        Inst::Conditional { test, end } if wait < end => Some((it, test, end)),
        _ => None,
    });
    let (branch, test, behind) = around.next()?;
    if behind >= end || around.next().is_some() {
        return None;
    }
    decides(ir, (first, end), branch, (test, behind)).map(|when| (branch, when))
}

/// Whether a test binds tighter than what is written behind it: `?:`, or `== null` (ECMA-262, 13.11 and 13.14).
fn is_plain(ir: &FileIr, test: InstId, when: When) -> bool {
    let binds_tighter = match ir.inst(test) {
        Inst::Pure1(_) | Inst::Pure2(..) | Inst::Operator { .. } => true,
        Inst::Select(..) => is_logical(ir, test),
        _ => false,
    };
    is_simple(ir, test) || when != When::Missing && binds_tighter
}

/// Whether a value is what `&&`, `||` or `??` gives.
fn is_logical(ir: &FileIr, value: InstId) -> bool {
    ir.is_conjunction(value) || ir.is_disjunction(value) || ir.is_coalescing(value)
}
