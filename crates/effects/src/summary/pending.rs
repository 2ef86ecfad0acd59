//! What goes on when a call has returned: writes that nobody waits for, or not yet.
//!
//! A call goes on if it gives a promise, or calls back later. It is waited for where its promise, or one
//! that is made of it, is awaited or returned. What is left of a function is what it has started and
//! waits for nowhere: that goes on when the promise of the function itself is settled.

use std::sync::Arc;

use headstart_callgraph::{FunctionRef, InstRef, Native};
use headstart_ir::{FileIr, Inst, InstId, PropKey, VarId};
use headstart_models::{Call, PromiseKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::bind::Binding;
use super::call::calls_later;
use super::compute::Computation;
use super::locations::Locations;
use super::order::When;
use super::place::Location;
use super::row::arguments;
use super::{Effects, Summaries, Summary};

/// The values that are followed to find out what is waited for; behind that nothing is.
const MOST_STEPS: usize = 20_000;

/// Something that goes on when the call that has started it has returned.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The call.
    pub at: InstId,
    /// What it writes outside memory, and what it is given and fills, with what it leaves.
    pub writes: Locations,
    /// What of that goes on even when its promise is settled.
    pub left: Locations,
    /// Whether it may take a lock.
    pub locks: bool,
    /// Whether it may do anything, and nobody can tell what else it does: what it leaves is a guess.
    is_unclear: bool,
    /// Where its end is waited for.
    waits: Vec<InstId>,
    /// The loops around it.
    loops: Vec<(InstId, InstId)>,
}

/// A call that reads outside memory, and that is not waited for at once.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The call.
    pub at: InstId,
    /// What it reads there.
    pub reads: Locations,
    /// Where its end is waited for.
    waits: Vec<InstId>,
}

/// Where the calls of a function are waited for.
#[derive(Debug, Default)]
pub(crate) struct Joins {
    /// Each call with the awaits and returns that wait for it.
    of: FxHashMap<InstId, Vec<InstId>>,
    /// The calls that are waited for as soon as they have returned.
    direct: FxHashSet<InstId>,
    /// Each call with what sees its promise fail: awaits and returns, reactions, other promises.
    handlers: FxHashMap<InstId, Vec<InstId>>,
}

/// Follows what is waited for back to the calls that have started it.
struct Tracer<'a, 'p> {
    all: &'a Summaries<'p>,
    ir: &'p FileIr,
    function: FunctionRef,
    /// What is stored in each variable, and added to the list that is in it.
    stored: FxHashMap<VarId, Vec<InstId>>,
    /// What is stored under a name, each with the object.
    kept: FxHashMap<PropKey, Vec<(InstId, InstId)>>,
    steps: usize,
    joins: Joins,
}

/// How a value is come to from where it is waited for.
#[derive(Clone, Copy)]
struct Way {
    /// Where it is waited for; none where somebody only reacts to it.
    wait: Option<InstId>,
    /// What sees it fail.
    handler: InstId,
    is_direct: bool,
    /// Whether what is in a list is waited for, too: `Promise.all` does that, `await` does not.
    takes_list: bool,
    /// Whether an error may end the wait though what is waited for goes on, and is caught.
    may_end_early: bool,
}

impl Reading {
    /// Whether it may still be under way where an instruction of its function begins: the call stands
    /// before that, and nothing has waited for it by then.
    #[must_use]
    pub fn is_under_way(&self, ir: &FileIr, point: InstId) -> bool {
        self.at < point && !self.waits.iter().any(|&wait| is_certain(ir, self.at, wait, point))
    }
}

impl Joins {
    fn of(all: &Summaries<'_>, function: FunctionRef) -> Self {
        let ir = all.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let (stored, kept) = (FxHashMap::default(), FxHashMap::default());
        let joins = Self::default();
        let mut tracer = Tracer { all, ir, function, stored, kept, steps: 0, joins };
        tracer.collect_stores(data.first, data.end);
        let structure = all.structure(function);
        for at in FileIr::range(data.first, data.end) {
            let (is_direct, takes_list) = (true, false);
            let way = Way { wait: None, handler: at, is_direct, takes_list, may_end_early: false };
            match ir.inst(at) {
                Inst::Await(value) | Inst::Return(value) | Inst::Yield(value) => {
                    let way = Way { wait: Some(at), may_end_early: structure.catches(at), ..way };
                    tracer.follow(value, way, &mut FxHashSet::default());
                }
                inst @ (Inst::Call { .. } | Inst::CallMethod { .. }) => {
                    for value in tracer.reacted_to(inst, at) {
                        let way = Way { takes_list: true, ..way };
                        tracer.follow(value, way, &mut FxHashSet::default());
                    }
                }
                _ => {}
            }
        }
        tracer.joins
    }

