//! The constraint graph: which objects each node may be, and what waits for more of them.
//!
//! Andersen's analysis by difference propagation: each node keeps its objects in the order of their
//! arrival, and how many of them its successors have seen.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::convert::Taken;
use crate::ids::{Key, Node, Object, SiteId, id};
use crate::sets::{List, Packed, Sets};

/// How many objects of one node are told apart. A node that may be more is widened: it is anything,
/// and what it may be is in unknown hands.
const MOST_OBJECTS: usize = 32;
/// How much work there may be for each instruction of the program before fewer objects of a node are
/// told apart: half as many, and again each time that the same work has been done once more. In the
/// end every node is anything, and what is left to do grows with the program.
const WORK_PER_INSTRUCTION: u64 = 10;
/// Programs with fewer instructions are bounded as if they had as many.
const LEAST_INSTRUCTIONS: u32 = 20_000;
/// How many nodes and edges there are for each instruction in programs of some size.
const NODES_PER_INSTRUCTION: usize = 3;
const EDGES_PER_INSTRUCTION: usize = 4;
/// How many words the objects of nodes with more than two take for each instruction.
const WORDS_PER_INSTRUCTION: usize = 8;
/// Above this many objects a set is looked up by hash: what is in unknown hands. Going over the others
/// takes no longer, and they need no second copy.
const SMALL: usize = MOST_OBJECTS;
const END: u32 = u32::MAX;

/// What happens with each object that arrives at a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Constraint {
    /// Its property goes to `to`. `origin` is the instruction that reads it.
    Load { key: Key, to: Node, origin: u32 },
    /// `from` goes to its property.
    Store { key: Key, from: Node, origin: u32 },
    /// As `Load`, from the prototype of the class that it is.
    LoadInherited { key: Key, to: Node, origin: u32 },
    /// As `LoadInherited`, of what the program itself declares, and a name of the heir stands in front of.
    LoadHidden { key: Key, to: Node, origin: u32 },
    /// As `Store`, to a setter of the class that it is.
    StoreInherited { key: Key, from: Node, origin: u32 },
    /// It is called.
    Call(SiteId),
    /// It is what a class extends: the class with this number.
    Extended(u32),
    /// It was written under a key that is not known, and may be read under any.
    Dynamic { to: Node },
    /// It was written under a key that is not known, and is read under another such.
    Computed { to: Node },
    /// As `Dynamic`, for who reads a name that a class or a literal declares.
    Replacing { to: Node },
    /// It is awaited.
    Await { to: Node },
    /// As `Store`, to setters that it has or inherits.
    StoreAccessor { key: Key, from: Node, origin: u32 },
    /// It is a getter of an object.
    Getter { to: Node, origin: u32 },
    /// As `Getter`, of an object that has it under a key that is not known.
    ComputedGetter { object: Object, to: Node, origin: u32 },
    /// It is a setter that a value goes to.
    Setter { from: Node, origin: u32 },
    /// As `Setter`, under a key that is not known.
    ComputedSetter { from: Node, origin: u32 },
    /// It is an accessor of something, and is called on it and on its heirs.
    Accessor { heirs: Node },
    /// An object inherits from it.
    Prototype { of: Object },
    /// What a node holds inherits from it.
    Inherit { heirs: Node },
    /// It is converted to a primitive.
    Convert { origin: u32 },
    /// It is converted to JSON, and all that it holds, or for an operation that sends it; what that
    /// calls goes to a node.
    Serialise { to: Node, by: Taken },
    /// It goes to a node, if it is known.
    PassKnown { to: Node },
    /// If it is known, it is called on an object, and goes to a node.
    CallKnown { on: Object, to: Node },
    /// What the node holds is too many to be told apart.
    Many { to: Node },
    /// What a static method of the platform makes that is called on each: instances of the class.
    Heir { to: Node },
    /// It is called, by what else takes care of its arguments.
    Run { origin: u32 },
    /// It is called, if it is known.
    RunKnown { origin: u32 },
    /// It is iterated; the element under a key, or any, goes to a node.
    Iterate { to: Node, key: Key, origin: u32 },
    /// It is what gives an object its iterator; that is what the node holds.
    IterateBy { object: Object, method: Node, origin: u32 },
    /// It is an array whose elements are moved.
    Mix,
    /// It is given to a member of a model as its options: what it holds may be called or kept.
    Options,
    /// It is kept on the global object.
    Keep,
    /// It is put on data from outside.
    PutOnData,
    /// `Promise.all` of it fulfils its promise with an array.
    All { array: Object, origin: u32 },
    /// What it holds goes to a node: the elements of an array, the values of a map.
    Held { to: Node, origin: u32 },
    /// What it holds goes to a node, if it is a list.
    Nested { to: Node },
    /// What it returns goes to a node if it is a generator, else whatever iterating it gives.
    Completed { to: Node },
    /// One of its methods is called whose name is not known.
    MethodByName(SiteId),
    /// It is handed to a call that calls it.
    HandedOver(SiteId),
    /// Its properties are copied to those of an object.
    CopyTo { target: Object, origin: u32 },
    /// It is what a native call is on: the call is looked at again for it.
    Receiver { site: SiteId, native: u32 },
}

