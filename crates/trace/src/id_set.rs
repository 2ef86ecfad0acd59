//! Sets of registrations: ids are given out one after the other, so neighbours share a word.

use rustc_hash::FxHashMap;

use crate::event::Key;

/// A set of keys, one bit for each, with nothing for stretches that it has none of.
#[derive(Debug, Default)]
pub(crate) struct IdSet {
    words: [Words; 2],
}

#[derive(Debug, Default)]
struct Words {
    bits: Vec<u64>,
    places: FxHashMap<u64, u32>,
    /// The word that was asked for last, and where it is.
    last: Option<(u64, u32)>,
}

impl Words {
    #[inline]
    fn place(&mut self, word: u64) -> Option<u32> {
        match self.last {
            Some((last, place)) if last == word => Some(place),
            _ => {
                let place = *self.places.get(&word)?;
                self.last = Some((word, place));
                Some(place)
            }
        }
    }
}

impl IdSet {
    /// Adds a key; returns whether it was there already.
    #[inline]
    pub(crate) fn insert(&mut self, key: Key) -> bool {
        let (space, id) = key.parts();
        let words = &mut self.words[space];
        let place = words.place(id >> 6).unwrap_or_else(|| {
            let place = u32::try_from(words.bits.len()).unwrap_or(u32::MAX);
            words.bits.push(0);
            words.places.insert(id >> 6, place);
            words.last = Some((id >> 6, place));
            place
        });
        let bits = &mut words.bits[place as usize];
        let before = *bits >> (id & 63) & 1 == 1;
        *bits |= 1 << (id & 63);
        before
    }

    /// Whether it has a key.
    #[inline]
    pub(crate) fn contains(&mut self, key: Key) -> bool {
        let (space, id) = key.parts();
        let words = &mut self.words[space];
        match words.place(id >> 6) {
            Some(place) => words.bits[place as usize] >> (id & 63) & 1 == 1,
            None => false,
        }
    }
}
