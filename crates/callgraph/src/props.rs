//! The properties of objects that somebody has asked for or given them.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::chains::{Chain, Chains};
use crate::ids::{Key, Node, Object, id};

/// The properties met so far.
#[derive(Debug)]
pub(crate) struct Props {
    nodes: FxHashMap<(Object, Key), Node>,
    /// The keys of each object.
    of_object: Vec<Chain>,
    keys: Chains<Key>,
    /// Whether an object has got a prototype, or something is stored in the one of a class or function.
    pub(crate) has_prototypes: bool,
}

impl Props {
    /// Of a program of so many instructions: what it will need is set aside at once, since each time that a table
    /// grows the old one stays in memory for a while.
    pub(crate) fn new(instructions: u32) -> Self {
        let count = 2 * instructions as usize / 5;
        Self {
            nodes: FxHashMap::with_capacity_and_hasher(count, FxBuildHasher),
            of_object: Vec::new(),
            keys: Chains::with_capacity(count),
            has_prototypes: false,
        }
    }

    /// The node of a property.
    pub(crate) fn get(&self, object: Object, key: Key) -> Option<Node> {
        self.nodes.get(&(object, key)).copied()
    }

    /// A property gets its node.
    pub(crate) fn insert(&mut self, object: Object, key: Key, node: Node) {
        self.nodes.insert((object, key), node);
        if self.of_object.len() <= object.index() {
            self.of_object.resize(object.index() + 1, Chain::EMPTY);
        }
        self.keys.push(&mut self.of_object[object.index()], key);
        self.has_prototypes |= key == Key::PROTO;
    }

    /// The keys of an object, in the order of their arrival.
    pub(crate) fn keys(&self, object: Object) -> SmallVec<[Key; 8]> {
        self.keys.get(self.of_object.get(object.index()).copied().unwrap_or(Chain::EMPTY))
    }

    /// All properties, object by object.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Object, Key)> + '_ {
        let objects = (0..id(self.of_object.len())).map(Object);
        objects.flat_map(|object| self.keys(object).into_iter().map(move |key| (object, key)))
    }
}
