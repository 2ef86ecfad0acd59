//! Properties that nobody has given an object so far. Most that are asked for never come: who asks for one waits here,
//! in less space than a node takes.

use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::chains::{Chain, Chains};
use crate::flow::Constraint;
use crate::ids::{Key, Node, Object};
use crate::solver::Solver;

/// What happens once a property has got its node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Awaiting {
    /// What it holds goes to a node.
    Edge(Node),
    /// Something happens with each object that it holds.
    Constraint(Constraint),
    /// What the getters in it give goes to a node: they stand under a computed key, and are read by name.
    Getters { to: Node, origin: u32 },
    /// The setters in it are called with a value: they stand under a computed key, and it is stored by name.
    Setters { from: Node, origin: u32 },
}

/// Those who wait for each property.
#[derive(Debug)]
struct Waiting<T> {
    of: FxHashMap<(Object, Key), Chain>,
    all: Chains<T>,
}

impl<T: Copy> Waiting<T> {
    fn new(count: usize) -> Self {
        let of = FxHashMap::with_capacity_and_hasher(count / 2, FxBuildHasher);
        Self { of, all: Chains::with_capacity(count) }
    }

    fn push(&mut self, of: (Object, Key), waiting: T) {
        self.all.push(self.of.entry(of).or_insert(Chain::EMPTY), waiting);
    }

    /// Those who wait for a property, the first one first. Nobody waits for it any more.
    fn take(&mut self, of: (Object, Key)) -> SmallVec<[T; 8]> {
        self.all.get(self.of.remove(&of).unwrap_or(Chain::EMPTY))
    }
}

/// Who waits for properties. Nearly all are nodes that take what will be there, and stand by themselves: that is less
/// than half as much.
#[derive(Debug)]
pub(crate) struct Absent {
    nodes: Waiting<Node>,
    others: Waiting<Awaiting>,
}

impl Absent {
    /// For a program of so many instructions.
    pub(crate) fn new(instructions: u32) -> Self {
        let count = instructions as usize / 2;
        Self { nodes: Waiting::new(count), others: Waiting::new(count / 8) }
    }

    /// Whether somebody waits for what a property will hold.
    pub(crate) fn is_awaited(&self, object: Object, key: Key) -> bool {
        self.nodes.of.contains_key(&(object, key))
    }
}

impl Solver<'_> {
    /// Does something with a property of an object, now or once it has one.
    pub(crate) fn when_there(&mut self, object: Object, key: Key, awaiting: Awaiting) {
        match self.existing_prop(object, key) {
            Some(node) => self.meet(object, node, awaiting),
            None => match awaiting {
                Awaiting::Edge(to) => self.absent.nodes.push((object, key), to),
                other => self.absent.others.push((object, key), other),
            },
        }
    }

    /// A property of an object has got its node: those who wait for it go on.
    pub(crate) fn connect_awaiting(&mut self, object: Object, key: Key, node: Node) {
        for to in self.absent.nodes.take((object, key)) {
            self.flow.edge(node, to);
        }
        for awaiting in self.absent.others.take((object, key)) {
            self.meet(object, node, awaiting);
        }
    }

    fn meet(&mut self, object: Object, node: Node, awaiting: Awaiting) {
        match awaiting {
            Awaiting::Edge(to) => self.flow.edge(node, to),
            Awaiting::Constraint(constraint) => self.constrain(node, constraint),
            Awaiting::Getters { to, origin } => {
                let reading = self.computed_getters(object, node);
                self.read(reading, to, origin);
            }
            Awaiting::Setters { from, origin } => {
                let setting = self.computed_setters(object, node);
                self.store_by(setting, from, origin);
            }
        }
    }
}
