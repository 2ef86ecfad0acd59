//! How many microtasks run one after the other, and how long that takes.

use serde::Serialize;

use crate::event::Time;
use crate::follow::Node;
use crate::histogram::{Counts, Curve, Histogram};

/// Microtasks that run with nothing of the host in between, each time as many as there are.
#[derive(Default)]
pub(crate) struct Batches {
    time: Histogram,
    size: Counts,
    open: Option<Batch>,
    /// Microtasks that run now, and whatever runs inside them.
    depth: u32,
}

struct Batch {
    begin: Time,
    end: Time,
    size: u64,
}

/// [`Batches`] to be printed.
#[derive(Debug, Clone, Serialize)]
pub struct BatchReport {
    /// From the begin of the first microtask to the end of the last.
    pub time: Curve,
    /// Each number of microtasks, and how many batches have it.
    pub size: Vec<(u64, u64)>,
}

impl Batches {
    pub(crate) fn begin(&mut self, node: &Node) {
        if self.depth > 0 || node.microtask {
            self.depth += 1;
        }
        // What runs inside a microtask is a part of it.
        if self.depth > 1 {
            return;
        }
        if !node.microtask {
            self.close();
            return;
        }
        let batch = self.open.get_or_insert(Batch { begin: node.begin, end: node.begin, size: 0 });
        batch.size += 1;
    }

    pub(crate) fn end(&mut self, _: &Node, end: Time) {
        if self.depth == 0 {
            self.close();
            return;
        }
        self.depth -= 1;
        if let (0, Some(batch)) = (self.depth, &mut self.open) {
            batch.end = end;
        }
    }

    /// What comes next belongs to another batch.
    pub(crate) fn close(&mut self) {
        if self.depth > 0 {
            return;
        }
        if let Some(batch) = self.open.take() {
            self.time.add(batch.end.saturating_sub(batch.begin));
            self.size.add(batch.size);
        }
    }

    /// Nothing is known of what runs any more.
    pub(crate) fn reset(&mut self) {
        self.depth = 0;
        self.open = None;
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.merge_times(other);
        self.merge_sizes(other);
    }

    /// Adds how long the batches of another thread are, but not how large.
    pub(crate) fn merge_times(&mut self, other: &Self) {
        self.time.merge(&other.time);
    }

    /// Adds how large the batches of another thread are, but not how long.
    pub(crate) fn merge_sizes(&mut self, other: &Self) {
        self.size.merge(&other.size);
    }

    pub(crate) fn report(&self) -> BatchReport {
        BatchReport { time: self.time.curve(), size: self.size.values() }
    }
}
