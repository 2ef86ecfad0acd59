//! The first look at a thread: which registrations come to run, and how often. What happens later decides what a
//! registration is, so this has to be known before anything is measured.

use rustc_hash::FxHashMap;

use crate::event::{Init, Key, Sink, Time};
use crate::id_set::IdSet;

/// Which registrations come to run.
#[derive(Debug, Default)]
pub(crate) struct Census {
    begun: IdSet,
    /// Those that run more than once: how often.
    again: FxHashMap<Key, u64>,
}

impl Census {
    /// How often a registration will have run at the end.
    #[inline]
    pub(crate) fn runs(&mut self, key: Key) -> u64 {
        if !self.begun.contains(key) {
            return 0;
        }
        self.again.get(&key).copied().unwrap_or(1)
    }
}

impl Sink for Census {
    fn init(&mut self, _: &Init) {}

    #[inline]
    fn begin(&mut self, key: Key, _: Time) {
        if self.begun.insert(key) {
            *self.again.entry(key).or_insert(1) += 1;
        }
    }

    fn end(&mut self, _: Time) {}
}
