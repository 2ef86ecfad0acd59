//! How much else is registered while a continuation runs.

use serde::Serialize;

use crate::follow::Begun;
use crate::histogram::Counts;

/// For each continuation that runs once, the registrations of before that run after it.
#[derive(Default)]
pub(crate) struct Concurrency {
    live: Counts,
    cancelled: Counts,
}

/// [`Concurrency`] to be printed: each number of registrations, and how many continuations have it.
#[derive(Debug, Clone, Serialize)]
pub struct ConcurrencyReport {
    /// Registrations of before it that run after it.
    pub live: Vec<(u64, u64)>,
    /// The same with those, promises apart, that never run.
    #[serde(rename = "withCancelled")]
    pub with_cancelled: Vec<(u64, u64)>,
}

impl Concurrency {
    pub(crate) fn begin(&mut self, begun: &Begun<'_>) {
        if !begun.node.recurring {
            self.live.add(begun.live);
            self.cancelled.add(begun.live + begun.cancelled);
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.live.merge(&other.live);
        self.cancelled.merge(&other.cancelled);
    }

    pub(crate) fn report(&self) -> ConcurrencyReport {
        ConcurrencyReport { live: self.live.values(), with_cancelled: self.cancelled.values() }
    }
}
