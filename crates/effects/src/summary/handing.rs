//! Callers that change what they have handed to a function while that goes on: `const p = sizes(list);
//! list.push("b"); await p`. What the function reads behind its first wait is what they have made of it
//! (the contract, S5).

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use headstart_callgraph::{FunctionRef, InstRef, ObjectId, PathKey};
use headstart_ir::{FileIr, Inst, InstId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Summaries;
use super::call::calls_later;
use super::place::{Location, Place, Root};
use super::structure::is_waited_at_once;

/// How many functions that call one another are looked through for who changes something; behind that,
/// everybody may.
const MOST_CALLERS: usize = 256;

/// A function that calls another, goes on behind that, and writes something in memory.
#[derive(Clone, Debug)]
pub(crate) struct CallerBehind {
    caller: FunctionRef,
    goes_on: GoesOn,
    /// What it writes while what the call has started may go on.
    writes: Arc<[Place]>,
}

/// How long what a call has started may go on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum GoesOn {
    /// Until the call is waited for.
    ToItsEnd,
    /// When the call has been waited for, too: `async () => ({ done: load() })`.
    Beyond,
    /// The same, from the next wait on: it starts when others have returned.
    FromTheNextWait,
}

/// All of them for one function.
pub(crate) type CallersBehind = Arc<[CallerBehind]>;

/// What functions write behind calls, by the call and how long that goes on.
pub(crate) type WritesBeside = FxHashMap<(InstRef, GoesOn), Arc<[Place]>>;

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
    /// place before it waits for that call (`true`), or perhaps before what that has started is over.
    #[must_use]
    pub fn changed_by_caller(
        &self,
        function: FunctionRef,
        place: &Place,
    ) -> Option<(FunctionRef, bool)> {
        if matches!(place.root, Root::Made(_) | Root::Global | Root::Unknown) {
            return None;
        }
        let holders = self.objects_of(function, place)?;
        let key = place.keys.last().copied().filter(|_| !place.is_deep);
        let callers = self.going_on_behind(function);
        let is_beside = |it: &&CallerBehind| it.goes_on == GoesOn::ToItsEnd;
        let changes = |it: &&CallerBehind| self.changes_behind(it, (&holders, key));
        let found = callers.iter().filter(is_beside).find(changes);
        let found = found.or_else(|| callers.iter().filter(|it| !is_beside(it)).find(changes));
        found.map(|it| (it.caller, is_beside(&it)))
    }

    /// The calls that lead to a function, directly or through others, each with the function that makes it and
    /// writes something before it waits for the call.
    fn going_on_behind(&self, function: FunctionRef) -> CallersBehind {
        if let Some(known) = self.going_on.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let mut found = Vec::new();
        let mut pending = vec![(function, false)];
        let mut seen: FxHashSet<(FunctionRef, bool)> = pending.iter().copied().collect();
        while let Some((callee, outlives)) = pending.pop() {
            for &at in self.callers(callee) {
                let caller = self.graph.function_at(at);
                let behind = self.behind(caller);
                let is_apart = behind.calls.contains(&at.inst);
                let is_right_away = self.calls_right_away(at, callee);
                let goes_on = match (outlives, is_right_away) {
                    (true, _) => GoesOn::Beyond,
                    (false, false) => GoesOn::FromTheNextWait,
                    (false, true) => GoesOn::ToItsEnd,
                };
                if is_apart || goes_on != GoesOn::ToItsEnd {
                    let writes = self.writes_beside(caller, at.inst, goes_on);
                    if !writes.is_empty() {
                        found.push(CallerBehind { caller, goes_on, writes });
                    }
                }
                let is_kept = is_apart && !self.joins(caller).is_waited_for(at.inst);
                let next = (caller, outlives || is_kept || !is_right_away);
                if seen.len() < MOST_CALLERS && seen.insert(next) {
                    pending.push(next);
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
        of: &CallerBehind,
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
        of.writes.iter().any(|place| {
            same_key(place)
                && self
                    .objects_of(of.caller, place)
                    .is_some_and(|it| it.iter().any(|it| holders.contains(it)))
        })
    }

    /// What a function writes in memory between a call and where what that has started is waited for, each place
    /// once.
    fn writes_beside(&self, caller: FunctionRef, call: InstId, goes_on: GoesOn) -> Arc<[Place]> {
        let at = (InstRef { file: caller.file, inst: call }, goes_on);
        if let Some(known) = self.beside.part(&at).get(&at) {
            return Arc::clone(known);
        }
        let ir = self.graph.files()[caller.file as usize];
        let places: BTreeSet<Place> = match goes_on {
            GoesOn::Beyond => self.writes_from(caller, call).into_iter().map(|it| it.1).collect(),
            GoesOn::FromTheNextWait => {
                let end = ir.function(caller.function).end;
                let wait = FileIr::range(call, end).find(|&it| ir.inst(it).is_suspend_point());
                let is_behind = |at: InstId| at < call || wait.is_some_and(|it| it < at);
                let writes = self.writes_from(caller, call).into_iter();
                writes.filter(|it| is_behind(it.0)).map(|it| it.1).collect()
            }
            GoesOn::ToItsEnd => {
                let (behind, joins) = (self.behind(caller), self.joins(caller));
                let first = || behind.calls.first().copied();
                let find = || first().map_or_else(Vec::new, |it| self.writes_from(caller, it));
                let writes = behind.writes.get_or_init(find).iter();
                let beside = writes.filter(|(at, _)| joins.is_under_way(ir, call, *at));
                beside.map(|it| it.1).collect()
            }
        };
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

    /// What a function writes in memory from an instruction on, and in loops around it.
    fn writes_from(&self, function: FunctionRef, first: InstId) -> Vec<(InstId, Place)> {
        let ir = self.graph.files()[function.file as usize];
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
