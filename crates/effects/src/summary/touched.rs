//! What runs code without a call where an object has any: the read of a property, a conversion, an
//! iteration. Of objects that nobody knows it can only be taken for granted that they have none.

use std::collections::BTreeSet;

use headstart_callgraph::{InstRef, Modelled, Native};
use headstart_ir::{Inst, InstId, Key, PropKey};
use headstart_models::{Argument, Call, Flow, PromiseKind, ResultKind};

use super::compute::Computation;
use super::order::When;
use super::row::arguments;

/// How many values are named. Where there are more, these are enough to go and look.
const MOST_NAMED: usize = 4;

/// Values of which nobody knows what they are, and which are read, converted or iterated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Touched {
    /// Before the function first waits.
    pub before: BTreeSet<InstRef>,
    /// After.
    pub after: BTreeSet<InstRef>,
}

impl Touched {
    /// Whether nothing of that kind is done.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    fn is_full(&self) -> bool {
        self.before.len() >= MOST_NAMED && self.after.len() >= MOST_NAMED
    }

    fn add(&mut self, value: InstRef, when: When) {
        if when.before && self.before.len() < MOST_NAMED {
            self.before.insert(value);
        }
        if when.after && self.after.len() < MOST_NAMED {
            self.after.insert(value);
        }
    }

    /// Takes in what a callee does.
    pub(super) fn take_in(&mut self, callee: &Self, when: When) {
        if self.is_full() {
            return;
        }
        for &value in &callee.before {
            self.add(value, when);
        }
        for &value in &callee.after {
            self.add(value, When { before: false, after: true });
        }
    }
}

