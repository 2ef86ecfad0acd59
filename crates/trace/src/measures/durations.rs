//! How long continuations run.

use serde::Serialize;

use crate::event::Time;
use crate::follow::Node;
use crate::histogram::{Curve, Histogram};

/// End minus begin of each continuation, and that without what others ran inside it.
#[derive(Default)]
pub(crate) struct Durations {
    once: Histogram,
    recurring: Histogram,
    own: Histogram,
}

/// [`Durations`] to be printed.
#[derive(Debug, Clone, Serialize)]
pub struct DurationReport {
    /// Of continuations that run once.
    pub once: Curve,
    /// Of those that run several times.
    pub recurring: Curve,
    /// Of all, without what others ran inside them.
    pub own: Curve,
}

impl Durations {
    pub(crate) fn end(&mut self, node: &Node, end: Time) {
        let spent = end - node.begin.min(end);
        match node.recurring {
            false => self.once.add(spent),
            true => self.recurring.add(spent),
        }
        self.own.add(spent.saturating_sub(node.nested));
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.once.merge(&other.once);
        self.recurring.merge(&other.recurring);
        self.own.merge(&other.own);
    }

    pub(crate) fn report(&self) -> DurationReport {
        DurationReport {
            once: self.once.curve(),
            recurring: self.recurring.curve(),
            own: self.own.curve(),
        }
    }
}
