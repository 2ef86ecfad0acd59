//! What is read twice, with something else read in between: a version, the time of a file, a length. Whoever
//! compares the two wants to know whether anything has changed while the rest was read, so the three keep
//! their order.

use headstart_effects::{Blocker, Resource, SummaryLocation, Which};

use crate::crossing::Obstacle;
use crate::reading::is_written_alike;
use crate::site::Site;
use crate::unit::{Scope, Unit};
use crate::words::callee_text;

/// How many operations of one name are compared with each: of very many, nobody reads all.
const MOST_COMPARED: usize = 32;

/// The operations of a block that read the same, by the indices of their statements: the earlier and the later.
#[derive(Debug)]
pub(crate) struct Repeated(Vec<(usize, usize)>);

impl Repeated {
    pub(crate) fn of(scope: &Scope<'_, '_>, units: &[Unit<'_>]) -> Self {
        let sites: Vec<Option<&Site<'_>>> = units.iter().map(|it| it.site.as_ref()).collect();
        let mut found = pairs(scope, &sites);
        // What has been changed in between is read again for that.
        found.retain(|&(first, again)| !units[first + 1..again].iter().any(may_change));
        Self(found)
    }

    /// Whether an operation may start in front of another one.
    ///
    /// # Errors
    /// It would no longer stand between, or behind, what is read twice.
    pub(crate) fn cross(
        &self,
        scope: &Scope<'_, '_>,
        units: &[Unit<'_>],
        earlier: usize,
        later: usize,
    ) -> Result<(), Obstacle> {
        let is_between = |first: usize, again: usize| {
            (first + 1..again).any(|it| units[it].site.is_some() || units[it].takes_time())
        };
        let ends_up_outside = |&(first, again): &(usize, usize)| {
            later == again && first <= earlier
                || earlier == first && (first..again).contains(&later)
        };
        let mut all = self.0.iter().filter(|it| ends_up_outside(it));
        let Some(&(first, _)) = all.find(|it| is_between(it.0, it.1)) else { return Ok(()) };
        let name =
            units[first].site.as_ref().map(|it| callee_text(scope.analysis.ir, it.operation));
        let name = name.unwrap_or_default();
        let text = format!("what `{name}` reads is read twice, to see what has changed in between");
        Err(Obstacle::Depends(Blocker::new(text, units[later].stmt.span)))
    }
}

/// Whether some operations that could be under way together read something twice, and something else in between.
pub(crate) fn has_repeated(scope: &Scope<'_, '_>, sites: &[Site<'_>]) -> bool {
    let sites: Vec<Option<&Site<'_>>> = sites.iter().map(Some).collect();
    pairs(scope, &sites).iter().any(|(first, again)| first + 1 < *again)
}

/// Whether a statement may change something outside the program.
fn may_change(unit: &Unit<'_>) -> bool {
    let is_outside =
        |it: &SummaryLocation| matches!(it, SummaryLocation::Resource(..)) && !it.is_log();
    unit.anything.is_some() || unit.unknown.is_some() || unit.effects.writes.iter().any(is_outside)
}

/// Each operation that reads the same as a later one, with the next such.
fn pairs(scope: &Scope<'_, '_>, sites: &[Option<&Site<'_>>]) -> Vec<(usize, usize)> {
    let ir = scope.analysis.ir;
    let name = |site: &Option<&Site<'_>>| site.map(|it| callee_text(ir, it.operation));
    let names: Vec<Option<String>> = sites.iter().map(name).collect();
    let mut found = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        let Some(site) = site else { continue };
        let alike = (index + 1..sites.len()).filter(|&it| names[it] == names[index]);
        let is_same = |it: &usize| sites[*it].is_some_and(|it| reads_the_same(scope, site, it));
        let again = alike.take(MOST_COMPARED).find(is_same);
        found.extend(again.map(|it| (index, it)));
    }
    found
}

/// Whether two operations of one name read the same: they are written alike, or lead to one file.
fn reads_the_same(scope: &Scope<'_, '_>, one: &Site<'_>, other: &Site<'_>) -> bool {
    let (at, of_other) = (one.operation, other.operation);
    let named = |location: &&SummaryLocation| {
        matches!(location, SummaryLocation::Resource(Resource::File, Which::Named(_)))
    };
    is_written_alike(scope.analysis.ir, (at, at), (of_other, of_other))
        || match (&one.stretch, &other.stretch) {
            (Ok(one), Ok(other)) => {
                one.effects.reads.iter().filter(named).any(|it| other.effects.reads.contains(it))
            }
            _ => false,
        }
}
