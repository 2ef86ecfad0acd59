//! What is measured of a thread, one measure a file. Definitions: docs/trace.md, section 2 of the paper.

mod batches;
mod branching;
mod chains;
mod concurrency;
mod durations;
mod gaps;
mod merged;
mod places;
mod subtrees;

pub(crate) use batches::{BatchReport, Batches};
pub(crate) use branching::{Branching, BranchingReport};
pub(crate) use chains::{ChainReport, Chains};
pub(crate) use concurrency::{Concurrency, ConcurrencyReport};
pub(crate) use durations::{DurationReport, Durations};
pub(crate) use gaps::{GapReport, Gaps};
pub(crate) use merged::{Merged, MergedNode};
pub(crate) use places::{Place, Places};
pub(crate) use subtrees::{Shapes, Subtrees};

use crate::follow::{Begun, Node};

/// All measures of one view of a thread.
#[derive(Default)]
pub(crate) struct Measures {
    pub(crate) durations: Durations,
    pub(crate) branching: Branching,
    pub(crate) gaps: Gaps,
    pub(crate) chains: Chains,
    pub(crate) concurrency: Concurrency,
    pub(crate) batches: Batches,
    pub(crate) subtrees: Subtrees,
    pub(crate) places: Places,
    pub(crate) merged: Merged,
    pub(crate) continuations: u64,
    pub(crate) roots: u64,
    pub(crate) remote: u64,
}

impl Measures {
    /// A continuation begins; returns its place in the merged tree.
    pub(crate) fn begin(&mut self, begun: &Begun<'_>) -> u32 {
        self.continuations += 1;
        match begun.parent {
            None if begun.remote => self.remote += 1,
            None => self.roots += 1,
            Some(_) => (),
        }
        let gap = self.gaps.begin(begun);
        self.concurrency.begin(begun);
        self.batches.begin(begun.node);
        self.subtrees.begin(begun);
        self.places.begin(begun, gap);
        self.merged.begin(begun, gap)
    }

    /// A continuation has ended.
    pub(crate) fn end(&mut self, node: &Node) {
        let Some((end, _)) = node.end else {
            return;
        };
        self.durations.end(node, end);
        self.branching.end(node);
        self.chains.end(node, end);
        self.batches.end(node, end);
        self.subtrees.end(node, end);
        self.places.end(node, end);
        self.merged.end(node, end);
    }

    /// A microtask checkpoint begins.
    pub(crate) fn drain(&mut self) {
        self.batches.close();
    }

    /// Events are missing.
    pub(crate) fn lost(&mut self) {
        self.batches.reset();
    }

    /// There are no more events.
    pub(crate) fn finish(&mut self) {
        self.batches.close();
        self.subtrees.finish();
    }

    /// Adds what another thread has, but for its times.
    pub(crate) fn merge_untimed(&mut self, other: &Self) {
        self.branching.merge(&other.branching);
        self.concurrency.merge(&other.concurrency);
        self.batches.merge_sizes(&other.batches);
        self.continuations += other.continuations;
        self.roots += other.roots;
        self.remote += other.remote;
    }

    /// Adds what another thread has.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.durations.merge(&other.durations);
        self.branching.merge(&other.branching);
        self.gaps.merge(&other.gaps);
        self.chains.merge(&other.chains);
        self.concurrency.merge(&other.concurrency);
        self.batches.merge(&other.batches);
        self.subtrees.merge(&other.subtrees);
        self.continuations += other.continuations;
        self.roots += other.roots;
        self.remote += other.remote;
    }
}
