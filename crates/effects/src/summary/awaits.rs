//! What an awaited value waits for.

use headstart_callgraph::{AbstractObject, FunctionRef, Modelled, Native};
use headstart_ir::{Inst, InstId, VarId, VarKind};
use headstart_models::{Call, CallsBack, Flow, PromiseKind, Receiver, Resource as Row};

use super::place::{Location, Resource, Which};
use super::roots::Roots;
use super::{Effects, Summary, Waiting, wrapper};

/// How far a value is followed back.
const LONGEST_TRACE: u32 = 8;

/// What waiting for both of two values waits for, and whether that may be rejected.
pub(crate) fn worse(one: (Waiting, bool), other: (Waiting, bool)) -> (Waiting, bool) {
    (one.0.and(other.0), one.1 || other.1)
}

/// What a function's promise waits for where what it is given is not known.
fn settling_elsewhere(summary: &Summary) -> Waiting {
    match summary.settling {
        Waiting::AnswersToReading => Waiting::Waits,
        other => other,
    }
}

/// What an operation waits for that may take for ever, where nothing of the program has a part in it.
pub(crate) fn kind_of_answer(effects: &Effects) -> Waiting {
    let is_open =
        |it: &Location| matches!(it, Location::Resource(_, Which::Unless(_) | Which::Queried(_)));
    match &effects.writes {
        _ if !effects.reads.iter().any(Location::is_answered) => Waiting::Waits,
        writes if writes.is_empty() => Waiting::Answers,
        writes if writes.iter().all(is_open) => Waiting::AnswersToReading,
        _ => Waiting::Waits,
    }
}

impl Roots<'_, '_> {
    /// What awaiting a value waits for, and whether it may be rejected.
    pub(crate) fn waiting(&self, value: InstId) -> (Waiting, bool) {
        self.waiting_within(value, LONGEST_TRACE)
    }

    fn waiting_within(&self, value: InstId, steps: u32) -> (Waiting, bool) {
        const UNKNOWN: (Waiting, bool) = (Waiting::Unknown, true);
        let at = self.at(value);
        if self.all.graph.may_be_thenable(at) {
            return UNKNOWN;
        }
        let awaited = self.all.graph.awaited(at);
        if awaited.is_empty() {
            return self.waiting_of_value(value, steps);
        }
        let of_awaited = match self.all.is_seen_to_read(at) {
            true => (Waiting::Answers, true),
            false => self.waiting_of_awaited(&awaited),
        };
        match self.ir().inst(value) {
            // What else it may be its callees say.
            Inst::Call { .. } | Inst::CallMethod { .. } | Inst::Select(..) => {
                worse(of_awaited, self.waiting_of_value(value, steps))
            }
            _ if self.all.graph.is_awaitable(at) => of_awaited,
            _ => UNKNOWN,
        }
    }