    pub(super) fn is_waited_for(&self, call: InstId) -> bool {
        self.of.contains_key(&call)
    }

    /// What sees the promise of a call fail.
    pub(super) fn handlers(&self, call: InstId) -> &[InstId] {
        self.handlers.get(&call).map_or(&[], Vec::as_slice)
    }

    /// Whether what a call has started may still be under way where an instruction begins, which stands
    /// behind it, or in a loop around both. What is returned nobody waits for here: `finally` comes first.
    pub(super) fn is_under_way(&self, ir: &FileIr, call: InstId, point: InstId) -> bool {
        let around = || ir.loops_around(call).find(|it| it.0 <= point && point < it.1);
        let end = if call < point {
            point
        } else if let Some((_, end)) = around() {
            end
        } else {
            return false;
        };
        let waits = self.of.get(&call).map_or(&[] as &[InstId], Vec::as_slice);
        let mut awaits = waits.iter().filter(|&&it| matches!(ir.inst(it), Inst::Await(_)));
        !awaits.any(|&wait| is_certain(ir, call, wait, end))
    }
}

impl Tracer<'_, '_> {
    fn collect_stores(&mut self, first: InstId, end: InstId) {
        for id in FileIr::range(first, end) {
            match self.ir.inst(id) {
                Inst::StoreVar { var, value } => self.stored.entry(var).or_default().push(value),
                Inst::CallMethod { object, args, .. } => {
                    let at = InstRef { file: self.function.file, inst: id };
                    if let Inst::LoadVar(list) = self.ir.inst(object)
                        && self.natives(at).any(|it| matches!(it, Native::StoreElements(_)))
                    {
                        let added = self.ir.args(args);
                        self.stored.entry(list).or_default().extend(added);
                    }
                }
                Inst::Set { object, key, value } => {
                    self.kept.entry(key).or_default().push((object, value));
                }
                _ => {}
            }
        }
    }

    fn natives(&self, at: InstRef) -> impl Iterator<Item = Native> + use<> {
        let callees = self.all.callees(at);
        let found: Vec<Native> = callees.modelled.iter().filter_map(|it| it.native).collect();
        found.into_iter()
    }

