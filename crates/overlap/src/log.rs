//! Writes that are none if somebody says so: lines of a log, whose order nobody may mind, and queries that
//! only select, whatever is put into them.

use headstart_effects::{
    Assumption, Code, Effects, FileAnalysis, Logs, Resource, Stretch, SummaryLocation, Which,
};
use headstart_ir::{InstId, Span};

use crate::unit::Scope;

/// What it takes for granted to start an operation with these effects earlier, or together with others:
/// its lines then come between those of others, also where it would not have started, since something
/// before it fails.
pub(crate) fn order(
    scope: &Scope<'_, '_>,
    effects: &Effects,
    span: Span,
) -> impl Iterator<Item = Assumption> {
    let is_seen = scope.analysis.logs == Logs::InOrder && writes_lines(effects);
    let order = is_seen.then(|| Assumption::new(Code::LogOrder, span));
    let selects = effects.writes.iter().any(|it| selects(scope, it));
    order.into_iter().chain(selects.then(|| only_selects(span)))
}

/// The same of a call that is taken by its name, and writes lines, too.
pub(crate) fn order_by_name(
    scope: &Scope<'_, '_>,
    stretch: &Stretch,
    span: Span,
) -> Option<Assumption> {
    let is_seen = scope.analysis.logs == Logs::InOrder && stretch.reports;
    (is_seen && !writes_lines(&stretch.effects)).then(|| Assumption::new(Code::LogOrder, span))
}

/// What it takes for granted that a query which the program puts together only reads.
pub(crate) fn only_selects(span: Span) -> Assumption {
    Assumption::new(Code::OnlySelects, span)
}

/// Whether a write is that of a query which only selects, whatever is put into it.
pub(crate) fn selects(scope: &Scope<'_, '_>, location: &SummaryLocation) -> bool {
    is_query(location) && scope.summaries.only_selects(scope.at(), location)
}

/// The same of all queries among the writes of an operation.
pub(crate) fn all_select(
    analysis: &FileAnalysis<'_>,
    operation: InstId,
    effects: &Effects,
) -> bool {
    let summaries = analysis.summaries;
    let function = summaries.graph.function_at(analysis.at(operation));
    let mut queries = effects.writes.iter().filter(|it| is_query(it)).peekable();
    queries.peek().is_some() && queries.all(|it| summaries.only_selects(function, it))
}

/// Whether a write is that of a query whose text decides whether it is one.
pub(crate) fn is_query(location: &SummaryLocation) -> bool {
    matches!(location, SummaryLocation::Resource(Resource::Connection, Which::Queried(_)))
}

/// Whether all that some code writes is lines of a log, and what queries touch that only select.
pub(crate) fn only_looks(scope: &Scope<'_, '_>, effects: &Effects) -> bool {
    effects.writes.iter().all(|it| it.is_log() || selects(scope, it))
}

/// Whether it is for queries that only select to say what some code waits for.
pub(crate) fn waits_for_selects(scope: &Scope<'_, '_>, effects: &Effects) -> bool {
    let is_command =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(_, Which::Unless(_)));
    let is_query = effects.writes.iter().any(is_query);
    is_query
        && effects
            .writes
            .iter()
            .all(|it| !is_command(it) && (!self::is_query(it) || selects(scope, it)))
}

/// Whether all that some code writes is lines of a log.
pub(crate) fn only_lines(effects: &Effects) -> bool {
    effects.writes.iter().all(SummaryLocation::is_log)
}

/// Whether two locations are lines of a log: what their order takes is told where an operation moves.
pub(crate) fn are_lines(a: &SummaryLocation, b: &SummaryLocation) -> bool {
    a.is_log() && b.is_log()
}

/// Whether some code does what a line of a log could report: it writes something outside of the program.
pub(crate) fn does_something(scope: &Scope<'_, '_>, effects: &Effects) -> bool {
    let is_seen = |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(..));
    effects.writes.iter().any(|it| is_seen(it) && !it.is_log() && !selects(scope, it))
}

/// Whether some code writes lines of a log.
pub(crate) fn writes_lines(effects: &Effects) -> bool {
    effects.writes.iter().any(SummaryLocation::is_log)
}
