//! How long it takes from the end of a continuation until what it has registered begins.

use serde::Serialize;

use crate::event::Time;
use crate::follow::Begun;
use crate::histogram::{Curve, Histogram};

/// Begin of a continuation minus the end of its parent.
#[derive(Default)]
pub(crate) struct Gaps {
    uninterrupted: Histogram,
    own_tree: Histogram,
    other_tree: Histogram,
    recurring: Histogram,
    inside: u64,
}

/// [`Gaps`] to be printed. What leads to a continuation that runs several times is only in `recurring`.
#[derive(Debug, Clone, Serialize)]
pub struct GapReport {
    /// No other continuation of the thread begins in between.
    pub uninterrupted: Curve,
    /// Only continuations of the same tree do.
    #[serde(rename = "interruptedByOwnTree")]
    pub own_tree: Curve,
    /// One of another tree does.
    #[serde(rename = "interruptedByOtherTree")]
    pub other_tree: Curve,
    /// The gaps before runs of what runs several times.
    pub recurring: Curve,
    /// How many begin before their parent has ended (negative gaps).
    pub inside: u64,
}

impl Gaps {
    /// Returns the gap, if there is one and something was really waited for: what recurs has been registered for good.
    pub(crate) fn begin(&mut self, begun: &Begun<'_>) -> Option<Time> {
        let parent = begun.parent?;
        let Some((end, _)) = parent.end else {
            self.inside += 1;
            return None;
        };
        let gap = begun.node.begin.saturating_sub(end);
        let curve = match begun {
            _ if begun.node.recurring => &mut self.recurring,
            Begun { between: 0, .. } => &mut self.uninterrupted,
            Begun { foreign: 0, .. } => &mut self.own_tree,
            _ => &mut self.other_tree,
        };
        curve.add(gap);
        (!begun.node.recurring).then_some(gap)
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.uninterrupted.merge(&other.uninterrupted);
        self.own_tree.merge(&other.own_tree);
        self.other_tree.merge(&other.other_tree);
        self.recurring.merge(&other.recurring);
        self.inside += other.inside;
    }

    pub(crate) fn report(&self) -> GapReport {
        GapReport {
            uninterrupted: self.uninterrupted.curve(),
            own_tree: self.own_tree.curve(),
            other_tree: self.other_tree.curve(),
            recurring: self.recurring.curve(),
            inside: self.inside,
        }
    }
}