    fn follow(&mut self, value: InstId, way: Way, seen: &mut FxHashSet<InstId>) {
        self.steps += 1;
        if self.steps > MOST_STEPS || !seen.insert(value) {
            return;
        }
        let ir = self.ir;
        match ir.inst(value) {
            Inst::LoadVar(var) if ir.variable(var).owner == self.function.function => {
                for stored in self.stored.get(&var).cloned().unwrap_or_default() {
                    self.follow(stored, Way { is_direct: false, ..way }, seen);
                }
            }
            Inst::LoadVar(_) => {
                if let Some(stored) = self.just_stored(value) {
                    self.follow(stored, Way { is_direct: false, ..way }, seen);
                }
            }
            Inst::Get { object, key } => {
                if let Some(stored) = self.just_stored(value) {
                    return self.follow(stored, Way { is_direct: false, ..way }, seen);
                }
                for (holder, kept) in self.kept.get(&key).cloned().unwrap_or_default() {
                    if kept < value && is_same_object(ir, holder, object) {
                        self.follow(kept, Way { is_direct: false, wait: None, ..way }, seen);
                    }
                }
            }
            Inst::Array(elements) if way.takes_list => {
                for &element in ir.args(elements) {
                    let is_spread = matches!(ir.inst(element), Inst::Spread(_));
                    self.follow(element, Way { takes_list: is_spread, ..way }, seen);
                }
            }
            Inst::Spread(list) => self.follow(list, way, seen),
            Inst::Select(left, right) => {
                self.follow(left, way, seen);
                self.follow(right, way, seen);
            }
            inst @ (Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. }) => {
                self.joins.handlers.entry(value).or_default().push(way.handler);
                let Some(wait) = way.wait else { return };
                self.joins.of.entry(value).or_default().push(wait);
                // `Promise.all([unlink(a), await read(a)])`
                let behind = FileIr::range(InstId::new(value.index() + 1), wait);
                let is_interrupted = behind.into_iter().any(|it| ir.inst(it).is_suspend_point());
                if way.is_direct && !is_interrupted {
                    self.joins.direct.insert(value);
                }
                self.follow_call(inst, value, Way { handler: value, ..way }, seen);
            }
            _ => {}
        }
    }

    /// What has been stored right before in the variable or field that is read, and is still there: nothing in between
    /// runs other code.
    fn just_stored(&self, read: InstId) -> Option<InstId> {
        let ir = self.ir;
        let first = ir.function(self.function.function).first;
        let is_plain = |it: &InstId| {
            matches!(
                ir.inst(*it),
                Inst::LoadVar(_)
                    | Inst::Literal(_)
                    | Inst::This
                    | Inst::Select(..)
                    | Inst::Conditional { .. }
                    | Inst::Pure1(_)
                    | Inst::Pure2(..)
            )
        };
        let store = FileIr::range(first, read).rev().find(|it| !is_plain(it))?;
        match (ir.inst(store), ir.inst(read)) {
            (Inst::StoreVar { var, value }, Inst::LoadVar(of)) if var == of => Some(value),
            (Inst::Set { object, key, value }, Inst::Get { object: of, key: read })
                if key == read && is_same_object(ir, object, of) =>
            {
                Some(value)
            }
            _ => None,
        }
    }

    /// The promises that a call reacts to, or makes another one of, which fails when they do.
    fn reacted_to(&self, inst: Inst, call: InstId) -> Vec<InstId> {
        let at = InstRef { file: self.function.file, inst: call };
        let first = || arguments(inst).and_then(|args| self.ir.args(args).first().copied());
        let of = |native| match (native, inst) {
            (Native::Then | Native::Catch | Native::Finally, Inst::CallMethod { object, .. }) => {
                Some(object)
            }
            (Native::All | Native::AllSettled | Native::Race | Native::Resolve, _) => first(),
            _ => None,
        };
        self.natives(at).filter_map(of).collect()
    }

    /// What the promise that a native function gives is made of.
    fn follow_call(&mut self, inst: Inst, call: InstId, way: Way, seen: &mut FxHashSet<InstId>) {
        let first = arguments(inst).and_then(|args| self.ir.args(args).first().copied());
        let at = InstRef { file: self.function.file, inst: call };
        for native in self.natives(at) {
            match (native, inst) {
                (
                    Native::Then | Native::Catch | Native::Finally,
                    Inst::CallMethod { object, .. },
                ) => self.follow(object, way, seen),
                // With the first that fails nobody waits for the others any more.
                (Native::All, _) if way.may_end_early => {}
                (Native::All | Native::AllSettled | Native::Resolve, _) => {
                    if let Some(list) = first {
                        let takes_list = native != Native::Resolve;
                        self.follow(list, Way { takes_list, ..way }, seen);
                    }
                }
                _ => {}
            }
        }
    }
}

impl Computation<'_, '_> {
    /// A call, with what is left of it: all of what is left at the moment is its own.
    pub(crate) fn call(&mut self, id: InstId, when: When) {
        let before = std::mem::take(&mut self.summary.before);
        let after = std::mem::take(&mut self.summary.after);
        self.call_itself(id, when);
        self.summary.abandons = self.summary.abandons || self.abandons(id);
        self.summary.lingers = self.summary.lingers || self.lingers(id);
        let fills = self.roots.all.fills_later(self.roots.at(id));
        let writes = lasting(&self.summary.before, fills);
        let writes = writes.chain(lasting(&self.summary.after, fills));
        let writes: Vec<Location> = writes.cloned().collect();
        if self.roots.is_local {
            self.goes_on |= self.goes_on(id);
        } else {
            let goes_on = (fills || !writes.is_empty()) && self.goes_on(id);
            let joins = goes_on.then(|| self.roots.all.joins(self.roots.function));
            if joins.is_some_and(|it| !it.direct.contains(&id)) {
                self.summary.loose.insert(id);
            }
            if goes_on && !self.is_waited_for(id) {
                self.summary.left.extend(writes);
            }
        }
        // What the call does is taken in by what was there, which may be far more.
        let call = std::mem::replace(&mut self.summary.before, before);
        self.summary.before.join(call);
        let call = std::mem::replace(&mut self.summary.after, after);
        self.summary.after.join(call);
    }

