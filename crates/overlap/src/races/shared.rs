//! Places that outlive a call, and that others may read and write while it waits: variables of functions around it,
//! properties of what they hold and of `this`, and what lists, maps and sets have in them.

use headstart_callgraph::InstRef;
use headstart_ir::{FileIr, Inst, InstId, Key, NameId, VarId};

use crate::unit::Scope;

/// Through how many names a value is followed.
const MOST_NAMES: usize = 8;

/// A place, as an access path from what outlives the call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    root: Root,
    /// The properties, outermost first.
    keys: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    Variable(VarId),
    This,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Name(NameId),
    /// What stands under a value in an object or a map; in a list or a set, or where nobody says, none.
    Element(Option<InstId>),
}

impl Place {
    fn then(mut self, step: Step) -> Self {
        self.keys.push(step);
        self
    }

    /// The variable that it starts at; none for `this`.
    pub(crate) fn variable(&self) -> Option<VarId> {
        match self.root {
            Root::Variable(var) => Some(var),
            Root::This => None,
        }
    }

    /// Whether it is all that a list or a set has in it.
    pub(crate) fn is_whole(&self) -> bool {
        matches!(self.keys.last(), Some(Step::Element(None)))
    }

    /// Whether two places are certainly one.
    pub(crate) fn is_same(&self, ir: &FileIr, other: &Self) -> bool {
        let is_same = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Element(Some(a)), Step::Element(Some(b))) => a == b || ir.are_alike(*a, *b),
            _ => a == b,
        };
        self.root == other.root
            && self.keys.len() == other.keys.len()
            && self.keys.iter().zip(&other.keys).all(is_same)
    }

    /// Whether another place is, or may be, this one or a part of it.
    pub(crate) fn has_part(&self, other: &Self) -> bool {
        let may_be = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Element(_), Step::Element(_)) => true,
            _ => a == b,
        };
        self.root == other.root
            && self.keys.len() <= other.keys.len()
            && self.keys.iter().zip(&other.keys).all(may_be)
    }
}

/// Finds them in one function.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a, 'p> {
    pub(crate) scope: Scope<'a, 'p>,
}

const ASKING: [&str; 11] = [
    "at",
    "every",
    "find",
    "findIndex",
    "findLast",
    "get",
    "has",
    "includes",
    "indexOf",
    "some",
    "keys",
];
const CHANGING: [&str; 10] =
    ["add", "clear", "delete", "pop", "push", "set", "shift", "sort", "splice", "unshift"];
const SIZES: [&str; 2] = ["length", "size"];

impl Shared<'_, '_> {
    fn ir(&self) -> &FileIr {
        self.scope.analysis.ir
    }

    /// The place that holds a value which is read at an instruction.
    fn place(&self, value: InstId, names: usize) -> Option<Place> {
        let ir = self.ir();
        if names == 0 {
            return None;
        }
        match ir.inst(value) {
            Inst::This => Some(Place { root: Root::This, keys: Vec::new() }),
            Inst::LoadVar(var) => {
                let variable = ir.variable(var);
                if variable.owner != self.scope.function {
                    return Some(Place { root: Root::Variable(var), keys: Vec::new() });
                }
                let value = ir.initial_value(var).filter(|_| variable.is_stable())?;
                // What it held is no place any more, what that holds is.
                self.place(value, names - 1)
            }
            Inst::Get { object, key } => {
                let step = self.step(object, key.get())?;
                Some(self.place(object, names - 1)?.then(step))
            }
            _ => None,
        }
    }

    fn step(&self, object: InstId, key: Key) -> Option<Step> {
        let ir = self.ir();
        match key {
            Key::Name(name) if SIZES.contains(&ir.name(name)) && self.is_collection(object) => {
                Some(Step::Element(None))
            }
            Key::Name(name) | Key::Private(name) => Some(Step::Name(name)),
            Key::Computed(value) => Some(Step::Element(Some(value))),
        }
    }

    fn is_collection(&self, object: InstId) -> bool {
        let at = InstRef { file: self.scope.at().file, inst: object };
        let graph = &self.scope.summaries.graph;
        graph.is_collection(at) || graph.is_array(at) || graph.may_be_map(at)
    }

    /// What a call does to a collection asks for, or changes.
    fn element(&self, call: InstId, methods: &[&str]) -> Option<Place> {
        let ir = self.ir();
        let (object, name) = ir.method_call(call)?;
        if !methods.contains(&name) || !self.is_collection(object) {
            return None;
        }
        let Inst::CallMethod { args, .. } = ir.inst(call) else { return None };
        let has_key = matches!(name, "get" | "has" | "set" | "delete" | "add");
        let key = ir.args(args).first().copied().filter(|_| has_key);
        Some(self.place(object, MOST_NAMES)?.then(Step::Element(key)))
    }

    /// The place that an instruction reads.
    pub(crate) fn read(&self, at: InstId) -> Option<Place> {
        match self.ir().inst(at) {
            Inst::LoadVar(var) if self.ir().variable(var).owner == self.scope.function => None,
            Inst::LoadVar(_) | Inst::Get { .. } => self.place(at, MOST_NAMES),
            Inst::Has { key, object } => {
                Some(self.place(object, MOST_NAMES)?.then(Step::Element(Some(key))))
            }
            Inst::CallMethod { .. } => self.element(at, &ASKING),
            _ => None,
        }
        .filter(|it| it.root != Root::This || !it.keys.is_empty())
    }

    /// The place that an instruction writes.
    pub(crate) fn written(&self, at: InstId) -> Option<Place> {
        match self.ir().inst(at) {
            Inst::StoreVar { var, .. } => {
                let is_shared = self.ir().variable(var).owner != self.scope.function;
                is_shared.then(|| Place { root: Root::Variable(var), keys: Vec::new() })
            }
            Inst::Set { object, key, .. } | Inst::Delete { object, key } => {
                let step = self.step(object, key.get())?;
                Some(self.place(object, MOST_NAMES)?.then(step))
            }
            Inst::CallMethod { .. } => self.element(at, &CHANGING),
            _ => None,
        }
    }
}
