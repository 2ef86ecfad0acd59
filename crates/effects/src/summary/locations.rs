//! Sets of locations.

use super::place::Location;

/// A set of locations, in order. Most sets hold a few, and no more than a bound: a list in order takes less
/// room than a tree, and two of them are put together in one pass.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Locations(Vec<Location>);

impl Locations {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The locations, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Location> {
        self.0.iter()
    }

    /// Whether one is in it.
    #[must_use]
    pub fn contains(&self, location: &Location) -> bool {
        self.0.binary_search(location).is_ok()
    }

    /// Adds one; whether it is new.
    pub fn insert(&mut self, location: Location) -> bool {
        // Who puts in what is in order already adds at the end.
        let place = match self.0.last() {
            Some(last) if *last >= location => self.0.binary_search(&location),
            _ => Err(self.0.len()),
        };
        if let Err(place) = place {
            self.0.insert(place, location);
        }
        place.is_err()
    }

    /// Leaves those that something holds of.
    pub fn retain(&mut self, keep: impl FnMut(&Location) -> bool) {
        self.0.retain(keep);
    }

    /// Adds all of another set.
    pub fn join(&mut self, other: Self) {
        if self.is_empty() {
            *self = other;
            return;
        }
        let lacks = other.0.iter().any(|it| !self.contains(it));
        if lacks {
            self.extend(other);
        }
    }

    /// As [`Self::join`], of a set that others go on using.
    pub fn take_in(&mut self, other: &Self) {
        if self.is_empty() {
            self.0.clone_from(&other.0);
            return;
        }
        let new = other.iter().filter_map(|it| Some((self.place_of(it)?, it.clone())));
        self.add_new(new.collect());
    }

    /// Where one goes that is not in it.
    fn place_of(&self, location: &Location) -> Option<usize> {
        self.0.binary_search(location).err()
    }

    /// Adds some that are not in it, in order and each once, at their places.
    fn add_new(&mut self, new: Vec<(usize, Location)>) {
        if new.is_empty() {
            return;
        }
        let mut all = Vec::with_capacity(self.0.len() + new.len());
        let mut rest = std::mem::take(&mut self.0).into_iter();
        let mut taken = 0;
        for (place, location) in new {
            all.extend(rest.by_ref().take(place - taken));
            all.push(location);
            taken = place;
        }
        all.extend(rest);
        self.0 = all;
    }
}

impl Extend<Location> for Locations {
    fn extend<T: IntoIterator<Item = Location>>(&mut self, locations: T) {
        let placed = locations.into_iter().filter_map(|it| Some((self.place_of(&it)?, it)));
        let mut new: Vec<(usize, Location)> = placed.collect();
        new.sort();
        new.dedup();
        self.add_new(new);
    }
}

impl FromIterator<Location> for Locations {
    fn from_iter<T: IntoIterator<Item = Location>>(locations: T) -> Self {
        let mut all: Vec<Location> = locations.into_iter().collect();
        all.sort();
        all.dedup();
        Self(all)
    }
}

impl IntoIterator for Locations {
    type Item = Location;
    type IntoIter = std::vec::IntoIter<Location>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'l> IntoIterator for &'l Locations {
    type Item = &'l Location;
    type IntoIter = std::slice::Iter<'l, Location>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use headstart_callgraph::PathKey;

    use super::super::place::{Place, Root};
    use super::*;

    fn parameter(position: u32) -> Location {
        Location::Memory(Place::new(Root::Parameter(position)).then(PathKey::ANY))
    }

    fn set(positions: &[u32]) -> Locations {
        positions.iter().map(|&it| parameter(it)).collect()
    }

    #[test]
    fn what_is_put_in_stands_in_order_and_once() {
        let mut some = Locations::default();
        for (position, is_new) in [(3, true), (1, true), (3, false), (2, true), (9, true)] {
            assert_eq!(some.insert(parameter(position)), is_new);
        }
        assert_eq!(some, set(&[1, 2, 3, 9]));
        assert!(some.contains(&parameter(2)) && !some.contains(&parameter(4)));
    }

    #[test]
    fn sets_that_are_put_together_stand_in_order_and_once() {
        for (one, other, both) in [
            (&[][..], &[2, 1][..], &[1, 2][..]),
            (&[5, 1], &[4, 1, 9], &[1, 4, 5, 9]),
            (&[1, 2], &[2], &[1, 2]),
            (&[1], &[], &[1]),
        ] {
            let (mut joined, mut taken, mut extended) = (set(one), set(one), set(one));
            joined.join(set(other));
            taken.take_in(&set(other));
            extended.extend(other.iter().chain(other).map(|&it| parameter(it)));
            assert_eq!([&joined, &taken, &extended], [&set(both); 3]);
        }
    }
}