impl Constraint {
    /// It is iterated, and whatever that gives goes to a node.
    pub(crate) fn iterate(to: Node, origin: u32) -> Self {
        Self::Iterate { to, key: Key::ELEMENT, origin }
    }
}

/// What is known of a node: as much as half a line of the cache holds, since there are millions of nodes, and they
/// are met in no order.
#[derive(Debug)]
#[repr(align(32))]
struct NodeData {
    objects: List,
    seen: u32,
    edges: u32,
    constraints: u32,
    /// The filter that what nobody knows passes through.
    filter: u32,
    is_queued: bool,
    is_widened: bool,
    /// Whether all that it may be is in unknown hands.
    is_given_away: bool,
}

/// What objects are, as far as annotations can tell them apart: sets of one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shapes(u8);

impl Shapes {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const STRING: Self = Self(1);
    pub(crate) const NUMBER: Self = Self(2);
    pub(crate) const BOOLEAN: Self = Self(4);
    pub(crate) const ARRAY: Self = Self(8);
    /// Data from outside: it may be each of them.
    pub(crate) const DATA: Self = Self(16);
    /// Objects that are certainly no arrays.
    pub(crate) const PLAIN: Self = Self(32);
    /// All the others; the instance of a class may be an array.
    pub(crate) const OTHER: Self = Self(64);
    /// Buffers, where the program makes no such objects of its own.
    pub(crate) const BYTES: Self = Self(128);
    pub(crate) const ALL: Self = Self(255);
    /// What has properties that the program sets.
    pub(crate) const HOLDING: Self = Self(8 | 32 | 64);

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What a value is, as far as an annotation says.
#[derive(Debug)]
pub(crate) struct Filter {
    /// What an unknown value is.
    pub(crate) objects: Vec<Object>,
    pub(crate) nodes: Vec<Node>,
    /// What a known value can be. Sets hold what the program never makes: an annotation `string`
    /// keeps objects out.
    pub(crate) shapes: Shapes,
}

impl Filter {
    /// One object; `shapes` can be known.
    pub(crate) fn one(object: Object, shapes: Shapes) -> Self {
        Self { objects: vec![object], nodes: Vec::new(), shapes }
    }

    /// No object is known of it.
    pub(crate) fn nothing() -> Self {
        Self { objects: Vec::new(), nodes: Vec::new(), shapes: Shapes::NONE }
    }

