//! The second look at a thread: follows what runs and what is registered, and tells the measures.

use rustc_hash::FxHashMap;

use crate::census::Census;
use crate::event::{Init, Key, Parent, Sink, Time};
use crate::measures::Measures;

/// The number of a node that is kept, in the arena.
pub(crate) type Slot = u32;

/// One run of a continuation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    /// How many began before it in its thread.
    pub(crate) ordinal: u64,
    pub(crate) begin: Time,
    /// When it ended, and how many had begun until then; `None` while it runs.
    pub(crate) end: Option<(Time, u64)>,
    /// When its parent, that one's parent and so on began, as far as no edge in between is recurring.
    pub(crate) ancestors: [Option<Time>; 3],
    /// Its tree, with recurring edges cut, and how many of that had begun when it ended.
    tree: u32,
    of_tree: u64,
    /// Whether it is one run of several, or may be.
    pub(crate) recurring: bool,
    pub(crate) microtask: bool,
    /// What it has registered that comes to run: what runs once, and all.
    pub(crate) children: Children,
    /// Time in which others ran inside it.
    pub(crate) nested: Time,
    /// Its place in the tree of all runs that are alike.
    pub(crate) merged: u32,
    pub(crate) kind: u32,
    pub(crate) site: Option<(u32, u64)>,
    /// Registrations that have not run for the last time, and whether it runs.
    kept: u32,
}

/// How many registrations of a node come to run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Children {
    pub(crate) once: u64,
    pub(crate) all: u64,
}

/// A registration that will still run.
#[derive(Clone, Copy)]
struct Edge {
    parent: Option<Slot>,
    remote: bool,
    left: u64,
    recurring: bool,
    microtask: bool,
    kind: u32,
    site: Option<(u32, u64)>,
}

/// A node with what leads to it, when it begins.
pub(crate) struct Begun<'a> {
    pub(crate) node: &'a Node,
    pub(crate) parent: Option<&'a Node>,
    pub(crate) remote: bool,
    /// Others of the thread that began since the parent ended, and those of another tree among them.
    pub(crate) between: u64,
    pub(crate) foreign: u64,
    /// Registrations of before that will run after it.
    pub(crate) live: u64,
    /// Registrations of before that never run.
    pub(crate) cancelled: u64,
}

#[derive(Default)]
struct Tree {
    begun: u64,
    nodes: u64,
}

/// Follows one thread.
pub(crate) struct Follow {
    census: Census,
    pub(crate) measures: Measures,
    nodes: Arena<Node>,
    trees: Arena<Tree>,
    edges: FxHashMap<Key, Edge>,
    stack: Vec<Slot>,
    begun: u64,
    live: u64,
    cancelled: u64,
}

/// A list whose free places are used again.
struct Arena<T> {
    items: Vec<T>,
    free: Vec<u32>,
}

impl<T: Default> Arena<T> {
    fn add(&mut self, item: T) -> u32 {
        if let Some(place) = self.free.pop() {
            self.items[place as usize] = item;
            return place;
        }
        self.items.push(item);
        u32::try_from(self.items.len() - 1).unwrap_or(u32::MAX)
    }

    fn remove(&mut self, place: u32) {
        self.items[place as usize] = T::default();
        self.free.push(place);
    }
}

impl Follow {
    pub(crate) fn new(census: Census) -> Self {
        Self {
            census,
            measures: Measures::default(),
            nodes: Arena { items: Vec::new(), free: Vec::new() },
            trees: Arena { items: Vec::new(), free: Vec::new() },
            edges: FxHashMap::default(),
            stack: Vec::new(),
            begun: 0,
            live: 0,
            cancelled: 0,
        }
    }

    /// The edge to a run that begins; it goes with its last one.
    fn take(&mut self, key: Key) -> Edge {
        let Some(edge) = self.edges.get_mut(&key) else {
            // It was registered before the recording, or where that is lost.
            return Edge {
                parent: None,
                remote: false,
                left: 0,
                recurring: self.census.runs(key) > 1,
                // Space 1 has nothing else.
                microtask: key.parts().0 == 1,
                kind: UNKNOWN,
                site: None,
            };
        };
        edge.left -= 1;
        let edge = *edge;
        if edge.left == 0 {
            self.live -= 1;
            self.edges.remove(&key);
        }
        edge
    }

