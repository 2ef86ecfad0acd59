//! What code sets up behind a function that it has started: `const p = main(); const DEFAULTS = { … }`. A variable
//! gets its first value, an object a method, while the function waits for the first time; what it does then finds
//! them, and would not if it did that earlier (the contract, S4).

use std::cell::{OnceCell, RefCell};

use headstart_callgraph::{FunctionRef, InstRef, PathKey};
use headstart_ir::{FileIr, Inst, InstId, VarId};
use rustc_hash::FxHashSet;

use super::Summaries;
use crate::bent::is_prototype;

/// How many functions are looked through for what some code uses, or sets up; of more, it may be anything.
const MOST_FUNCTIONS: usize = 4000;

/// The variables that some code reads, and the names under which it looks for methods, itself or in what it calls.
#[derive(Debug, Default)]
struct Names {
    variables: FxHashSet<(u32, VarId)>,
    keys: FxHashSet<PathKey>,
    /// The names under which it looks for anything: what has a prototype has what that has.
    inherited: FxHashSet<PathKey>,
    /// Whether there is more than was looked at.
    is_open: bool,
}

/// What the instructions from `first` up to `end` of a function use, once somebody has asked.
#[derive(Debug)]
pub(super) struct Used<'a, 'p> {
    all: &'a Summaries<'p>,
    file: u32,
    first: InstId,
    end: InstId,
    names: OnceCell<Names>,
    /// The functions that set up nothing of it.
    seen: RefCell<FxHashSet<FunctionRef>>,
}

impl<'a, 'p> Used<'a, 'p> {
    pub(super) fn new(
        all: &'a Summaries<'p>,
        function: FunctionRef,
        (first, end): (InstId, InstId),
    ) -> Self {
        let (names, seen) = (OnceCell::new(), RefCell::default());
        Self { all, file: function.file, first, end, names, seen }
    }

    /// Whether an instruction, or what it calls, sets up something of that.
    pub(super) fn is_set_up_at(&self, at: InstRef) -> bool {
        let seen = &mut self.seen.borrow_mut();
        self.all.reaches(std::iter::once(at), seen, &mut |it| self.is_set_up_by(it))
    }

    /// Where running a function by itself sets up something of that.
    pub(super) fn set_up_by(&self, function: FunctionRef) -> Option<InstRef> {
        self.all.instructions(function).find(|it| self.is_set_up_at(*it))
    }

    /// Where a part of a construction gives the object that is made a property of a name that is looked for.
    pub(super) fn field_set_by(&self, part: FunctionRef) -> Option<InstRef> {
        let names = self.names.get_or_init(|| self.collect());
        let graph = &self.all.graph;
        let ir = graph.files()[part.file as usize];
        self.all.instructions(part).find(|at| match ir.inst(at.inst) {
            Inst::Set { object, key, .. } => {
                let is_own = ir.inst(object) == Inst::This;
                is_own && (names.is_open || names.inherited.contains(&graph.key(part.file, key)))
            }
            _ => false,
        })
    }

    fn is_set_up_by(&self, at: InstRef) -> bool {
        let names = || self.names.get_or_init(|| self.collect());
        let ir = self.all.graph.files()[at.file as usize];
        match ir.inst(at.inst) {
            Inst::StoreVar { var, .. } => {
                names().is_open || names().variables.contains(&(at.file, var))
            }
            // Who else has a literal gets it when it is complete.
            Inst::Set { object, .. } if ir.inst(object) == Inst::Object => false,
            Inst::Set { object, key, .. } => {
                let key = self.all.graph.key(at.file, key);
                names().is_open
                    || names().keys.contains(&key)
                    || is_prototype(ir, object) && names().inherited.contains(&key)
            }
            _ => false,
        }
    }

    fn collect(&self) -> Names {
        let mut names = Names::default();
        let own = FileIr::range(self.first, self.end).map(|inst| InstRef { file: self.file, inst });
        names.is_open = self.all.reaches(own, &mut FxHashSet::default(), &mut |it| {
            self.note(it, &mut names);
            false
        });
        names
    }

    fn note(&self, at: InstRef, names: &mut Names) {
        let graph = &self.all.graph;
        let ir = graph.files()[at.file as usize];
        match ir.inst(at.inst) {
            Inst::LoadVar(var) => names.variables.extend(graph.imported(at.file, var)),
            Inst::Get { object, key } => {
                let key = graph.key(at.file, key);
                let of_namespace = graph.namespace_member(InstRef { inst: object, ..at }, key);
                names.variables.extend(of_namespace);
                names.inherited.insert(key);
            }
            Inst::CallMethod { method, .. } => {
                if let Inst::Get { key, .. } = ir.inst(method) {
                    names.keys.insert(graph.key(at.file, key));
                }
            }
            _ => {}
        }
    }
}

impl Summaries<'_> {
    /// Whether something holds of some instructions, or of those of functions that they call, and so on; so it does
    /// where that are too many. `seen` has the functions of which nothing is asked any more.
    fn reaches(
        &self,
        mut from: impl Iterator<Item = InstRef>,
        seen: &mut FxHashSet<FunctionRef>,
        holds: &mut dyn FnMut(InstRef) -> bool,
    ) -> bool {
        let mut pending: Vec<FunctionRef> = Vec::new();
        let mut stops = |at: InstRef, pending: &mut Vec<FunctionRef>| {
            self.graph.for_each_function(at, &mut |it| pending.push(it));
            holds(at)
        };
        if from.any(|it| stops(it, &mut pending)) {
            return true;
        }
        while let Some(function) = pending.pop() {
            if !seen.insert(function) {
                continue;
            }
            if seen.len() > MOST_FUNCTIONS {
                return true;
            }
            if self.instructions(function).any(|it| stops(it, &mut pending)) {
                return true;
            }
        }
        false
    }

    /// The instructions of a function.
    fn instructions(&self, function: FunctionRef) -> impl Iterator<Item = InstRef> + use<> {
        let data = self.graph.files()[function.file as usize].function(function.function);
        let file = function.file;
        FileIr::range(data.first, data.end).map(move |inst| InstRef { file, inst })
    }
}
