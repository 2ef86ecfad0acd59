//! What is read twice, with something else read in between: a version, the time of a file, a length. Whoever
//! compares the two wants to know whether anything has changed while the rest was read, so the three keep
//! their order.

use headstart_effects::{Blocker, Code, Resource, SummaryLocation, Which};
use rustc_hash::FxHashMap;

use crate::crossing::Obstacle;
use crate::reading::is_written_alike;
use crate::site::Site;
use crate::unit::{Scope, Unit};
use crate::words::callee_text;

/// How many operations of one name are compared with each: of very many, nobody reads all.
const MOST_COMPARED: usize = 32;

/// The operations of a block that read the same, by the indices of their statements.
#[derive(Debug, Default)]
pub(crate) struct Repeated {
    /// Where each is read again.
    again: FxHashMap<usize, usize>,
    /// Where what is read again has been read before.
    before: FxHashMap<usize, Vec<usize>>,
}

impl Repeated {
    pub(crate) fn of(scope: &Scope<'_, '_>, units: &[Unit<'_>]) -> Self {
        let sites: Vec<Option<&Site<'_>>> = units.iter().map(|it| it.site.as_ref()).collect();
        let mut found = Self::default();
        for (first, again) in pairs(scope, &sites) {
            // What has been changed in between is read again for that.
            let mut between = units[first + 1..again].iter();
            let is_alone = !between.clone().any(|it| it.site.is_some() || it.takes_time());
            if !is_alone && !between.any(may_change) {
                found.again.insert(first, again);
                found.before.entry(again).or_default().push(first);
            }
        }
        found
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
        // What is between the two would stand in front of the first, or the second in front of what is between.
        let leaves = self.again.get(&earlier).filter(|again| later <= **again).map(|_| earlier);
        let of_later = self.before.get(&later).into_iter().flatten().copied();
        let Some(first) = of_later.filter(|first| *first <= earlier).chain(leaves).min() else {
            return Ok(());
        };
        let name =
            units[first].site.as_ref().map(|it| callee_text(scope.analysis.ir, it.operation));
        let name = name.unwrap_or_default();
        let reason = Code::ReadAgainOnPurpose.with(&[&name]);
        Err(Obstacle::Depends(Blocker::new(reason, units[later].stmt.span)))
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
    let mut of_name: FxHashMap<String, Vec<(usize, &Site<'_>)>> = FxHashMap::default();
    for (index, site) in sites.iter().enumerate() {
        let Some(site) = site else { continue };
        let name = callee_text(scope.analysis.ir, site.operation);
        of_name.entry(name).or_default().push((index, site));
    }
    let mut found = Vec::new();
    for alike in of_name.values() {
        for (place, (first, site)) in alike.iter().enumerate() {
            let mut behind = alike[place + 1..].iter().take(MOST_COMPARED);
            let again = behind.find(|(_, it)| reads_the_same(scope, site, it));
            found.extend(again.map(|(again, _)| (*first, *again)));
        }
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
