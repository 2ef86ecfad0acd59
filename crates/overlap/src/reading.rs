//! Reads that are not independent of one another: one changes what the other one sees.

use headstart_effects::{Assumption, Blocker, Effects, FileAnalysis, SummaryLocation};
use headstart_ir::{FileIr, Inst, InstId};

use crate::unit::Scope;

/// What one operation reads and another one changes for it, though both only read.
pub(crate) fn disturbed<'e>(
    scope: &Scope<'_, '_>,
    effects: &'e Effects,
    others: &Effects,
) -> Option<&'e SummaryLocation> {
    let is_other =
        |read: &&SummaryLocation| others.reads.iter().any(|it| scope.summaries.disturbs(read, it));
    effects.reads.iter().find(is_other)
}

/// What both take from one thing: the only connection of a pool, or what a name leads to that is read
/// once. What is read by a name that the program is told may be a pipe or an open file: it is read once.
/// Two reads through one open file move the same position.
pub(crate) fn shared_handle(
    analysis: &FileAnalysis<'_>,
    (first, end): (InstId, InstId),
    later: InstId,
) -> Result<Option<Assumption>, Blocker> {
    let consumed = |call: InstId| match analysis.summaries {
        Some(summaries) => summaries.consumed(analysis.at(call)),
        None => Vec::new(),
    };
    if let Some(summaries) = analysis.summaries {
        let function = summaries.graph.function_at(analysis.at(later));
        let own = (later, InstId::new(later.index() + 1));
        if summaries.shares_only_connection(function, own, (first, end)) {
            let text = "`{}` waits for the only connection of its pool";
            return Err(Blocker::new(text, analysis.ir.span(later)));
        }
    }
    let taken = consumed(later);
    if taken.is_empty() {
        return Ok(None);
    }
    let mut assumption = None;
    for earlier in FileIr::range(first, end) {
        for before in consumed(earlier) {
            for &now in taken.iter().filter(|&&it| !is_constant(analysis, it)) {
                if analysis.access_path(before) == analysis.access_path(now) {
                    let text = "`{}` may be a pipe or an open file, which is read twice";
                    return Err(Blocker::new(text, analysis.ir.span(now)));
                }
            }
        }
        assumption = assumption.or_else(|| may_be_handles(analysis, earlier, later));
    }
    Ok(assumption)
}

/// Whether a path is the same text always.
fn is_constant(analysis: &FileAnalysis<'_>, path: InstId) -> bool {
    let ir = analysis.ir;
    match ir.inst(path) {
        Inst::Literal(_) => true,
        Inst::LoadVar(var) => {
            let variable = ir.variable(var);
            let init = variable.init.filter(|_| variable.is_stable()).map(|it| ir.inst(it));
            matches!(init, Some(Inst::StoreVar { value, .. })
                if matches!(ir.inst(value), Inst::Literal(_)))
        }
        _ => false,
    }
}

/// What two operations read may be one open file, though they are told different things.
fn may_be_handles(
    analysis: &FileAnalysis<'_>,
    earlier: InstId,
    later: InstId,
) -> Option<Assumption> {
    let known = headstart_effects::Known::default();
    let handle = |call| analysis.operation(call, &known).ok().and_then(|it| it.maybe_handle);
    let (_, handle) = (handle(earlier)?, handle(later)?);
    let text = "`{}` is a path, not the open file that the operation before it reads";
    Some(Assumption::new(text, analysis.ir.span(handle)))
}