    /// What another one says, too: a union.
    pub(crate) fn or(&mut self, other: Self) {
        self.objects.extend(other.objects);
        self.nodes.extend(other.nodes);
        self.shapes = self.shapes.or(other.shapes);
    }
}

/// The graph.
#[derive(Debug)]
pub(crate) struct Flow {
    nodes: Vec<NodeData>,
    /// What the nodes hold.
    sets: Sets,
    /// The objects of the nodes that have more than [`SMALL`].
    large: FxHashMap<Node, FxHashSet<u32>>,
    edges: Vec<(Node, u32)>,
    constraints: Vec<(Constraint, u32)>,
    /// The nodes with objects that their successors have not seen. The last one is served first: what it is made of
    /// is in the cache still.
    unserved: Vec<Node>,
    filters: Vec<Filter>,
    /// The shape of each object that has been noted.
    shapes: Vec<Shapes>,
    /// The objects that stand for what nobody knows.
    unknown: FxHashSet<Object>,
    /// What stands for anything, and the node of what is in unknown hands.
    anything: Option<(Object, Node)>,
    /// What stands for anything of the type that a filter lets through. Nobody else sees it.
    narrowed: Option<Object>,
    /// The node of what members of models get as options.
    options: Node,
    /// How much has been done: nodes, edges and constraints made, objects handed on.
    work: u64,
    /// After how much work fewer objects of a node are told apart, and how much more each time.
    next_limit: u64,
    limit: u64,
    /// How many objects of one node are told apart.
    most_objects: usize,
    /// What the nodes hold, and those that are widened, once nothing flows any more.
    solved: Option<(Packed, FxHashSet<Node>)>,
}

impl Flow {
    /// The graph of a program with so many instructions. What it will need is set aside at once: what
    /// grows is copied again and again, and only what is written to takes memory.
    pub(crate) fn new(instructions: u32) -> Self {
        let instructions = instructions as usize;
        let mut flow = Self {
            nodes: Vec::with_capacity(NODES_PER_INSTRUCTION * instructions),
            sets: Sets::with_capacity(WORDS_PER_INSTRUCTION * instructions),
            large: FxHashMap::default(),
            edges: Vec::with_capacity(EDGES_PER_INSTRUCTION * instructions),
            constraints: Vec::with_capacity(instructions),
            unserved: Vec::new(),
            filters: vec![],
            shapes: vec![],
            unknown: FxHashSet::default(),
            anything: None,
            narrowed: None,
            options: Node::NONE,
            work: 0,
            next_limit: u64::MAX,
            limit: u64::MAX,
            most_objects: MOST_OBJECTS,
            solved: None,
        };
        flow.node();
        flow
    }

    pub(crate) fn node(&mut self) -> Node {
        self.note_work(1);
        self.nodes.push(NodeData {
            objects: List::EMPTY,
            seen: 0,
            edges: END,
            constraints: END,
            filter: END,
            is_queued: false,
            is_widened: false,
            is_given_away: false,
        });
        Node(id(self.nodes.len() - 1))
    }

    /// How much has been done: nodes, edges and constraints made, objects handed on.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Bounds the work by the size of the program.
    pub(crate) fn set_limit(&mut self, instructions: u32) {
        self.limit = WORK_PER_INSTRUCTION * u64::from(instructions.max(LEAST_INSTRUCTIONS));
        self.next_limit = self.limit;
    }

    /// Notes what has been done, and tells fewer objects apart where that is very much.
    pub(crate) fn note_work(&mut self, count: u64) {
        self.work += count;
        if self.work >= self.next_limit {
            self.next_limit = self.next_limit.saturating_add(self.limit);
            self.most_objects = (self.most_objects / 2).max(1);
        }
    }

    /// Puts the edges of each node behind one another, in the order in which they are followed.
    pub(crate) fn lay_out(&mut self) {
        let mut edges = Vec::with_capacity(self.edges.capacity());
        for node in &mut self.nodes {
            let mut edge = node.edges;
            if edge != END {
                node.edges = id(edges.len());
            }
            while let Some(&(to, next)) = self.edges.get(edge as usize) {
                edge = next;
                edges.push((to, if next == END { END } else { id(edges.len() + 1) }));
            }
        }
        self.edges = edges;
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.solved.as_ref().map_or(self.nodes.len(), |it| it.0.len())
    }

    /// Nothing flows any more: keeps what the nodes hold, and forgets by which ways it came there, which takes most of
    /// the memory. `asked` are the nodes of which somebody asks whether they are widened.
    pub(crate) fn finish(&mut self, asked: &[Node]) {
        self.edges = Vec::new();
        self.constraints = Vec::new();
        self.unserved = Vec::new();
        self.large = FxHashMap::default();
        self.filters = Vec::new();
        let widened = asked.iter().copied().filter(|&it| self.is_widened(it)).collect();
        let packed = Packed::new(&self.sets, self.nodes.iter().map(|it| &it.objects));
        self.nodes = Vec::new();
        self.sets = Sets::with_capacity(0);
        self.solved = Some((packed, widened));
    }

    /// Several nodes with consecutive numbers; the first.
    pub(crate) fn nodes(&mut self, count: u32) -> Node {
        let first = Node(id(self.nodes.len()));
        for _ in 0..count {
            self.node();
        }
        first
    }

    /// The numbers of the objects of a node, in the order of their arrival.
    fn all(&self, node: Node) -> &[u32] {
        match &self.solved {
            Some((packed, _)) => packed.get(node.index()),
            None => self.sets.get(&self.nodes[node.index()].objects),
        }
    }

