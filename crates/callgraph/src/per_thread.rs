//! What threads remember, each for itself.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

thread_local! {
    static NUMBER: Cell<Option<usize>> = const { Cell::new(None) };
}

static THREADS: AtomicUsize = AtomicUsize::new(0);

/// The number of the thread that runs.
fn number() -> usize {
    NUMBER.with(|number| {
        let own = number.get().unwrap_or_else(|| THREADS.fetch_add(1, Ordering::Relaxed));
        number.set(Some(own));
        own
    })
}

/// A memory for each thread: what one has worked out, the others work out again, and none waits for
/// another. It only remembers what anybody would find out: where two threads get the same one, since
/// there are more than processors, each still gets what is right.
#[derive(Debug)]
pub struct PerThread<T> {
    slots: Box<[Mutex<T>]>,
}

impl<T: Default> Default for PerThread<T> {
    fn default() -> Self {
        let count = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { slots: (0..count).map(|_| Mutex::default()).collect() }
    }
}

impl<T> PerThread<T> {
    /// The memory of the thread that runs. To be given back before anything else is worked out.
    pub fn get(&self) -> MutexGuard<'_, T> {
        let slot = &self.slots[number() % self.slots.len()];
        slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
