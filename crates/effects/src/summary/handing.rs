//! Callers that change what they have handed to a function while that goes on: `const p = sizes(list);
//! list.push("b"); await p`. What the function reads behind its first wait is what they have made of it
//! (the contract, S5).

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use headstart_callgraph::{FunctionRef, InstRef, ObjectId, PathKey};
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::call::calls_later;
use super::place::{Location, Place, Root};
use super::structure::is_waited_at_once;

/// How many functions that call one another are looked through for who changes something; behind that,
/// everybody may.
const MOST_CALLERS: usize = 256;

/// Functions that call another and go on behind that, each with the call.
pub(crate) type CallersBehind = Arc<[(FunctionRef, InstId)]>;

/// What a function does behind a call that it does not wait for at once.
#[derive(Clone, Debug)]
pub(crate) struct Behind {
    /// The calls that may go on.
    pub(super) calls: BTreeSet<InstId>,
    /// What it writes in memory from the first of them on, each with the instruction; worked out for the
    /// first who asks for more than the calls.
    writes: OnceLock<Vec<(InstId, Place)>>,
}

impl Summaries<'_> {
    /// A function that hands over what a place leads to in a call that leads to `function`, and changes the
    /// place before it waits for that call.
    #[must_use]
    pub fn changed_by_caller(&self, function: FunctionRef, place: &Place) -> Option<FunctionRef> {
        if matches!(place.root, Root::Made(_) | Root::Global | Root::Unknown) {
            return None;
        }
        let holders = self.objects_of(function, place)?;
        let key = place.keys.last().copied().filter(|_| !place.is_deep);
        let callers = self.going_on_behind(function);
        let changes =
            |&&(caller, call): &&(_, _)| self.changes_behind(caller, call, (&holders, key));
        callers.iter().find(changes).map(|&(caller, _)| caller)
    }

    /// The calls that lead to a function, directly or through others, each with the function that makes it and
    /// writes something before it waits for the call.
    fn going_on_behind(&self, function: FunctionRef) -> CallersBehind {
        if let Some(known) = self.going_on.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        let mut pending = vec![function];
        let mut seen: FxHashSet<FunctionRef> = pending.iter().copied().collect();
        while let Some(callee) = pending.pop() {
            for &at in self.callers(callee) {
                let caller = self.graph.function_at(at);
                let behind = self.behind(caller);
                let goes_on = behind.calls.contains(&at.inst) && self.calls_right_away(at, callee);
                if goes_on && !self.writes_behind(caller, &behind).is_empty() {
                    found.push((caller, at.inst));
                }
                if seen.len() < MOST_CALLERS && seen.insert(caller) {
                    pending.push(caller);
                }
            }
        }
        let found: CallersBehind = found.into();
        self.going_on.part(&function).insert(function, Arc::clone(&found));
        found
    }

    /// Whether a call calls a function before it returns.
    pub(super) fn calls_right_away(&self, at: InstRef, function: FunctionRef) -> bool {
        let callees = self.callees(at);
        callees.functions.contains(&function)
            || !callees.classes.is_empty()
            || (callees.callbacks.contains(&function) && !callees.modelled.iter().any(calls_later))
    }

    /// Whether a function writes properties of some objects between a call and where that is waited for.
    fn changes_behind(
        &self,
        caller: FunctionRef,
        call: InstId,
        (holders, key): (&[ObjectId], Option<PathKey>),
    ) -> bool {
        let same_key = |place: &Place| match (key, place.keys.last()) {
            (Some(key), Some(&written)) if !place.is_deep => {
                key == written
                    || key == PathKey::ANY
                    || written == PathKey::ANY
                    || holders.iter().any(|&it| self.graph.has_state_under(it, written))
            }
            _ => true,
        };
        self.writes_beside(caller, call).iter().any(|place| {
            same_key(place)
                && self
                    .objects_of(caller, place)
                    .is_some_and(|it| it.iter().any(|it| holders.contains(it)))
        })
    }

    /// What a function writes in memory between a call and where that is waited for, each place once.
    fn writes_beside(&self, caller: FunctionRef, call: InstId) -> Arc<[Place]> {
        let at = InstRef { file: caller.file, inst: call };
        if let Some(known) = self.beside.part(&at).get(&at) {
            return Arc::clone(known);
        }
        let (behind, joins) = (self.behind(caller), self.joins(caller));
        let ir = self.graph.files()[caller.file as usize];
        let writes = self.writes_behind(caller, &behind).iter();
        let places: BTreeSet<Place> = writes
            .filter(|(at, _)| joins.is_under_way(ir, call, *at))
            .map(|(_, place)| *place)
            .collect();
        let found: Arc<[Place]> = places.into_iter().collect();
        self.beside.part(&at).insert(at, Arc::clone(&found));
        found
    }

    /// The objects whose property a place is; none where it is none.
    fn objects_of(&self, function: FunctionRef, place: &Place) -> Option<Arc<[ObjectId]>> {
        let start = super::conflict::start(function, place.root)?;
        let way = match place.keys.split_last() {
            _ if place.is_deep => &place.keys,
            Some((_, way)) => way,
            None => return None,
        };
        let found = self.graph.reached_objects(start, way);
        (!found.is_empty()).then_some(found)
    }

    /// Whether an instruction reads a property, and runs no code for that.
    fn only_reads_property(&self, at: InstRef) -> bool {
        let ir = self.graph.files()[at.file as usize];
        matches!(ir.inst(at.inst), Inst::Get { .. }) && !self.graph.has_accessor(at)
    }

    /// What a function does behind the calls that it does not wait for at once.
    pub(super) fn behind(&self, function: FunctionRef) -> Arc<Behind> {
        if let Some(known) = self.behind.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let found = Arc::new(self.find_behind(function));
        self.behind.part(&function).insert(function, Arc::clone(&found));
        found
    }

    fn find_behind(&self, function: FunctionRef) -> Behind {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let cleans_up = self.structure(function).cleans_up;
        let goes_on = |id: &InstId| {
            let is_call = matches!(
                ir.inst(*id),
                Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. } | Inst::Get { .. }
            );
            is_call && !is_waited_at_once(ir, *id, cleans_up)
        };
        let calls = FileIr::range(data.first, data.end).filter(goes_on).collect();
        Behind { calls, writes: OnceLock::new() }
    }

    /// What a function writes in memory from the first call on that it does not wait for at once.
    fn writes_behind<'b>(
        &self,
        function: FunctionRef,
        behind: &'b Behind,
    ) -> &'b [(InstId, Place)] {
        behind.writes.get_or_init(|| self.find_writes(function, behind))
    }

    fn find_writes(&self, function: FunctionRef, behind: &Behind) -> Vec<(InstId, Place)> {
        let ir = self.graph.files()[function.file as usize];
        let Some(&first) = behind.calls.first() else { return Vec::new() };
        let around = ir.loops_around(first).map(|it| it.0).min().unwrap_or(first);
        let end = ir.function(function.function).end;
        let steps = self.steps(function, around.min(first), end);
        let steps = steps
            .iter()
            .filter(|it| !self.only_reads_property(InstRef { file: function.file, inst: it.at }));
        let places = steps.flat_map(|step| {
            step.now.writes.iter().filter_map(|it| match it {
                Location::Memory(place) => Some((step.at, *place)),
                Location::Resource(..) => None,
            })
        });
        places.collect()
    }
}