    /// The objects that a node may be.
    pub(crate) fn objects(&self, node: Node) -> impl Iterator<Item = Object> + '_ {
        let objects = self.all(node).iter().copied().map(Object);
        objects.filter(|&it| !self.is_narrowed(it))
    }

    /// Whether a node may be an object.
    pub(crate) fn contains(&self, node: Node, object: Object) -> bool {
        self.all(node).contains(&object.0)
    }

    /// Whether a node may be more than is told apart.
    pub(crate) fn is_widened(&self, node: Node) -> bool {
        match &self.solved {
            Some((_, widened)) => widened.contains(&node),
            None => self.nodes[node.index()].is_widened,
        }
    }

    /// Whether an object stands for anything of a type.
    pub(crate) fn is_narrowed(&self, object: Object) -> bool {
        self.narrowed == Some(object)
    }

    pub(crate) fn is_empty(&self, node: Node) -> bool {
        self.objects(node).next().is_none()
    }

    pub(crate) fn add(&mut self, node: Node, object: Object) {
        if node.is_none() {
            return;
        }
        if let Some(filter) = self.filters.get(self.nodes[node.index()].filter as usize) {
            let shape = self.shape(object);
            let takes_objects = filter.shapes.and(Shapes::HOLDING) != Shapes::NONE;
            if self.anything.is_some_and(|it| it.0 == object) && takes_objects {
                self.narrow(node);
                return self.insert(node, self.narrowed);
            }
            if self.is_narrowed(object) {
                return if takes_objects {
                    self.insert(node, Some(object))
                };
            }
            if self.unknown.contains(&object)
                || shape == Shapes::DATA && filter.shapes.and(shape) == Shapes::NONE
            {
                return self.narrow(node);
            }
            if filter.shapes.and(shape) == Shapes::NONE {
                return;
            }
        }
        self.insert(node, Some(object));
    }

    fn insert(&mut self, node: Node, object: Option<Object>) {
        let Some(object) = object else { return };
        let data = &mut self.nodes[node.index()];
        if data.is_widened && Some(object) != self.anything.map(|it| it.0) {
            return self.give_away(object);
        }
        if data.objects.len() <= SMALL {
            if self.sets.get(&data.objects).contains(&object.0) {
                return;
            }
        } else if !self.large.entry(node).or_default().insert(object.0) {
            return;
        }
        self.sets.push(&mut data.objects, object.0);
        if data.objects.len() == SMALL + 1 {
            self.large.insert(node, self.sets.get(&data.objects).iter().copied().collect());
        }
        let is_full = data.objects.len() >= self.most_objects;
        if !data.is_queued {
            data.is_queued = true;
            self.unserved.push(node);
        }
        if is_full && !self.nodes[node.index()].is_widened {
            self.widen(node);
        }
    }

    /// Notes an object that stands for what nobody knows.
    pub(crate) fn note_unknown(&mut self, object: Object) {
        self.unknown.insert(object);
    }

    /// Notes what an object is.
    pub(crate) fn note_shape(&mut self, object: Object, shape: Shapes) {
        if self.shapes.len() <= object.index() {
            self.shapes.resize(object.index() + 1, Shapes::OTHER);
        }
        self.shapes[object.index()] = shape;
    }

    fn shape(&self, object: Object) -> Shapes {
        self.shapes.get(object.index()).copied().unwrap_or(Shapes::OTHER)
    }

    /// Lets what nobody knows be what `filter` says at a node.
    pub(crate) fn set_filter(&mut self, node: Node, filter: Filter) {
        if !node.is_none() {
            self.filters.push(filter);
            self.nodes[node.index()].filter = id(self.filters.len() - 1);
        }
    }

    /// Whether a node has a filter.
    pub(crate) fn has_filter(&self, node: Node) -> bool {
        !node.is_none() && self.nodes[node.index()].filter != END
    }

    /// Something unknown arrives at a node with a filter: what the filter says, once.
    fn narrow(&mut self, node: Node) {
        let filter = &mut self.filters[self.nodes[node.index()].filter as usize];
        let (objects, nodes) =
            (std::mem::take(&mut filter.objects), std::mem::take(&mut filter.nodes));
        for object in objects {
            self.add(node, object);
        }
        for from in nodes {
            self.edge(from, node);
        }
    }

