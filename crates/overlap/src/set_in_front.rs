//! What the program sets in front of a call that is taken to read by its name: nobody knows of what in the
//! program that depends. A client may look at the token that has just been stored, at a property of itself,
//! or ask a function that it was made with.

use headstart_effects::{
    Assumption, Blocker, Code, Effects, PlaceRoot, Resource, SummaryLocation, Topic, TopicKind,
};
use headstart_ir::{FileIr, Inst, InstId};

use crate::crossing::{Mover, Obstacle};
use crate::site::{location_text, reads};
use crate::unit::{Scope, Unit};

/// What names hold of that clients look at for each request.
const FOR_CLIENTS: [&str; 12] = [
    "apikey",
    "auth",
    "baseurl",
    "cookie",
    "credential",
    "header",
    "jwt",
    "lang",
    "locale",
    "session",
    "tenant",
    "token",
];

impl Mover {
    /// What it takes for granted of what a statement sets: that it does not depend on it.
    ///
    /// # Errors
    /// It probably does.
    pub(crate) fn set_in_front(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        effects: &Effects,
    ) -> Result<Vec<Assumption>, Obstacle> {
        if !reads(&self.stretch.effects, Resource::Outside) {
            return Ok(Vec::new());
        }
        let (ir, name, span) = (scope.analysis.ir, self.name(scope), unit.stmt.span);
        let blocked = |what: &str| {
            let reason = Code::SetsWhatItMayDependOn.with(&[what, &name]);
            Obstacle::Blocked(Blocker::new(reason, span))
        };
        if let Inst::CallMethod { object: receiver, .. } = ir.inst(self.operation)
            && sets_property_of(ir, (unit.stmt.first, unit.stmt.end), receiver)
        {
            return Err(blocked("a property of its object"));
        }
        let mut assumptions = Vec::new();
        // What goes through the same cache is judged where the two meet.
        let is_apart = |it: &&SummaryLocation| !self.fills(it);
        for written in effects.writes.iter().filter(|it| is_shared(scope, it)).filter(is_apart) {
            let what = location_text(scope.analysis, written);
            let last = what.rsplit(['.', '#']).next().unwrap_or_default().to_ascii_lowercase();
            if FOR_CLIENTS.iter().any(|it| last.contains(it)) {
                return Err(blocked(&what));
            }
            if let Some(alone) = self.fetched(scope, unit, written) {
                assumptions.push(alone);
                continue;
            }
            let operation = format!("`{name}`");
            let reason = Code::DoesNotDependOnWhatIsSet.with(&[&operation, &what]);
            let topic = Topic::new(TopicKind::Set(operation), what);
            assumptions.push(Assumption::new(reason, span).on(topic));
        }
        Ok(assumptions)
    }
}

/// Whether others than the function itself may look at a place.
fn is_shared(scope: &Scope<'_, '_>, written: &SummaryLocation) -> bool {
    let SummaryLocation::Memory(place) = written else { return false };
    let function = scope.analysis.ir.function(scope.function);
    match place.root {
        PlaceRoot::Made(at) => {
            scope.analysis.at(at.inst) != at || at.inst < function.first || at.inst >= function.end
        }
        _ => true,
    }
}

/// Whether a property is set of what is written like a value.
fn sets_property_of(ir: &FileIr, (first, end): (InstId, InstId), value: InstId) -> bool {
    FileIr::range(first, end).any(|id| match ir.inst(id) {
        Inst::Set { object, .. } => ir.are_alike(object, value),
        _ => false,
    })
}
