//! What a function gives back, and what its promise waits for because of that.

use std::collections::BTreeSet;

use headstart_callgraph::AbstractObject;
use headstart_ir::{FileIr, Inst, InstId, Key, VarKind};

use super::Waiting;
use super::compute::Computation;
use super::place::{Place, Root};
use super::roots::{Rooted, at_places};

/// The methods by which a promise is used as one.
const OF_PROMISES: [&str; 3] = ["then", "catch", "finally"];

impl Computation<'_, '_> {
    /// What a `return` gives: its places, and what whoever waits for the function waits for.
    pub(super) fn returned(&mut self, value: InstId) {
        let function = self.ir.function(self.roots.function.function);
        let rooted = self.roots.rooted(value);
        self.summary.returns_fresh |= rooted.iter().any(|it| !matches!(it, Rooted::At(_)));
        let places = at_places(rooted);
        // What the method of a parent gives, others may have.
        let is_of_parent = matches!(self.ir.inst(value), Inst::CallMethod { object, .. }
            if self.ir.inst(object) == Inst::Super)
            && !self.roots.is_fresh(value);
        self.summary.returns_unknown |=
            is_of_parent || (places.is_empty() && !self.is_made_here(value));
        let new = places.into_iter().filter(|it| !self.summary.returned.contains(it));
        let new: Vec<Place> = new.collect();
        self.summary.returned.extend(new);
        if function.is_generator || self.is_applied(value) {
            return;
        }
        let is_thenable = || self.roots.all.graph.may_be_thenable(self.roots.at(value));
        let returns_promise =
            function.is_async || self.roots.may_be_promise(value) || is_thenable();
        if !returns_promise {
            return;
        }
        let (waiting, rejects) = self.roots.waiting(value);
        if waiting == Waiting::Unknown && function.is_async && self.is_used_as_object(value) {
            return self.grant(&BTreeSet::from([self.roots.at(value)]));
        }
        // What is returned from a guarded block of an `async` function is not waited for in it.
        self.summary.settling = self.summary.settling.and(waiting);
        self.summary.rejects |= rejects;
    }

    /// Whether a value is made by this call of the function, or is no object.
    fn is_made_here(&self, value: InstId) -> bool {
        let objects = self.roots.all.graph.objects(self.roots.at(value));
        objects.iter().all(|object| match *object {
            AbstractObject::Made(at) => {
                let maker = self.roots.all.graph.function_at(at);
                maker == self.roots.function
                    || !self.roots.of(value).iter().any(|it| matches!(it.root, Root::Made(_)))
            }
            AbstractObject::Unknown => false,
            _ => true,
        })
    }

    /// Whether a value is what the function is given, and is used by it as an object with properties: hardly
    /// a promise, which nobody knows otherwise. Findings say so.
    fn is_used_as_object(&self, value: InstId) -> bool {
        let Inst::LoadVar(var) = self.ir.inst(value) else { return false };
        let data = self.ir.function(self.roots.function.function);
        let is_of = |it: InstId| self.ir.inst(it) == Inst::LoadVar(var);
        let is_property = |key: Key| match key {
            Key::Name(name) => !OF_PROMISES.contains(&self.ir.name(name)),
            _ => true,
        };
        let mut is_object = false;
        self.ir.variable(var).kind == VarKind::Param
            && !self.roots.all.graph.may_be_thenable(self.roots.at(value))
            && FileIr::range(data.first, data.end).all(|it| match self.ir.inst(it) {
                Inst::Get { object, key } | Inst::Set { object, key, .. } if is_of(object) => {
                    is_object = true;
                    is_property(key.get())
                }
                Inst::Await(value) => !is_of(value),
                _ => true,
            })
            && is_object
    }
}