    /// Whether a call, all of whose effects are in the summary, has started something that nobody waits for
    /// and that changes something later: the one who goes on has given that time to be done. What a
    /// constructor changes of its own object is no effect of the constructor, but it counts here.
    fn lingers(&self, id: InstId) -> bool {
        let (all, callees) = (self.roots.all, self.roots.all.callees(self.roots.at(id)));
        let writes = |it: &FunctionRef| !all.of(*it).after.writes.is_empty();
        let writes_at_all = |it: &FunctionRef| writes(it) || !all.of(*it).before.writes.is_empty();
        let is_later = callees.modelled.iter().any(calls_later);
        let changes = !self.summary.after.writes.is_empty()
            || callees.functions.iter().chain(&callees.callbacks).any(writes)
            || (is_later && callees.callbacks.iter().any(writes_at_all));
        changes && self.goes_on(id) && !self.is_waited_for(id)
    }

    /// Whether somebody waits for what a call has started: here, or whoever gets what is returned. A timer that is
    /// returned nobody can wait for.
    fn is_waited_for(&self, id: InstId) -> bool {
        let all = self.roots.all;
        all.graph.may_be_promise(self.roots.at(id))
            && all.joins(self.roots.function).is_waited_for(id)
    }

    /// Whether what a call does may go on when it has returned.
    fn goes_on(&self, id: InstId) -> bool {
        let (all, at) = (self.roots.all, self.roots.at(id));
        let callees = all.callees(at);
        let is_async =
            |it: &FunctionRef| all.graph.files()[it.file as usize].function(it.function).is_async;
        // `list.map((it) => writeFile(it, ""))`: it gives a promise back, whatever it has done by then.
        let gives_promise =
            |it: FunctionRef| all.graph.returned_values(it).any(|it| all.graph.may_be_promise(it));
        let starts = |it: &FunctionRef| {
            let summary = all.of(*it);
            outside(&summary.after).next().is_some()
                || outside(&summary.before).next().is_some() && gives_promise(*it)
        };
        all.graph.may_be_promise(at)
            || callees.modelled.iter().any(calls_later)
            || callees.callbacks.iter().any(|it| is_async(it) || starts(it))
    }

    /// What is left of a function that is called.
    pub(crate) fn leave_through(
        &mut self,
        callee: &Summary,
        function: FunctionRef,
        binding: &Binding,
    ) {
        if !callee.left.is_empty() {
            let mut left = std::mem::take(&mut self.summary.left);
            self.translate_all(&callee.left, (function, binding), &mut left);
            self.summary.left = left;
        }
    }
}