    fn release(&mut self, slot: Slot) {
        let node = &mut self.nodes.items[slot as usize];
        node.kept -= 1;
        if node.kept > 0 {
            return;
        }
        let tree = node.tree;
        self.nodes.remove(slot);
        let nodes = &mut self.trees.items[tree as usize].nodes;
        *nodes -= 1;
        if *nodes == 0 {
            self.trees.remove(tree);
        }
    }

    /// A node for a run that begins, with the edge that leads to it.
    fn node(&mut self, edge: &Edge, time: Time) -> Node {
        let parent = edge.parent.map(|slot| &self.nodes.items[slot as usize]);
        // Each run of what recurs is a task of its own, such as a request of a server.
        let tree = match parent {
            Some(parent) if !edge.recurring => parent.tree,
            _ => self.trees.add(Tree::default()),
        };
        let ancestors = match parent {
            Some(parent) if !edge.recurring => {
                let [first, second, _] = parent.ancestors;
                [Some(parent.begin), first, second]
            }
            _ => [None; 3],
        };
        self.trees.items[tree as usize].nodes += 1;
        Node {
            ordinal: self.begun,
            begin: time,
            ancestors,
            tree,
            recurring: edge.recurring,
            microtask: edge.microtask,
            kind: edge.kind,
            site: edge.site,
            kept: 1,
            ..Node::default()
        }
    }
}

/// The type of what was registered before the recording.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Sink for Follow {
    fn init(&mut self, init: &Init) {
        let runs = self.census.runs(init.key);
        if runs == 0 {
            // Most promises are never reacted to, which cancels nothing.
            if !init.microtask {
                self.cancelled += 1;
            }
            return;
        }
        let recurring = init.recurring || runs > 1;
        let parent = match init.parent {
            Parent::Running => self.stack.last().copied(),
            Parent::Message | Parent::None => None,
        };
        if let Some(slot) = parent {
            let node = &mut self.nodes.items[slot as usize];
            node.kept += 1;
            node.children.all += 1;
            node.children.once += u64::from(!recurring);
        }
        self.live += 1;
        let edge = Edge {
            parent,
            remote: matches!(init.parent, Parent::Message),
            left: runs,
            recurring,
            microtask: init.microtask,
            kind: init.kind,
            site: init.site,
        };
        if let Some(before) = self.edges.insert(init.key, edge) {
            // Damaged files may use an id twice.
            self.live -= 1;
            if let Some(slot) = before.parent {
                self.release(slot);
            }
        }
    }

    fn begin(&mut self, key: Key, time: Time) {
        let edge = self.take(key);
        let mut node = self.node(&edge, time);
        let parent = edge.parent.map(|slot| &self.nodes.items[slot as usize]);
        let (between, foreign) = match parent {
            Some(Node { end: Some((_, begun)), of_tree, tree, .. }) => {
                let between = self.begun - begun;
                let of_tree = self.trees.items[*tree as usize].begun - of_tree;
                (between, between - of_tree)
            }
            _ => (0, 0),
        };
        node.merged = self.measures.begin(&Begun {
            node: &node,
            parent,
            remote: edge.remote,
            between,
            foreign,
            live: self.live,
            cancelled: self.cancelled,
        });
        self.begun += 1;
        self.trees.items[node.tree as usize].begun += 1;
        let slot = self.nodes.add(node);
        self.stack.push(slot);
        if let (0, Some(parent)) = (edge.left, edge.parent) {
            self.release(parent);
        }
    }

    fn end(&mut self, time: Time) {
        let Some(slot) = self.stack.pop() else {
            return;
        };
        let of_tree = {
            let node = &self.nodes.items[slot as usize];
            self.trees.items[node.tree as usize].begun
        };
        let node = &mut self.nodes.items[slot as usize];
        node.end = Some((time, self.begun));
        node.of_tree = of_tree;
        let spent = time.saturating_sub(node.begin);
        self.measures.end(node);
        if let Some(outer) = self.stack.last() {
            self.nodes.items[*outer as usize].nested += spent;
        }
        self.release(slot);
    }

    fn lost(&mut self) {
        // What runs ends here as far as anybody knows; it is not measured.
        while let Some(slot) = self.stack.pop() {
            self.release(slot);
        }
        self.measures.lost();
    }

    fn drain(&mut self, _of_last: bool) {
        self.measures.drain();
    }

    fn finish(&mut self) {
        self.measures.finish();
    }
}
