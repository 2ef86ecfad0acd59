//! How long chains of continuations take.

use serde::Serialize;

use crate::event::Time;
use crate::follow::Node;
use crate::histogram::{Curve, Histogram};

/// From the begin of the first of two, three and four continuations, each registered by the one before it, to the end
/// of the last. No edge is recurring.
#[derive(Default)]
pub(crate) struct Chains {
    by_length: [Histogram; 3],
}

/// [`Chains`] to be printed.
#[derive(Debug, Clone, Serialize)]
pub struct ChainReport {
    /// Continuations in the chain.
    pub length: usize,
    /// How long such chains take.
    pub time: Curve,
}

impl Chains {
    pub(crate) fn end(&mut self, node: &Node, end: Time) {
        for (curve, begin) in self.by_length.iter_mut().zip(node.ancestors) {
            match begin {
                Some(begin) => curve.add(end.saturating_sub(begin)),
                None => return,
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        for (curve, more) in self.by_length.iter_mut().zip(&other.by_length) {
            curve.merge(more);
        }
    }

    pub(crate) fn report(&self) -> Vec<ChainReport> {
        let numbered = (2..).zip(&self.by_length);
        numbered.map(|(length, curve)| ChainReport { length, time: curve.curve() }).collect()
    }
}
