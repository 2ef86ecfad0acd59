//! What threads remember together.

use std::hash::{BuildHasher, Hash};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxBuildHasher;

/// So many that threads seldom meet.
const PARTS: usize = 64;

/// A memory of all threads, in parts by what is asked for: what one has worked out, the others do not work
/// out again. It only remembers what anybody would find out.
#[derive(Debug)]
pub struct Shared<T> {
    parts: Box<[Mutex<T>]>,
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| Mutex::default()).collect() }
    }
}

impl<T> Shared<T> {
    /// The part that remembers something. To be given back before anything else is worked out.
    pub fn part(&self, of: &impl Hash) -> MutexGuard<'_, T> {
        // The upper bits are those that differ (`rustc_hash`).
        let hash = FxBuildHasher.hash_one(of).rotate_left(6);
        let part = &self.parts[usize::try_from(hash % PARTS as u64).unwrap_or_default()];
        part.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
