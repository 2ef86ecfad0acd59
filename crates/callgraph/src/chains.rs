//! Many lists in one: each item is kept with the place of the one before it in its list. A list that is hardly ever
//! longer than a few items needs four bytes beside them.

use smallvec::SmallVec;

use crate::ids::id;

/// The end of a list, where its last item stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chain(u32);

impl Chain {
    /// A list with nothing in it.
    pub(crate) const EMPTY: Self = Self(u32::MAX);
}

/// The items of all lists.
#[derive(Debug)]
pub(crate) struct Chains<T> {
    items: Vec<(T, Chain)>,
}

impl<T: Copy> Chains<T> {
    /// Room for so many items.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { items: Vec::with_capacity(count) }
    }

    /// Puts an item behind the others of a list.
    pub(crate) fn push(&mut self, list: &mut Chain, item: T) {
        let before = std::mem::replace(list, Chain(id(self.items.len())));
        self.items.push((item, before));
    }

    /// The items of a list, in the order in which they were put there.
    pub(crate) fn get(&self, list: Chain) -> SmallVec<[T; 8]> {
        let mut found = SmallVec::new();
        let mut next = list;
        while let Some(&(item, before)) = self.items.get(next.0 as usize) {
            found.push(item);
            next = before;
        }
        found.reverse();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::{Chain, Chains};

    #[test]
    fn lists_that_grow_in_turn_hold_what_was_put_there() {
        let mut chains = Chains::with_capacity(0);
        let (mut even, mut odd) = (Chain::EMPTY, Chain::EMPTY);
        for number in 0..20 {
            chains.push(if number % 2 == 0 { &mut even } else { &mut odd }, number);
        }
        assert!(chains.get(even).iter().copied().eq((0..20).step_by(2)));
        assert!(chains.get(odd).iter().copied().eq((1..20).step_by(2)));
        assert!(chains.get(Chain::EMPTY).is_empty());
    }
}
