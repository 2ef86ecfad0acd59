//! What is waited for at each place in the source.

use rustc_hash::FxHashMap;

use crate::event::Time;
use crate::follow::{Begun, Node};
use crate::histogram::Histogram;

/// The continuations that a place registers.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) sites: FxHashMap<(u32, u32), Place>,
}

/// What is known of one place and type; numbers of runs are weighed by how many registrations each sample stands for.
#[derive(Default, Clone)]
pub(crate) struct Place {
    /// Runs that were looked at.
    pub(crate) samples: u64,
    pub(crate) runs: u64,
    /// Runs after which a gap comes that something else interrupts, and those where it is of another tree.
    pub(crate) interrupted: u64,
    pub(crate) by_other_tree: u64,
    pub(crate) gaps: Histogram,
    /// From the begin of the parent to the end of the run.
    pub(crate) pairs: Histogram,
    pub(crate) waited: u128,
    pub(crate) ran: u128,
}

impl Places {
    fn of(&mut self, node: &Node) -> Option<(&mut Place, u64)> {
        let (site, weight) = node.site?;
        Some((self.sites.entry((site, node.kind)).or_default(), weight))
    }

    pub(crate) fn begin(&mut self, begun: &Begun<'_>, gap: Option<Time>) {
        let Some((place, weight)) = self.of(begun.node) else {
            return;
        };
        place.samples += 1;
        place.runs += weight;
        if let Some(gap) = gap {
            place.gaps.add_times(gap, weight);
            place.waited += u128::from(gap) * u128::from(weight);
            place.interrupted += weight * u64::from(begun.between > 0);
            place.by_other_tree += weight * u64::from(begun.foreign > 0);
        }
    }

    pub(crate) fn end(&mut self, node: &Node, end: Time) {
        let begin = node.begin;
        let pair = node.ancestors[0].map(|parent| end.saturating_sub(parent));
        let Some((place, weight)) = self.of(node) else {
            return;
        };
        place.ran += u128::from(end.saturating_sub(begin)) * u128::from(weight);
        if let Some(pair) = pair {
            place.pairs.add_times(pair, weight);
        }
    }
}

impl Place {
    /// Adds what another thread knows of the same place.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.samples += other.samples;
        self.runs += other.runs;
        self.interrupted += other.interrupted;
        self.by_other_tree += other.by_other_tree;
        self.gaps.merge(&other.gaps);
        self.pairs.merge(&other.pairs);
        self.waited += other.waited;
        self.ran += other.ran;
    }
}
