//! How far a run has come, shared with whoever shows it or wants it stopped.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};

/// The stages of a run, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looking for source files.
    Finding,
    /// Reading, parsing and lowering.
    Parsing,
    /// Resolving imports and looking for findings.
    Analysing,
    /// Replacing files.
    Writing,
}

/// Counters that one thread writes and another may read at any time.
#[derive(Debug, Default)]
pub struct Progress {
    phase: AtomicU8,
    done: AtomicUsize,
    total: AtomicUsize,
    cancelled: AtomicBool,
}

impl Progress {
    /// Begins a phase of `total` steps.
    pub fn begin(&self, phase: Phase, total: usize) {
        self.phase.store(phase as u8, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// Counts one step.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The phase, the steps done and the steps in all.
    #[must_use]
    pub fn read(&self) -> (Phase, usize, usize) {
        let phase = match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Finding,
            1 => Phase::Parsing,
            2 => Phase::Analysing,
            _ => Phase::Writing,
        };
        (phase, self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Asks the run to stop before its next step.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// The flag that [`Self::cancel`] sets.
    #[must_use]
    pub fn cancelled(&self) -> &AtomicBool {
        &self.cancelled
    }

    /// Whether the run shall stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