    /// Says what stands for anything, itself and as far as an annotation lets it through, and which
    /// node takes what is in unknown hands; neither that nor the one of options is widened.
    pub(crate) fn set_anything(
        &mut self,
        object: Object,
        narrowed: Object,
        [escaped, options]: [Node; 2],
    ) {
        self.anything = Some((object, escaped));
        self.narrowed = Some(narrowed);
        self.options = options;
    }

    /// What stands for anything.
    pub(crate) fn anything(&self) -> Option<Object> {
        self.anything.map(|it| it.0)
    }

    fn give_away(&mut self, object: Object) {
        if let Some((_, escaped)) = self.anything {
            self.add(escaped, object);
        }
    }

    fn widen(&mut self, node: Node) {
        let Some((anything, escaped)) = self.anything else { return };
        if node == escaped || node == self.options {
            return;
        }
        self.nodes[node.index()].is_widened = true;
        for index in 0..self.nodes[node.index()].objects.len() {
            let object = Object(self.all(node)[index]);
            self.add(escaped, object);
        }
        self.add(node, anything);
    }

    /// Whatever `from` may be, `to` may be.
    pub(crate) fn edge(&mut self, from: Node, to: Node) {
        if from.is_none() || to.is_none() {
            return;
        }
        let to = self.taker(to);
        if from == to || self.is_known_taker(from, to) {
            return;
        }
        self.note_work(1);
        let head = self.nodes[from.index()].edges;
        self.edges.push((to, head));
        self.nodes[from.index()].edges = id(self.edges.len() - 1);
        // What the node's successors have seen, the new one has not.
        let seen = self.nodes[from.index()].seen as usize;
        for index in 0..seen {
            let object = Object(self.all(from)[index]);
            self.add(to, object);
        }
    }

    /// The node that takes what goes to `to`: one that is widened hands it on to unknown code.
    fn taker(&self, to: Node) -> Node {
        match self.anything {
            Some((_, escaped)) if self.nodes[to.index()].is_widened => escaped,
            _ => to,
        }
    }

    /// Whether an edge to unknown code is there already; notes it.
    fn is_known_taker(&mut self, from: Node, to: Node) -> bool {
        self.anything.is_some_and(|(_, escaped)| escaped == to)
            && std::mem::replace(&mut self.nodes[from.index()].is_given_away, true)
    }

    /// Attaches a constraint; returns the objects that it has to be applied to at once.
    pub(crate) fn constrain(&mut self, node: Node, constraint: Constraint) -> Vec<Object> {
        if node.is_none() {
            return Vec::new();
        }
        self.note_work(1);
        let data = &mut self.nodes[node.index()];
        self.constraints.push((constraint, data.constraints));
        data.constraints = id(self.constraints.len() - 1);
        let seen = data.seen as usize;
        self.sets.get(&data.objects)[..seen].iter().copied().map(Object).collect()
    }

    /// The next node with objects that its successors have not seen, and these objects; its plain
    /// edges are served already.
    pub(crate) fn next(&mut self) -> Option<(Node, SmallVec<[Object; 16]>)> {
        let node = self.unserved.pop()?;
        let data = &mut self.nodes[node.index()];
        data.is_queued = false;
        let seen = data.seen as usize;
        let fresh: SmallVec<[Object; 16]> =
            self.sets.get(&data.objects)[seen..].iter().copied().map(Object).collect();
        data.seen = id(data.objects.len());
        let mut edge = data.edges;
        let is_widened = data.is_widened;
        let mut is_given_away = false;
        while let Some(&(to, next)) = self.edges.get(edge as usize) {
            edge = next;
            self.note_work(1);
            if self.nodes[to.index()].is_widened {
                is_given_away = true;
                continue;
            }
            self.note_work(fresh.len() as u64);
            if self.nodes[to.index()].filter != END {
                fresh.iter().for_each(|&object| self.add(to, object));
                continue;
            }
            fresh.iter().for_each(|&object| self.insert(to, Some(object)));
        }
        // What goes to nodes that are widened is in unknown hands; what is widened itself is already.
        if let (true, false, Some((_, escaped))) = (is_given_away, is_widened, self.anything) {
            for &object in &fresh {
                self.add(escaped, object);
            }
        }
        Some((node, fresh))
    }

    /// The first constraint of a node, to be followed by [`Self::constraint`].
    pub(crate) fn first_constraint(&self, node: Node) -> u32 {
        self.nodes[node.index()].constraints
    }

    pub(crate) fn constraint(&self, index: u32) -> Option<(Constraint, u32)> {
        self.constraints.get(index as usize).copied()
    }
}
