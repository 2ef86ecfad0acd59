//! What runs of the program say of two operations that could overlap (`headstart observe`).

use headstart_effects::{Blocker, Code};
use headstart_ir::InstId;

use crate::crossing::Mover;
use crate::unit::{Scope, Unit};

/// Why an operation does not start before a statement, where only runs have shown that one of the two reads: in these runs each of
/// them has to have waited for something.
pub(crate) fn waited_for_nothing(
    mover: &Mover,
    scope: &Scope<'_, '_>,
    unit: &Unit<'_>,
) -> Option<Blocker> {
    let (analysis, summaries) = (scope.analysis, scope.summaries);
    let touched_nothing = |it: &InstId| summaries.was_seen_to_touch_nothing(analysis.at(*it));
    let own = Some(mover.operation).filter(touched_nothing);
    let of_unit = unit.site.as_ref().map(|it| it.operation);
    let other = of_unit.filter(touched_nothing);
    let (at, rests_on_runs) = match (own, other) {
        (Some(at), _) => (at, rests_on_runs(scope, of_unit, (unit.stmt.first, unit.stmt.end))),
        (None, Some(at)) => {
            let end = InstId::new(mover.operation.index() + 1);
            (at, rests_on_runs(scope, Some(mover.operation), (mover.first, end)))
        }
        (None, None) => return None,
    };
    rests_on_runs.then(|| Blocker::new(Code::WaitsForNothingOutside, analysis.ir.span(at)))
}

/// Whether only runs have shown that code reads what it waits for; what is called like a read needs no runs.
fn rests_on_runs(
    scope: &Scope<'_, '_>,
    operation: Option<InstId>,
    (first, end): (InstId, InstId),
) -> bool {
    let summaries = scope.summaries;
    let is_named = operation.is_some_and(|it| summaries.is_named_read(scope.analysis.at(it)));
    let steps = summaries.steps(scope.at(), first, end);
    let mut reads = steps.iter().filter_map(|it| it.assumed.as_ref()).flat_map(|it| &it.reads);
    !is_named && reads.any(|it| summaries.is_read_by_runs_alone(*it))
}
