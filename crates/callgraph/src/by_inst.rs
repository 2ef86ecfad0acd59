//! What is known of instructions, by their numbers in the program: each may have several things, and most
//! have none.

use crate::ids::id;

/// Instructions that have something, and the place of each among them.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    /// For each 64 instructions, which of them have anything.
    has: Vec<u64>,
    /// How many before them have.
    before: Vec<u32>,
}

impl Marked {
    /// Those of a program of `count` instructions that are given, in any order.
    pub(crate) fn new(count: u32, marked: impl Iterator<Item = u32>) -> Self {
        let mut has = vec![0_u64; (count as usize).div_ceil(64)];
        for inst in marked {
            if let Some(word) = has.get_mut(inst as usize / 64) {
                *word |= bit(inst);
            }
        }
        let before = has.iter().scan(0, |next, it| {
            let before = *next;
            *next += it.count_ones();
            Some(before)
        });
        let before = before.collect();
        Self { has, before }
    }

    /// The place of an instruction, if it is one of them.
    pub(crate) fn place(&self, inst: u32) -> Option<usize> {
        let word = inst as usize / 64;
        let (has, before) = (*self.has.get(word)?, *self.before.get(word)?);
        let place = before + (has & (bit(inst) - 1)).count_ones();
        (has & bit(inst) != 0).then_some(place as usize)
    }

    /// How many they are.
    pub(crate) fn len(&self) -> usize {
        self.has.iter().map(|it| it.count_ones() as usize).sum()
    }
}

/// The bit of an instruction among the 64 that it stands with.
fn bit(inst: u32) -> u64 {
    1 << (inst % 64)
}

/// Things of instructions, one instruction behind the other.
#[derive(Debug)]
pub(crate) struct ByInst<T> {
    marked: Marked,
    /// For each instruction that has something, where its things begin; one more, for the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy + Ord> ByInst<T> {
    /// Of a program of `count` instructions; the things of each in order. What belongs to no instruction
    /// is left out.
    pub(crate) fn new(count: u32, things: impl Iterator<Item = (u32, T)>) -> Self {
        let mut all: Vec<(u32, T)> = things.filter(|it| it.0 < count).collect();
        all.sort_unstable();
        let mut starts: Vec<u32> = Vec::new();
        for (place, it) in all.iter().enumerate() {
            if place == 0 || all[place - 1].0 != it.0 {
                starts.push(id(place));
            }
        }
        starts.push(id(all.len()));
        let marked = Marked::new(count, all.iter().map(|it| it.0));
        Self { marked, starts, items: all.into_iter().map(|it| it.1).collect() }
    }

    /// The things of an instruction.
    pub(crate) fn of(&self, inst: u32) -> &[T] {
        match self.marked.place(inst) {
            Some(it) => &self.items[self.starts[it] as usize..self.starts[it + 1] as usize],
            None => &[],
        }
    }
}