impl Computation<'_, '_> {
    /// Notes the values that an instruction reads, converts or iterates, and of which nobody knows what
    /// they are.
    pub(super) fn touch(&mut self, id: InstId, when: When) {
        if self.summary.touched.is_full() {
            return;
        }
        let mut found: Vec<InstId> = Vec::new();
        match self.ir.inst(id) {
            Inst::Get { object, key } => {
                // What is called is judged where it is called.
                let at = self.roots.at(id);
                if !self.roots.all.is_method_read(at) {
                    found.push(object);
                    let graph = &self.roots.all.graph;
                    // `pool.idleCount` shows what is under way.
                    if graph.is_beyond_model(at) && !graph.is_foreign(self.roots.at(object)) {
                        self.summary.touched.add(at, when);
                    }
                }
                found.extend(computed(key));
            }
            Inst::Set { object, key, .. } => {
                if self.ir.inst(object) != Inst::Object {
                    found.push(object);
                }
                found.extend(computed(key));
            }
            Inst::Delete { object, key } => {
                found.push(object);
                found.extend(computed(key));
            }
            Inst::Has { object, key } => found.extend([object, key]),
            Inst::InstanceOf { value, class } => found.extend([value, class]),
            Inst::CopyProps { value, .. }
            | Inst::EnumerateKeys(value)
            | Inst::Rest(value)
            | Inst::Convert(value) => found.push(value),
            Inst::Spread(value)
            | Inst::Iterate(value)
            | Inst::IterateAsync(value)
            | Inst::YieldAll(value) => {
                let at = self.roots.at(value);
                let iterated = self.roots.all.graph.may_be_foreign_iterator(at).then_some(at);
                iterated.into_iter().for_each(|it| self.summary.touched.add(it, when));
            }
            Inst::Template(parts) => found.extend(self.ir.args(parts)),
            Inst::Operator { left, right, .. } => found.extend([left, right]),
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } => {
                found = self.touched_by_call(id);
            }
            _ => {}
        }
        for value in found {
            let at = self.roots.at(value);
            if self.roots.all.graph.is_foreign(at) {
                self.summary.touched.add(at, when);
            }
        }
        // What is changed there may be what the program has put there.
        if self.roots.all.graph.puts_on_data() {
            for value in self.changed(id) {
                let at = self.roots.at(value);
                // What is read of new data may have been put there since.
                let is_new =
                    !matches!(self.ir.inst(value), Inst::Get { .. }) && self.is_new_data(value);
                if self.roots.all.graph.may_be_data(at) && !is_new {
                    self.summary.touched.add(at, when);
                }
            }
        }
    }

    /// What an instruction changes, as far as it may be data from outside.
    fn changed(&self, id: InstId) -> Vec<InstId> {
        let ir = self.ir;
        // Who takes the items of an iterator changes that.
        let takes = |row: &Call| {
            let with = row.callbacks.iter().flat_map(|it| &it.with);
            with.chain(&row.returns).any(|it| matches!(it, Flow::Elements(_)))
        };
        let is_changing = |it: &Modelled<'_>| {
            it.native.is_some() || it.call.is_some_and(|row| row.changes_arguments() || takes(row))
        };
        let (receiver, args) = match ir.inst(id) {
            Inst::Set { object, .. } | Inst::Delete { object, .. } => {
                return if ir.inst(object) == Inst::Object { Vec::new() } else { vec![object] };
            }
            Inst::Spread(value) | Inst::Iterate(value) => return vec![value],
            Inst::Call { args, .. } => (None, args),
            Inst::CallMethod { object, args, .. } => (Some(object), args),
            _ => return Vec::new(),
        };
        if !self.roots.all.callees(self.roots.at(id)).modelled.iter().any(is_changing) {
            return Vec::new();
        }
        receiver.into_iter().chain(ir.args(args).iter().copied()).collect()
    }

    /// Whether a value is new data that a model describes, and nothing that this holds: `JSON.parse(text)`.
    fn is_new_data(&self, value: InstId) -> bool {
        let made = self.roots.made_by(value).map(|it| match self.ir.inst(it) {
            Inst::Await(promise) => promise,
            _ => it,
        });
        made.is_some_and(|it| {
            let callees = self.roots.all.callees(self.roots.at(it));
            let gives_new = |it: &Modelled<'_>| {
                let is_new = |row: &Call| {
                    row.result == ResultKind::Data
                        && row.returns.iter().all(|it| matches!(it, Flow::Callback(_)))
                };
                it.native.is_none() && it.call.is_some_and(is_new)
            };
            callees.functions.is_empty()
                && callees.obstacle().is_none()
                && !callees.modelled.is_empty()
                && callees.modelled.iter().all(gives_new)
        })
    }

    /// The arguments that a function of the language converts, or looks into.
    fn touched_by_call(&self, id: InstId) -> Vec<InstId> {
        let Some(args) = arguments(self.ir.inst(id)).map(|it| self.ir.args(it)) else {
            return Vec::new();
        };
        let callees = self.roots.all.callees(self.roots.at(id));
        let mut found = Vec::new();
        for member in &callees.modelled {
            match member.native {
                Some(
                    Native::Assign
                    | Native::ObjectEntries
                    | Native::MapConstructor
                    | Native::SetConstructor
                    | Native::DefineProperty
                    | Native::DefineProperties
                    | Native::SetPrototypeOf
                    | Native::GetPrototypeOf
                    | Native::ReflectSet
                    | Native::ReflectDelete,
                ) => found.extend(args),
                Some(_) => {}
                None => {
                    let Some(row) = member.call.filter(|it| it.promise == PromiseKind::No) else {
                        continue;
                    };
                    // Methods of collections only keep what they are given.
                    let looks = member.module == "globals";
                    let is_touched = |position: usize| {
                        let kind = row.arguments.get(position).copied().or(row.rest);
                        match kind {
                            Some(Argument::Primitive) => true,
                            Some(Argument::Data | Argument::Options) => looks,
                            _ => false,
                        }
                    };
                    let all = args.iter().enumerate();
                    found.extend(all.filter(|it| is_touched(it.0)).map(|it| *it.1));
                }
            }
        }
        found
    }
}

fn computed(key: PropKey) -> Option<InstId> {
    match key.get() {
        Key::Computed(value) => Some(value),
        Key::Name(_) | Key::Private(_) => None,
    }
}
