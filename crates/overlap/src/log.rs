//! Lines of a log: operations that write some may change places if whoever reads the log does not mind.

use headstart_effects::{Assumption, Effects, Logs, SummaryLocation};
use headstart_ir::Span;

use crate::unit::Scope;

/// What it takes for granted to start an operation with these effects earlier, or together with others:
/// its lines then come between those of others, also where it would not have started, since something
/// before it fails.
pub(crate) fn order(scope: &Scope<'_, '_>, effects: &Effects, span: Span) -> Option<Assumption> {
    let is_seen = scope.analysis.logs == Logs::InOrder && writes_lines(effects);
    is_seen.then(|| Assumption::new("log lines may come in another order", span))
}

/// Whether all that some code writes is lines of a log.
pub(crate) fn only_lines(effects: &Effects) -> bool {
    effects.writes.iter().all(SummaryLocation::is_log)
}

/// Whether two locations are lines of a log: what their order takes is told where an operation moves.
pub(crate) fn are_lines(a: &SummaryLocation, b: &SummaryLocation) -> bool {
    a.is_log() && b.is_log()
}

fn writes_lines(effects: &Effects) -> bool {
    effects.writes.iter().any(SummaryLocation::is_log)
}
