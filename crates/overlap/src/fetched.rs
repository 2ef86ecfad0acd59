//! What a statement changes of objects that a function gets itself from code that nobody knows: taken to be
//! nobody else's (see the same of operations that move, in `headstart-effects`).

use headstart_effects::{Assumption, SummaryLocation};

use crate::crossing::Mover;
use crate::unit::{Scope, Unit};

impl Mover {
    /// That the functions which a statement calls alone hold what they get themselves and change at a place; none
    /// where it may be something else that is changed there.
    pub(crate) fn fetched(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        written: &SummaryLocation,
    ) -> Option<Assumption> {
        let SummaryLocation::Memory(place) = written else { return None };
        if !place.is_unknown() {
            return None;
        }
        let (summaries, analysis) = (scope.summaries, scope.analysis);
        let mut changing = None;
        for step in summaries.steps(scope.at(), unit.stmt.first, unit.stmt.end) {
            if step.effects().any(|it| it.writes.contains(written)) {
                if !summaries.changes_fetched(analysis.at(step.at)) {
                    return None;
                }
                changing.get_or_insert(step.at);
            }
        }
        analysis.alone(written, analysis.ir.span(changing?))
    }
}