    /// Whether a value is the promise of a call that only lets time pass: `sleep(100)`.
    pub(crate) fn is_pause(&self, value: InstId) -> bool {
        let callees = self.all.callees(self.at(value));
        let is_timer = |it: &Location| matches!(it, Location::Resource(Resource::Timers, _));
        // It warns of times that are too long.
        let is_of_timer =
            |it: &Location| matches!(it, Location::Resource(Resource::Timers | Resource::Log, _));
        let only_waits = |it: &FunctionRef| {
            let summary = self.all.of(*it);
            !summary.is_anything()
                && summary.effects().any(|it| it.writes.iter().any(is_timer))
                && summary.effects().all(|it| it.writes.iter().all(is_of_timer))
        };
        let is_row = |it: &Modelled<'_>| match (it.native, it.call) {
            (Some(Native::PromiseConstructor), _) => callees.callbacks.iter().all(only_waits),
            (None, Some(row)) => {
                row.promise != PromiseKind::No && row.writes.contains(&Row::Timers)
            }
            _ => false,
        };
        callees.obstacle().is_none()
            && !(callees.functions.is_empty() && callees.modelled.is_empty())
            && callees.functions.iter().all(only_waits)
            && callees.modelled.iter().all(is_row)
    }

    fn waiting_of_value(&self, value: InstId, steps: u32) -> (Waiting, bool) {
        const UNKNOWN: (Waiting, bool) = (Waiting::Unknown, true);
        let Some(steps) = steps.checked_sub(1) else { return UNKNOWN };
        let ir = self.ir();
        match ir.inst(value) {
            Inst::LoadVar(var) => match self.all.graph.always(self.function.file, var) {
                Some(init)
                    if ir.variable(var).owner == self.function.function
                        && self.all.graph.function_at(self.at(init)) == self.function =>
                {
                    self.waiting_within(init, steps)
                }
                _ => match self.kept_here(var) {
                    Some(kept) => kept
                        .into_iter()
                        .map(|it| self.waiting_within(it, steps))
                        .fold((Waiting::Settles, false), worse),
                    None => self.waiting_of_objects(value),
                },
            },
            Inst::Select(left, right) => {
                worse(self.waiting_within(left, steps), self.waiting_within(right, steps))
            }
            Inst::Await(_)
            | Inst::Literal(_)
            | Inst::Object
            | Inst::Array(_)
            | Inst::Closure(_)
            | Inst::Class(_)
            | Inst::Template(_)
            | Inst::Pure1(_)
            | Inst::Pure2(..)
            | Inst::Convert(_)
            | Inst::InstanceOf { .. }
            | Inst::Operator { .. } => (Waiting::Settles, false),
            Inst::DynamicImport { .. } => (Waiting::Settles, true),
            Inst::Call { args, .. } | Inst::CallMethod { args, .. } | Inst::New { args, .. } => {
                self.waiting_of_call(value, ir.args(args), steps)
            }
            _ => self.waiting_of_objects(value),
        }
    }

    /// What is kept in a variable that only this function gives something: `if (!pending) pending = load();`. Elsewhere
    /// it is emptied, at most.
    fn kept_here(&self, var: VarId) -> Option<Vec<InstId>> {
        let ir = self.ir();
        let all = self.stores.get(self.function.file as usize)?.several.get(&var)?;
        let is_empty = |it: &&InstId| super::fills::is_empty(ir, **it);
        let is_known = !matches!(ir.variable(var).kind, VarKind::Param | VarKind::Import);
        let kept: Vec<InstId> = all.iter().filter(|it| !is_empty(it)).copied().collect();
        let is_here = |it: &InstId| self.all.graph.function_at(self.at(*it)) == self.function;
        (is_known && !kept.is_empty() && kept.iter().all(is_here)).then_some(kept)
    }

    /// Whether a call passes its arguments on as they stand.
    fn is_plain_call(&self, call: InstId, modelled: &[Modelled<'_>]) -> bool {
        let callee = match self.ir().inst(call) {
            Inst::Call { callee, .. } | Inst::CallMethod { method: callee, .. } => callee,
            _ => return false,
        };
        modelled.is_empty() && self.all.graph.bound_at(self.at(callee)).is_none()
    }

    fn waiting_of_objects(&self, value: InstId) -> (Waiting, bool) {
        if self.all.graph.is_no_thenable(self.at(value)) {
            return (Waiting::Settles, false);
        }
        let objects = self.all.graph.objects(self.at(value));
        let is_plain = |it: &AbstractObject| match it {
            AbstractObject::Fixed | AbstractObject::Data => true,
            AbstractObject::Made(at) => matches!(
                self.all.graph.files()[at.file as usize].inst(at.inst),
                Inst::Object | Inst::Array(_)
            ),
            _ => false,
        };
        let is_known = !objects.is_empty() && objects.iter().all(is_plain);
        if is_known { (Waiting::Settles, false) } else { (Waiting::Unknown, true) }
    }

    fn waiting_of_call(&self, call: InstId, args: &[InstId], steps: u32) -> (Waiting, bool) {
        let callees = self.all.callees(self.at(call));
        let mut worst = (Waiting::Settles, false);
        if self.all.is_taken_to_read(self.at(call), callees) {
            worst = (Waiting::Answers, true);
        } else if callees.obstacle().is_some() && !self.all.is_known_to_run(self.at(call), callees)
        {
            return (Waiting::Unknown, true);
        }
        let mut join = |it| worst = worse(worst, it);
        let listed = self.is_plain_call(call, &callees.modelled).then_some(args);
        for &function in &callees.functions {
            if self.all.is_read_of(self.at(call), function) {
                join((Waiting::Answers, true));
                continue;
            }
            if let Some(apart) = self.settling_apart(call, function) {
                join(apart);
                continue;
            }
            let summary = self.all.called(function);
            join((self.settling_at(summary, listed), summary.rejects));
            if self.all.gives_read(function) {
                join((Waiting::Answers, true));
            }
        }
        for member in &callees.modelled {
            let is_race = member.native == Some(Native::Race)
                && self.all.graph.name(member) == "Promise.race";
            match (member.native, member.call) {
                (Some(Native::Race), _) if is_race => {
                    join(args.first().map_or((Waiting::Unknown, true), |&it| self.race(it, steps)));
                }
                (Some(Native::All | Native::Race | Native::AllSettled), _) => {
                    let of_list = args.first().map(|&list| self.waiting_of_list(list, steps));
                    let (waiting, rejects) = of_list.unwrap_or((Waiting::Unknown, true));
                    join((waiting, rejects && member.native != Some(Native::AllSettled)));
                }
                (Some(Native::Resolve), _) => {
                    let of_value = args.first().map(|&value| self.waiting_within(value, steps));
                    join(of_value.unwrap_or((Waiting::Settles, false)));
                }
                (Some(Native::Then | Native::Catch | Native::Finally), _) => {
                    join(self.waiting_of_reaction(call, member.native, args, steps));
                }
                (Some(Native::PromiseConstructor), _) => {
                    join((self.executor_wait(&callees.callbacks), true));
                }
                (Some(Native::Next), _) => join((Waiting::Settles, true)),
                (Some(Native::Join), _) => join((Waiting::Settles, false)),
                (Some(_), None) => join((Waiting::Unknown, true)),
                (_, Some(row)) if !self.is_covered(row, member.module, args) => {
                    join((Waiting::Unknown, true));
                }
                (None, Some(row)) if gives_callback(row) => {
                    join(self.waiting_of_callbacks(&callees.callbacks));
                    if row.promise != PromiseKind::No {
                        join((self.kind_of_wait(call, row, member.module, args), true));
                    }
                }
                (_, Some(row)) => join(match row.promise {
                    PromiseKind::No => (Waiting::Settles, false),
                    PromiseKind::Settles => (Waiting::Settles, true),
                    PromiseKind::Answers => (Waiting::Answers, true),
                    PromiseKind::Waits => (self.kind_of_wait(call, row, member.module, args), true),
                }),
                (None, None) => join((Waiting::Unknown, true)),
            }
        }
        worst
    }

    /// What functions give that a call calls, and whose results it gives.
    fn waiting_of_callbacks(&self, callbacks: &[FunctionRef]) -> (Waiting, bool) {
        let is_waited = |it: &FunctionRef| match self.called_by_others(*it, true) {
            Some((bare, _)) => (bare.settling, bare.rejects || bare.throws),
            None => {
                let summary = self.all.called(*it);
                (settling_elsewhere(summary), summary.rejects || summary.throws)
            }
        };
        callbacks.iter().map(is_waited).fold((Waiting::Settles, false), worse)
    }

    /// What `new Promise(executor)` waits for: the answer to a call that calls back, where whoever is
    /// called back settles the promise in any case.
    fn executor_wait(&self, executors: &[FunctionRef]) -> Waiting {
        let settles =
            |it: &FunctionRef| wrapper::settles(Roots { function: *it, is_bare: false, ..*self });
        if !executors.is_empty() && executors.iter().all(settles) {
            Waiting::Answers
        } else {
            Waiting::Waits
        }
    }

    /// What a promise that may take for ever: an answer, where all that the call does is
    /// reading something outside.
    fn kind_of_wait(&self, at: InstId, row: &Call, module: &str, args: &[InstId]) -> Waiting {
        let calls_nobody = row.calls_back == CallsBack::No && !row.changes_arguments();
        if !calls_nobody || row.receiver == Receiver::Writes {
            return Waiting::Waits;
        }
        if self.all.is_seen_to_read(self.at(at)) {
            return Waiting::Answers;
        }
        kind_of_answer(&self.resources(row, module, args, &self.objects_on(at)))
    }

    /// `Promise.all([…])`: each of its elements.
    fn waiting_of_list(&self, list: InstId, steps: u32) -> (Waiting, bool) {
        let Inst::Array(elements) = self.ir().inst(list) else {
            return self.waiting_of_mapped(list);
        };
        let mut worst = (Waiting::Settles, false);
        for &element in self.ir().args(elements) {
            let of_element = match self.ir().inst(element) {
                Inst::Spread(_) => (Waiting::Unknown, true),
                _ => self.waiting_within(element, steps),
            };
            worst = worse(worst, of_element);
        }
        worst
    }

    /// `Promise.race([…])`: the first of its elements.
    fn race(&self, list: InstId, steps: u32) -> (Waiting, bool) {
        let Inst::Array(elements) = self.ir().inst(list) else { return (Waiting::Unknown, true) };
        let each = self.ir().args(elements).iter().map(|&it| self.waiting_within(it, steps));
        let first = each.reduce(|a, b| (a.0.min(b.0), a.1 || b.1));
        first.unwrap_or((Waiting::Waits, false))
    }

    /// What `for await` over a value waits for: an asynchronous generator of the program, else
    /// nobody knows.
    pub(crate) fn waiting_of_iteration(&self, value: InstId) -> (Waiting, bool) {
        let is_call = matches!(self.ir().inst(value), Inst::Call { .. } | Inst::CallMethod { .. });
        let callees = self.all.callees(self.at(value));
        let is_known = is_call
            && callees.obstacle().is_none()
            && callees.modelled.is_empty()
            && !callees.functions.is_empty();
        if !is_known {
            return (Waiting::Unknown, true);
        }
        let of_each = callees.functions.iter().map(|&it| {
            let summary = self.all.of(it);
            (settling_elsewhere(summary), summary.rejects)
        });
        of_each.fold((Waiting::Settles, false), worse)
    }

    /// `Promise.all(list.map(f))`: what `f` returns.
    fn waiting_of_mapped(&self, list: InstId) -> (Waiting, bool) {
        let callees = self.all.callees(self.at(list));
        let is_map = |name: &str| name == "Array.map";
        let is_known = matches!(self.ir().inst(list), Inst::CallMethod { .. })
            && callees.obstacle().is_none()
            && !callees.callbacks.is_empty()
            && callees.modelled.iter().all(|it| is_map(&self.all.graph.name(it)));
        if !is_known {
            return (Waiting::Unknown, true);
        }
        let of_each = callees.callbacks.iter().map(|&it| {
            let summary = self.all.of(it);
            (settling_elsewhere(summary), summary.rejects)
        });
        of_each.fold((Waiting::Settles, false), worse)
    }

    /// `promise.then(…)`: the promise, and what the handlers return.
    fn waiting_of_reaction(
        &self,
        call: InstId,
        native: Option<Native>,
        args: &[InstId],
        steps: u32,
    ) -> (Waiting, bool) {
        let Inst::CallMethod { object, .. } = self.ir().inst(call) else {
            return (Waiting::Unknown, true);
        };
        let (mut waiting, mut rejects) = self.waiting_within(object, steps);
        let is_caught =
            native == Some(Native::Catch) || (native == Some(Native::Then) && args.len() > 1);
        if is_caught && !args.is_empty() {
            rejects = false;
        }
        let callees = self.all.callees(self.at(call));
        for &handler in &callees.callbacks {
            let summary = self.all.of(handler);
            waiting = waiting.and(settling_elsewhere(summary));
            rejects |= summary.rejects || summary.throws;
        }
        (waiting, rejects)
    }
}

/// Whether a call gives what a function gives that it calls.
pub(super) fn gives_callback(row: &Call) -> bool {
    row.returns.iter().any(|it| matches!(it, Flow::Callback(_)))
}