impl Summaries<'_> {
    pub(crate) fn joins(&self, function: FunctionRef) -> Arc<Joins> {
        if let Some(known) = self.joins.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let found = Arc::new(Joins::of(self, function));
        self.joins.part(&function).insert(function, Arc::clone(&found));
        found
    }

    /// What the calls of a function leave going on, in their order.
    #[must_use]
    pub fn pending(&self, function: FunctionRef) -> Arc<Vec<Pending>> {
        if let Some(known) = self.pending.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let found: Vec<Pending> = self
            .of(function)
            .loose
            .iter()
            .filter_map(|&at| self.pending_of(function, at))
            .collect();
        let found = Arc::new(found);
        self.pending.part(&function).insert(function, Arc::clone(&found));
        found
    }

    /// The calls of a function that read outside memory and that are not waited for at once.
    #[must_use]
    pub fn pending_reads(&self, function: FunctionRef) -> Arc<Vec<Reading>> {
        if let Some(known) = self.pending_reads.part(&function).get(&function) {
            return Arc::clone(known);
        }
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let joins = self.joins(function);
        let is_call = |it: &InstId| {
            matches!(ir.inst(*it), Inst::Call { .. } | Inst::CallMethod { .. } | Inst::New { .. })
        };
        let of = |at: InstId| {
            let step = self.steps(function, at, InstId::new(at.index() + 1)).pop()?;
            let reads = step.now.reads.iter().chain(&step.later.reads);
            let reads: Locations = reads.filter(|it| it.is_answered()).cloned().collect();
            let waits = joins.of.get(&at).cloned().unwrap_or_default();
            (step.goes_on && !reads.is_empty()).then_some(Reading { at, reads, waits })
        };
        let started = FileIr::range(data.first, data.end).filter(|it| !joins.direct.contains(it));
        let found = Arc::new(started.filter(is_call).filter_map(of).collect::<Vec<_>>());
        self.pending_reads.part(&function).insert(function, Arc::clone(&found));
        found
    }

    /// Whether a call changes what it is given when it has returned already: `fs.read(descriptor, buffer, done)`.
    fn fills_later(&self, at: InstRef) -> bool {
        let mut rows = self.callees(at).modelled.iter().filter(|it| it.native.is_none());
        rows.any(|it| {
            let changes = it.call.is_some_and(Call::changes_arguments);
            let is_promise = it.call.is_some_and(|row| row.promise != PromiseKind::No);
            changes && (is_promise || calls_later(it))
        })
    }

    fn pending_of(&self, function: FunctionRef, at: InstId) -> Option<Pending> {
        let step = self.steps(function, at, InstId::new(at.index() + 1)).pop()?;
        let mut writes = step.left.clone();
        if step.goes_on {
            let fills = self.fills_later(InstRef { file: function.file, inst: at });
            writes.extend(lasting(&step.now, fills).chain(lasting(&step.later, fills)).cloned());
        }
        let waits = self.joins(function).of.get(&at).cloned().unwrap_or_default();
        let loops = self.graph.files()[function.file as usize].loops_around(at).collect();
        let (left, is_unclear) = (step.left.clone(), step.is_anything && step.assumed.is_none());
        Some(Pending { at, writes, left, locks: step.locks, is_unclear, waits, loops })
    }
}

impl Pending {
    /// What of it may still be under way where an instruction of its function begins.
    #[must_use]
    pub fn under_way(&self, ir: &FileIr, point: InstId) -> Option<UnderWay<'_>> {
        let around = self.loops.iter().find(|it| it.0 <= point && point < it.1);
        let end = match around {
            _ if self.at < point => point,
            Some(&(_, end)) => end,
            None => return None,
        };
        let is_over = self.waits.iter().any(|&wait| is_certain(ir, self.at, wait, end));
        let writes = if is_over { &self.left } else { &self.writes };
        Some(UnderWay { writes, is_guess: is_over && self.is_unclear })
    }
}

/// What of a call may still be under way.
#[derive(Clone, Copy, Debug)]
pub struct UnderWay<'a> {
    /// What it writes.
    pub writes: &'a Locations,
    /// Whether its end has been waited for, and what it may leave is one of many things that it may do.
    pub is_guess: bool,
}

/// Whether two values are read from one variable, or both `this`.
fn is_same_object(ir: &FileIr, one: InstId, other: InstId) -> bool {
    match (ir.inst(one), ir.inst(other)) {
        (Inst::LoadVar(one), Inst::LoadVar(other)) => one == other,
        (Inst::This, Inst::This) => true,
        _ => one == other,
    }
}

/// Whether a wait that stands behind a call has certainly been reached when control comes from the call
/// to `end`.
pub(super) fn is_certain(ir: &FileIr, call: InstId, wait: InstId, end: InstId) -> bool {
    let may_skip = |id: InstId| matches!(ir.inst(id), Inst::Conditional { end: behind, .. } if behind > wait && behind <= end);
    call < wait && wait < end && !FileIr::range(call, wait).any(may_skip)
}

/// What of the writes of a call goes on: those outside memory, and with `fills` those of what it is given.
fn lasting(effects: &Effects, fills: bool) -> impl Iterator<Item = &Location> {
    effects.writes.iter().filter(move |it| fills || matches!(it, Location::Resource(..)))
}

fn outside(effects: &Effects) -> impl Iterator<Item = &Location> {
    lasting(effects, false)
}
