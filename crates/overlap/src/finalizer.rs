//! `finally` around operations: whether what it does could meet one that is still under way, when another has
//! failed (the contract, trap 19).
//!
//! Who closes, gives back or ends something there relies on that nothing is under way any more. Who only notes that
//! it is over, in a variable, in a field, in a log or on the screen, does not: `finally { this.loading = false; }`,
//! `finally { setLoading(false); }`.

use headstart_callgraph::InstRef;
use headstart_effects::{
    Assumption, Blocker, Code, Effects, Overlap, Resource, Step, SummaryLocation,
};
use headstart_ir::{BlockId, FileIr, InstId, Span, StmtKind};

use crate::unit::Scope;
use crate::words;

/// The first words of the names of functions that only show something, or note it.
const NOTING: [&str; 4] = ["dismiss", "hide", "set", "toggle"];

/// What is taken for granted so that operations may be under way while `finally` blocks around `span` run.
///
/// # Errors
/// One of them does more than note something, or what it notes an operation looks at.
pub(crate) fn meets(
    scope: Scope<'_, '_>,
    span: Span,
    operations: &[&Effects],
) -> Result<Vec<Assumption>, Blocker> {
    let ir = scope.analysis.ir;
    let mut found = vec![Assumption::usual(Code::NotedInFinally, span)];
    for (first, end) in around(ir, span) {
        let at = InstRef { file: scope.at().file, inst: first };
        let function = scope.summaries.graph.function_at(at);
        for step in scope.summaries.steps(function, first, end) {
            let is_met = |written: &SummaryLocation| {
                let used = operations.iter().flat_map(|it| it.reads.iter().chain(&it.writes));
                used.into_iter()
                    .any(|it| scope.summaries.overlap(function, it, written) == Overlap::Yes)
            };
            let mut is_noted = notes(&step);
            if let Some(assumed) = step.assumed.as_ref().filter(|_| is_called_like_it(ir, step.at))
            {
                found.extend(scope.analysis.harmless(assumed, ir.span(step.at)));
                is_noted = true;
            }
            if !is_noted || written(&step).any(is_met) {
                return Err(Blocker::new(Code::CleanupMeanwhile, span));
            }
        }
    }
    Ok(found)
}

/// Whether a call is called like what only shows something, or notes it: `setLoading(false)`.
fn is_called_like_it(ir: &FileIr, call: InstId) -> bool {
    let text = words::callee_text(ir, call);
    let name = text.rsplit('.').next().unwrap_or(&text);
    let is_first = |word: &&str| {
        name.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_lowercase))
    };
    NOTING.iter().any(is_first)
}

/// The instructions of the `finally` blocks around a place.
fn around(ir: &FileIr, span: Span) -> impl Iterator<Item = (InstId, InstId)> {
    let range = |block: BlockId| {
        let (&first, &last) = (ir.block(block).first()?, ir.block(block).last()?);
        Some((ir.stmt(first).first, ir.stmt(last).end))
    };
    let is_in =
        move |block: BlockId| ir.block(block).iter().any(|&it| ir.stmt(it).span.contains(span));
    ir.stmts.iter().filter(move |it| it.span.contains(span)).filter_map(move |it| match &it.kind {
        StmtKind::Try(parts) => parts.finalizer.filter(|&it| !is_in(it)).and_then(range),
        _ => None,
    })
}

/// Whether an instruction does no more than change memory of the program, or write lines of a log.
fn notes(step: &Step) -> bool {
    let is_noted = |it: &SummaryLocation| match it {
        SummaryLocation::Memory(_) => true,
        SummaryLocation::Resource(kind, _) => matches!(kind, Resource::Log | Resource::Timers),
    };
    !step.is_anything && !step.lingers && !step.goes_on && written(step).all(is_noted)
}

fn written(step: &Step) -> impl Iterator<Item = &SummaryLocation> {
    step.effects().flat_map(|it| &it.writes)
}
