//! The trees of a thread with all that is alike made one.

use rustc_hash::FxHashMap;

use crate::event::Time;
use crate::follow::{Begun, Node};

/// The most nodes of the merged tree: what comes after that counts for its parent.
const LIMIT: usize = 20_000;

/// One node for all continuations of one type and place whose parents are one node.
pub(crate) struct Merged {
    pub(crate) nodes: Vec<MergedNode>,
    children: FxHashMap<(u32, u32, u32), u32>,
    /// Continuations that found no node of their own.
    pub(crate) folded: u64,
}

/// What a node of the merged tree stands for.
#[derive(Clone)]
pub(crate) struct MergedNode {
    pub(crate) parent: u32,
    pub(crate) kind: u32,
    /// The site, or `u32::MAX`.
    pub(crate) site: u32,
    pub(crate) runs: u64,
    pub(crate) ran: u128,
    pub(crate) waited: u128,
    pub(crate) interrupted: u64,
}

/// The node that has no continuation: what has no parent stands below it.
const ROOT: u32 = 0;

impl Default for Merged {
    fn default() -> Self {
        Self {
            nodes: vec![MergedNode::new(ROOT, u32::MAX, u32::MAX)],
            children: FxHashMap::default(),
            folded: 0,
        }
    }
}

impl MergedNode {
    fn new(parent: u32, kind: u32, site: u32) -> Self {
        Self { parent, kind, site, runs: 0, ran: 0, waited: 0, interrupted: 0 }
    }
}

impl Merged {
    pub(crate) fn begin(&mut self, begun: &Begun<'_>, gap: Option<Time>) -> u32 {
        let Begun { node, parent, .. } = begun;
        let parent = parent.map_or(ROOT, |it| it.merged);
        let site = node.site.map_or(u32::MAX, |(site, _)| site);
        let place = self.child(parent, node.kind, site);
        let merged = &mut self.nodes[place as usize];
        merged.runs += 1;
        merged.waited += u128::from(gap.unwrap_or(0));
        merged.interrupted += u64::from(gap.is_some() && begun.between > 0);
        place
    }

    fn child(&mut self, parent: u32, kind: u32, site: u32) -> u32 {
        // A chain of what is alike (a loop of awaits, a timer that sets itself again) is one node.
        let above = &self.nodes[parent as usize];
        if parent != ROOT && (above.kind, above.site) == (kind, site) {
            return parent;
        }
        if let Some(place) = self.children.get(&(parent, kind, site)) {
            return *place;
        }
        if self.nodes.len() >= LIMIT {
            self.folded += 1;
            return parent;
        }
        let place = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(MergedNode::new(parent, kind, site));
        self.children.insert((parent, kind, site), place);
        place
    }

    pub(crate) fn end(&mut self, node: &Node, end: Time) {
        let spent = end.saturating_sub(node.begin);
        self.nodes[node.merged as usize].ran += u128::from(spent);
    }
}
