//! MOD and REF of some code, and which of what it writes only fills a cache.

use headstart_callgraph::InstRef;
use rustc_hash::{FxHashMap, FxHashSet};

use super::locations::Locations;
use super::place::{Location, Place, Root};

/// Where very much is read, so many places below one root are told apart.
const MOST_OF_ROOT: usize = 3;

/// What is read and written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// REF.
    pub reads: Locations,
    /// MOD.
    pub writes: Locations,
    /// Those locations of MOD that are written only where a cache is filled, in order, each with the instruction that
    /// fills it.
    fills: Vec<(Location, InstRef)>,
}

impl Effects {
    /// What reads and writes some locations.
    #[must_use]
    pub fn new(reads: Locations, writes: Locations) -> Self {
        Self { reads, writes, fills: Vec::new() }
    }

    /// The part of it that is in the memory of the program.
    pub(super) fn of_memory(&self) -> Self {
        let is_memory = |it: &&Location| matches!(it, Location::Memory(_));
        let only = |all: &Locations| all.iter().filter(is_memory).cloned().collect();
        let fills = self.fills.iter().filter(|it| is_memory(&&it.0)).cloned().collect();
        Self { reads: only(&self.reads), writes: only(&self.writes), fills }
    }

    /// Takes what is read of objects that the program makes for the same of something that nobody knows, and many
    /// places below one root for all that is there.
    pub(super) fn blur_reads(&mut self) {
        let places = || self.reads.iter().filter_map(Location::place);
        let mut counts: FxHashMap<Root, usize> = FxHashMap::default();
        for place in places().filter(|it| !it.keys.is_empty()) {
            *counts.entry(place.root).or_default() += 1;
        }
        let is_told_apart = |root: Root| {
            root == Root::Unknown || counts.get(&root).is_none_or(|&it| it <= MOST_OF_ROOT)
        };
        let blur = |place: &Place| match place.root {
            Root::Made(_) => Place { root: Root::Unknown, ..*place },
            root if is_told_apart(root) => *place,
            root => Place::all_of(root),
        };
        let whole: FxHashSet<Root> =
            places().map(blur).filter(Place::is_all_of_root).map(|it| it.root).collect();
        let is_left = |it: &Place| it.is_all_of_root() || !whole.contains(&it.root);
        let blurred = self.reads.iter().filter_map(|it| match it.place() {
            Some(place) => Some(blur(place)).filter(is_left).map(Location::Memory),
            None => Some(it.clone()),
        });
        self.reads = blurred.collect();
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty()
    }

    /// Takes in what else is read and written.
    pub fn join(&mut self, other: Self) {
        self.join_fills(&other);
        self.reads.join(other.reads);
        self.writes.join(other.writes);
    }

    /// As [`Self::join`], of what others go on using.
    pub fn take_in(&mut self, other: &Self) {
        self.join_fills(other);
        self.reads.take_in(&other.reads);
        self.writes.take_in(&other.writes);
    }

    /// The instruction that fills a cache where a location of MOD is written; none where it is written otherwise, too.
    #[must_use]
    pub fn fill(&self, location: &Location) -> Option<InstRef> {
        let found = self.fills.binary_search_by(|(it, _)| it.cmp(location)).ok()?;
        self.fills.get(found).map(|it| it.1)
    }

    /// The locations that are written only where a cache is filled, each with the instruction that does so.
    pub(crate) fn fills(&self) -> &[(Location, InstRef)] {
        &self.fills
    }

    /// Leaves out what only fills caches; the locations of that, each with the instruction that fills it.
    pub fn without_fills(&mut self) -> Vec<(Location, InstRef)> {
        let fills = std::mem::take(&mut self.fills);
        self.writes.retain(|it| fills.binary_search_by(|(of, _)| of.cmp(it)).is_err());
        fills
    }

    /// Whether some of what it writes fills a cache.
    #[must_use]
    pub fn has_fills(&self) -> bool {
        !self.fills.is_empty()
    }

    /// The same, of which all that is written fills a cache at an instruction.
    pub(super) fn filling(mut self, at: InstRef) -> Self {
        self.fills = self.writes.iter().map(|it| (it.clone(), at)).collect();
        self
    }

    /// How many locations there are.
    pub(super) fn len(&self) -> usize {
        self.reads.len() + self.writes.len()
    }

    /// What one of the two writes otherwise fills no cache.
    fn join_fills(&mut self, other: &Self) {
        if self.fills.is_empty() && other.fills.is_empty() {
            return;
        }
        let mut all = std::mem::take(&mut self.fills);
        all.retain(|(it, _)| !other.writes.contains(it) || other.fill(it).is_some());
        let is_new = |it: &&(Location, InstRef)| !self.writes.contains(&it.0);
        all.extend(other.fills.iter().filter(is_new).cloned());
        all.sort();
        self.fills = all;
    }
}

#[cfg(test)]
mod tests {
    use headstart_callgraph::PathKey;
    use headstart_ir::InstId;

    use super::super::place::{Place, Root};
    use super::*;

    fn parameter(position: u32) -> Location {
        Location::Memory(Place::new(Root::Parameter(position)).then(PathKey::ANY))
    }

    fn writes(positions: &[u32]) -> Effects {
        Effects::new(Locations::default(), positions.iter().map(|&it| parameter(it)).collect())
    }

    #[test]
    fn what_is_written_otherwise_too_fills_no_cache() {
        let at = InstRef { file: 0, inst: InstId::new(3) };
        for (one, other) in [
            (writes(&[1, 2]).filling(at), writes(&[2, 3])),
            (writes(&[2, 3]), writes(&[1, 2]).filling(at)),
        ] {
            let (mut joined, mut taken) = (one.clone(), one);
            taken.take_in(&other);
            joined.join(other);
            assert_eq!(joined, taken);
            let filled: Vec<bool> =
                (1..4).map(|it| joined.fill(&parameter(it)).is_some()).collect();
            assert_eq!(filled, [true, false, false]);
        }
    }

    #[test]
    fn what_two_fill_is_filled() {
        let at = InstRef { file: 0, inst: InstId::new(3) };
        let mut all = writes(&[1]).filling(at);
        all.join(writes(&[1, 2]).filling(at));
        assert_eq!((all.fill(&parameter(1)), all.fill(&parameter(2))), (Some(at), Some(at)));
    }
}
