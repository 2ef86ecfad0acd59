//! How many continuations one registers.

use serde::Serialize;

use crate::follow::Node;
use crate::histogram::Counts;

/// The registrations of each continuation that come to run.
#[derive(Default)]
pub(crate) struct Branching {
    once: Counts,
    recurring: Counts,
}

/// [`Branching`] to be printed: each number of children, and how many continuations have it.
#[derive(Debug, Clone, Serialize)]
pub struct BranchingReport {
    /// Of continuations that run once.
    pub once: Vec<(u64, u64)>,
    /// Of those that run several times.
    pub recurring: Vec<(u64, u64)>,
}

impl Branching {
    pub(crate) fn end(&mut self, node: &Node) {
        match node.recurring {
            false => self.once.add(node.children.all),
            true => self.recurring.add(node.children.all),
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        self.once.merge(&other.once);
        self.recurring.merge(&other.recurring);
    }

    pub(crate) fn report(&self) -> BranchingReport {
        BranchingReport { once: self.once.values(), recurring: self.recurring.values() }
    }
}
