//! The properties of objects that somebody has asked for or given them.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::ids::{Key, Node, Object, id};

const END: u32 = u32::MAX;

/// The keys of one object, in the order of their arrival.
pub(crate) type Keys = SmallVec<[Key; 8]>;

/// The properties met so far.
#[derive(Debug)]
pub(crate) struct Props {
    nodes: FxHashMap<(Object, Key), Node>,
    /// The last key of each object.
    last: Vec<u32>,
    /// All keys, each with the one before of the same object.
    keys: Vec<(Key, u32)>,
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
            last: Vec::new(),
            keys: Vec::with_capacity(count),
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
        if self.last.len() <= object.index() {
            self.last.resize(object.index() + 1, END);
        }
        let before = std::mem::replace(&mut self.last[object.index()], id(self.keys.len()));
        self.keys.push((key, before));
        self.has_prototypes |= key == Key::PROTO;
    }

    /// The keys of an object.
    pub(crate) fn keys(&self, object: Object) -> Keys {
        let mut next = self.last.get(object.index()).copied().unwrap_or(END);
        let mut keys = Keys::new();
        while let Some(&(key, before)) = self.keys.get(next as usize) {
            keys.push(key);
            next = before;
        }
        keys.reverse();
        keys
    }

    /// All properties, object by object.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Object, Key)> + '_ {
        let objects = (0..id(self.last.len())).map(Object);
        objects.flat_map(|object| self.keys(object).into_iter().map(move |key| (object, key)))
    }
}
