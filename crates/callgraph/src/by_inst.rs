//! What is known of instructions, by their numbers in the program: each may have several things, and most
//! have none.

use crate::ids::id;

/// Things of instructions, one instruction behind the other.
#[derive(Debug)]
pub(crate) struct ByInst<T> {
    /// For each instruction, where its things begin; one more, for the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Ord> ByInst<T> {
    /// Of a program of `count` instructions; the things of each in order. What belongs to no instruction
    /// is left out.
    pub(crate) fn new(count: u32, things: impl Iterator<Item = (u32, T)>) -> Self {
        let mut all: Vec<(u32, T)> = things.filter(|it| it.0 < count).collect();
        all.sort_unstable();
        let mut starts = Vec::with_capacity(count as usize + 1);
        let mut next = 0;
        for inst in 0..=count {
            while all.get(next).is_some_and(|it| it.0 < inst) {
                next += 1;
            }
            starts.push(id(next));
        }
        Self { starts, items: all.into_iter().map(|it| it.1).collect() }
    }

    /// The things of an instruction.
    pub(crate) fn of(&self, inst: u32) -> &[T] {
        let at = |index: usize| self.starts.get(index).map_or(self.items.len(), |&it| it as usize);
        self.items.get(at(inst as usize)..at(inst as usize + 1)).unwrap_or(&[])
    }
}
