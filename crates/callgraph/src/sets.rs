//! Where the objects of nodes are kept, in the order of their arrival.
//!
//! A program has millions of nodes, and most hold one object or none. A list keeps two in itself; a longer one stands
//! in a block of the store, whose size follows from its length. What a list has grown out of is taken again.

/// How many objects a list keeps in itself.
const INLINE: usize = 2;
/// The size of the smallest block.
const SMALLEST: usize = 4;
/// No block.
const END: u32 = u32::MAX;

/// A list of numbers; what is in it stands in a [`Sets`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    len: u32,
    /// The numbers, or where the block of the list starts.
    own: [u32; INLINE],
}

impl List {
    /// A list with nothing in it.
    pub(crate) const EMPTY: Self = Self { len: 0, own: [END; INLINE] };

    /// How many numbers it holds.
    pub(crate) fn len(&self) -> usize {
        self.len as usize
    }
}

/// What the lists hold that do not keep it in themselves.
#[derive(Debug)]
pub(crate) struct Sets {
    words: Vec<u32>,
    /// The first free block of each size, by its logarithm. A free block begins with the place of the next one.
    free: [u32; u32::BITS as usize],
}

impl Sets {
    /// A store that so many words are set aside for.
    pub(crate) fn with_capacity(words: usize) -> Self {
        Self { words: Vec::with_capacity(words), free: [END; u32::BITS as usize] }
    }

    /// What a list holds.
    pub(crate) fn get<'a>(&'a self, list: &'a List) -> &'a [u32] {
        let len = list.len();
        if len <= INLINE {
            &list.own[..len]
        } else {
            let start = list.own[0] as usize;
            &self.words[start..start + len]
        }
    }

    /// Puts a number behind the others of a list.
    pub(crate) fn push(&mut self, list: &mut List, number: u32) {
        let len = list.len();
        if len < INLINE {
            list.own[len] = number;
        } else {
            if len == INLINE {
                self.move_in(list);
            } else if len >= SMALLEST && len.is_power_of_two() {
                self.move_on(list);
            }
            self.words[list.own[0] as usize + len] = number;
        }
        list.len += 1;
    }

    /// Moves what a list keeps in itself to its first block.
    fn move_in(&mut self, list: &mut List) {
        let start = self.block(SMALLEST);
        self.words[start as usize..][..INLINE].copy_from_slice(&list.own);
        list.own[0] = start;
    }

    /// Moves a list to a block of twice the size.
    fn move_on(&mut self, list: &mut List) {
        let (size, from) = (list.len(), list.own[0]);
        let to = self.block(2 * size);
        self.words.copy_within(from as usize..from as usize + size, to as usize);
        list.own[0] = to;
        let free = &mut self.free[size.ilog2() as usize];
        self.words[from as usize] = std::mem::replace(free, from);
    }

    /// A block of a size, a power of two.
    fn block(&mut self, size: usize) -> u32 {
        let free = &mut self.free[size.ilog2() as usize];
        if *free == END {
            let start = crate::ids::id(self.words.len());
            self.words.resize(self.words.len() + size, 0);
            return start;
        }
        std::mem::replace(free, self.words[*free as usize])
    }
}

/// Lists that no longer grow, one behind the other.
#[derive(Debug)]
pub(crate) struct Packed {
    /// For each list, where it ends.
    ends: Vec<u32>,
    numbers: Vec<u32>,
}

impl Packed {
    /// The lists of a store, in the order given.
    pub(crate) fn new<'a>(
        sets: &Sets,
        lists: impl ExactSizeIterator<Item = &'a List> + Clone,
    ) -> Self {
        let count = lists.clone().map(List::len).sum();
        let (ends, numbers) = (Vec::with_capacity(lists.len()), Vec::with_capacity(count));
        let mut packed = Self { ends, numbers };
        for list in lists {
            packed.numbers.extend_from_slice(sets.get(list));
            packed.ends.push(crate::ids::id(packed.numbers.len()));
        }
        packed
    }

    /// What the list with a number holds; nothing where there is none.
    pub(crate) fn get(&self, index: usize) -> &[u32] {
        let at = |index: usize| self.ends.get(index).map_or(self.numbers.len(), |&it| it as usize);
        &self.numbers[index.checked_sub(1).map_or(0, at)..at(index)]
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
}

#[cfg(test)]
mod tests {
    use super::{List, Packed, Sets};

    #[test]
    fn lists_that_grow_in_turn_hold_what_was_put_there() {
        let mut sets = Sets::with_capacity(0);
        let mut lists = [List::EMPTY; 7];
        for step in 0..1_000_u32 {
            for (number, list) in (0..).zip(&mut lists) {
                if step % (number + 1) == 0 {
                    sets.push(list, step);
                }
            }
        }
        for (number, list) in (0..).zip(&lists) {
            let expected: Vec<u32> = (0..1_000).filter(|it| it % (number + 1) == 0).collect();
            assert_eq!(sets.get(list), expected);
        }
        let packed = Packed::new(&sets, lists.iter());
        for (index, list) in lists.iter().enumerate() {
            assert_eq!(packed.get(index), sets.get(list));
        }
    }

    #[test]
    fn what_a_list_has_grown_out_of_is_taken_again() {
        let mut sets = Sets::with_capacity(0);
        for _ in 0..100 {
            let mut list = List::EMPTY;
            (0..5).for_each(|it| sets.push(&mut list, it));
        }
        // A block of eight for each, and one of four for all.
        assert_eq!(sets.words.len(), 100 * 8 + 4);
    }
}
