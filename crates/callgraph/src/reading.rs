//! Reads of properties: what an object has under a key, its own or inherited, is worked out once for
//! all who read it. So is what reading it runs.
//!
//! What reads is an instruction or, in turn, such a reading: then the functions that run go to a node,
//! and on to whoever reads.

use headstart_ir::MemberKind;
use rustc_hash::FxHashMap;

use crate::chains::{Chain, Chains};
use crate::flow::Constraint;
use crate::ids::{Key, Node, Object, id};
use crate::object::{Cause, Kind};
use crate::site::Edge;
use crate::solver::Solver;

/// What reading a key of an object gives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// What may be there.
    pub(crate) value: Node,
    /// What it runs.
    pub(crate) runs: RunsId,
}

/// Where the functions go that something runs that is no instruction: its number behind those of all instructions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunsId(pub(crate) u32);

/// The functions that something runs. Hardly ever there are any: until there are, they have no node.
#[derive(Clone, Copy, Debug)]
enum Runs {
    /// None at all.
    Never,
    /// None so far; who runs them in turn waits.
    Later(Chain),
    /// Those that a node holds.
    Now(Node),
}

/// All readings.
#[derive(Debug)]
pub(crate) struct Readings {
    known: FxHashMap<(Object, Key), Reading>,
    /// What that runs which is numbered beyond all instructions.
    runs: Vec<Runs>,
    /// Who runs that in turn.
    waiting: Chains<u32>,
    /// Where those go that an instruction runs.
    at: FxHashMap<u32, Node>,
    /// How many instructions there are.
    insts: u32,
    /// The keys that getters stand under.
    getters: rustc_hash::FxHashSet<Key>,
}

impl Readings {
    pub(crate) fn new(insts: u32) -> Self {
        Self {
            known: FxHashMap::default(),
            runs: Vec::new(),
            waiting: Chains::with_capacity(0),
            at: FxHashMap::default(),
            insts,
            getters: rustc_hash::FxHashSet::default(),
        }
    }

    pub(crate) fn note_getter(&mut self, key: Key) {
        self.getters.insert(key);
    }

    /// A number for what runs the functions in a node and is no instruction.
    pub(crate) fn number(&mut self, node: Node) -> u32 {
        self.push(Runs::Now(node)).0
    }

    fn push(&mut self, runs: Runs) -> RunsId {
        self.runs.push(runs);
        RunsId(self.insts.saturating_add(id(self.runs.len() - 1)))
    }

    /// What may run functions, and is no instruction.
    pub(crate) fn later(&mut self) -> RunsId {
        self.push(Runs::Later(Chain::EMPTY))
    }

    /// The index of what is no instruction.
    fn index(&self, origin: u32) -> Option<usize> {
        let index = origin.checked_sub(self.insts).filter(|_| origin != u32::MAX)?;
        Some(index as usize).filter(|&it| it < self.runs.len())
    }
}

