//! Reads of properties: what an object has under a key, its own or inherited, is worked out once for
//! all who read it. So is what reading it runs.
//!
//! What reads is an instruction or, in turn, such a reading: then the functions that run go to a node,
//! and on to whoever reads.

use headstart_ir::MemberKind;
use rustc_hash::FxHashMap;

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
    /// The functions that reading it runs; none where it can run none.
    pub(crate) runs: Node,
}

/// All readings.
#[derive(Debug)]
pub(crate) struct Readings {
    known: FxHashMap<(Object, Key), Reading>,
    /// Where the functions go that what is numbered beyond all instructions runs.
    runs: Vec<Node>,
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
            at: FxHashMap::default(),
            insts,
            getters: rustc_hash::FxHashSet::default(),
        }
    }

    pub(crate) fn note_getter(&mut self, key: Key) {
        self.getters.insert(key);
    }

    /// A number for what runs functions and is no instruction.
    pub(crate) fn number(&mut self, runs: Node) -> u32 {
        self.runs.push(runs);
        self.insts.saturating_add(id(self.runs.len() - 1))
    }

    /// Where the functions go that are run by what is no instruction.
    fn runs_of(&self, origin: u32) -> Option<Node> {
        let index = origin.checked_sub(self.insts).filter(|_| origin != u32::MAX)?;
        self.runs.get(index as usize).copied()
    }
}

impl Solver<'_> {
    /// What reading a key of an object gives, and runs.
    pub(crate) fn reading(&mut self, object: Object, key: Key) -> Reading {
        if let Some(&known) = self.readings.known.get(&(object, key)) {
            return known;
        }
        let value = self.flow.node();
        let runs = if self.may_run(key) { self.flow.node() } else { Node::NONE };
        let reading = Reading { value, runs };
        // Prototypes may run in circles.
        self.readings.known.insert((object, key), reading);
        let origin = self.readings.number(runs);
        self.load_of_object(object, key, value, origin);
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
        let (to, origin) = (reading.value, self.readings.number(reading.runs));
        self.constrain(getters, Constraint::ComputedGetter { object, to, origin });
        reading
    }

    /// A reading that gives and runs nothing so far.
    pub(crate) fn new_reading(&mut self) -> Reading {
        Reading { value: self.flow.node(), runs: self.flow.node() }
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
        self.runs(reading.runs, origin);
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
        let known =
            self.readings.runs_of(origin).or_else(|| self.readings.at.get(&origin).copied());
        known.unwrap_or_else(|| {
            let node = self.flow.node();
            self.readings.at.insert(origin, node);
            self.constrain(node, Constraint::RunKnown { origin });
            node
        })
    }

    /// A function is called at an instruction, or by what is none.
    pub(crate) fn record(&mut self, origin: u32, function: u32, is_callback: bool) {
        self.reached[function as usize] = true;
        match self.readings.runs_of(origin) {
            Some(runs) => self.give(runs, Kind::Function(function)),
            None => {
                self.edges.insert(Edge { origin, function, is_callback });
            }
        }
    }

    /// More is called than is followed.
    pub(crate) fn note_too_many(&mut self, origin: u32) {
        match self.readings.runs_of(origin) {
            Some(runs) => self.give_unknown(runs, Cause::TooMany),
            None => {
                self.too_many.insert(origin);
            }
        }
    }

    /// The instruction that calls of an accessor belong to: where it is none, what the accessor is
    /// goes to those who read.
    pub(crate) fn origin_of_accessor(&mut self, accessor: Object, origin: u32) -> u32 {
        match self.readings.runs_of(origin) {
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