impl Solver<'_> {
    /// What reading a key of an object gives, and runs.
    pub(crate) fn reading(&mut self, object: Object, key: Key) -> Reading {
        if let Some(&known) = self.readings.known.get(&(object, key)) {
            return known;
        }
        let value = self.flow.node();
        let may_run = self.may_run(key);
        let runs = if may_run { self.readings.later() } else { self.readings.push(Runs::Never) };
        let reading = Reading { value, runs };
        // Prototypes may run in circles.
        self.readings.known.insert((object, key), reading);
        self.load_of_object(object, key, value, runs.0);
        reading
    }

    /// What reading by name gives and runs of the getters that an object has under computed keys.
    pub(crate) fn computed_getters(&mut self, object: Object, getters: Node) -> Reading {
        let key = Key::DYNAMIC.getter();
        if let Some(&known) = self.readings.known.get(&(object, key)) {
            return known;
        }
        let reading = self.new_reading();
        self.readings.known.insert((object, key), reading);
        let (to, origin) = (reading.value, reading.runs.0);
        self.constrain(getters, Constraint::ComputedGetter { object, to, origin });
        reading
    }

    /// A reading that gives and runs nothing so far.
    pub(crate) fn new_reading(&mut self) -> Reading {
        Reading { value: self.flow.node(), runs: self.readings.later() }
    }

    /// Whether a read under a key may run a getter of the program.
    fn may_run(&self, key: Key) -> bool {
        let getters = &self.readings.getters;
        getters.contains(&key)
            || getters.contains(&Key::DYNAMIC)
            || (key == Key::DYNAMIC && !getters.is_empty())
    }

    /// An instruction reads.
    pub(crate) fn read(&mut self, reading: Reading, to: Node, origin: u32) {
        self.flow.edge(reading.value, to);
        self.runs_what(reading.runs, origin);
    }

    /// An instruction, or what is none, runs what something else does.
    pub(crate) fn runs_what(&mut self, runs: RunsId, origin: u32) {
        let Some(index) = self.readings.index(runs.0).filter(|_| origin != u32::MAX) else {
            return;
        };
        match &mut self.readings.runs[index] {
            Runs::Never => {}
            Runs::Later(waiting) => self.readings.waiting.push(waiting, origin),
            &mut Runs::Now(node) => self.runs(node, origin),
        }
    }

    /// An instruction runs the functions that a node holds.
    pub(crate) fn runs(&mut self, from: Node, origin: u32) {
        if !from.is_none() {
            let to = self.runs_at(origin);
            self.flow.edge(from, to);
        }
    }

    /// Where the functions go that an instruction runs, or what is none; nowhere where nobody asks.
    pub(crate) fn runs_at(&mut self, origin: u32) -> Node {
        if origin == u32::MAX {
            return Node::NONE;
        }
        let known = self.runs_of(origin).or_else(|| self.readings.at.get(&origin).copied());
        known.unwrap_or_else(|| {
            let node = self.flow.node();
            self.readings.at.insert(origin, node);
            self.constrain(node, Constraint::RunKnown { origin });
            node
        })
    }

    /// Where the functions go that are run by what is no instruction.
    fn runs_of(&mut self, origin: u32) -> Option<Node> {
        let index = self.readings.index(origin)?;
        let waiting = match self.readings.runs[index] {
            Runs::Never => return Some(Node::NONE),
            Runs::Now(node) => return Some(node),
            Runs::Later(waiting) => waiting,
        };
        let node = self.flow.node();
        self.readings.runs[index] = Runs::Now(node);
        for by in self.readings.waiting.get(waiting) {
            self.runs(node, by);
        }
        Some(node)
    }

    /// A function is called at an instruction, or by what is none.
    pub(crate) fn record(&mut self, origin: u32, function: u32, is_callback: bool) {
        self.reached[function as usize] = true;
        match self.runs_of(origin) {
            Some(runs) => self.give(runs, Kind::Function(function)),
            None => {
                self.edges.insert(Edge { origin, function, is_callback });
            }
        }
    }

    /// More is called than is followed.
    pub(crate) fn note_too_many(&mut self, origin: u32) {
        match self.runs_of(origin) {
            Some(runs) => self.give_unknown(runs, Cause::TooMany),
            None => {
                self.too_many.insert(origin);
            }
        }
    }

    /// The instruction that calls of an accessor belong to: where it is none, what the accessor is
    /// goes to those who read.
    pub(crate) fn origin_of_accessor(&mut self, accessor: Object, origin: u32) -> u32 {
        match self.runs_of(origin) {
            Some(runs) => {
                self.flow.add(runs, accessor);
                u32::MAX
            }
            None => origin,
        }
    }

    /// An instruction calls a function that is known; what nobody knows is none of it.
    pub(crate) fn run_known(&mut self, object: Object, origin: u32) {
        match self.objects.kind(object) {
            Kind::Function(function) => self.record(origin, function, true),
            Kind::Member(member) | Kind::Promisified(member) => {
                self.modelled.insert((origin, member));
            }
            Kind::Unknown(Cause::TooMany)
            | Kind::Class(_)
            | Kind::Bound(_)
            | Kind::PromisifiedFunction(_) => self.note_too_many(origin),
            _ => {}
        }
    }

    /// Notes under which keys reading may run getters.
    pub(crate) fn note_getters(&mut self) {
        let of_classes = self.class_members.iter().flat_map(|(&(_, key, _), members)| {
            let is_getter = members.iter().any(|it| it.0 == MemberKind::Getter);
            (is_getter && key != Key::DYNAMIC).then_some(key)
        });
        let keys: Vec<Key> = of_classes.chain(self.defined.iter().copied()).collect();
        for key in keys {
            self.readings.note_getter(key);
        }
    }
}
