//! What starts when somebody waits for it: queries that are built first, requests that can be waited for.
//!
//! Building such an object only computes. Its effects happen where it is awaited, where its `then` is
//! called, where it is handed to `Promise.all`, and where an `async` function or a handler returns it.

use headstart_callgraph::{Awaited, Callees, FunctionRef, InstRef, Native, PathKey};
use headstart_ir::{Inst, InstId};
use headstart_models::{CallsBack, Condition, PromiseKind, Receiver};
use rustc_hash::FxHashSet;

use super::compute::Computation;
use super::order::When;
use super::place::{Location, Which};
use super::readers::drop_written_outside;
use super::roots::Roots;
use super::row::arguments;
use super::{Assumed, Effects, Summaries, Waiting};

const LATER: When = When { before: false, after: true };

/// Through how many functions that hand on what they are given it is looked.
const FEW_FUNCTIONS: u32 = 4;

impl Roots<'_, '_> {
    /// Whether an object may be of this type after all: where the call that makes it gives another one
    /// for some arguments, these decide.
    fn is_made(&self, awaited: &Awaited<'_>) -> bool {
        let Some(made_at) = awaited.made_at else { return true };
        let callees = self.all.callees(made_at);
        let of_rows: Vec<bool> = callees
            .modelled
            .iter()
            .filter_map(|it| Some((it.module, it.call?)))
            .filter(|(_, row)| row.cases.iter().any(|it| it.is_a.is_some()))
            .map(|(module, row)| {
                let maker = Roots {
                    function: self.all.graph.function_at(made_at),
                    is_bare: false,
                    ..*self
                };
                let ir = maker.ir();
                let args =
                    arguments(ir.inst(made_at.inst)).map(|it| ir.args(it)).unwrap_or_default();
                let case = row.cases.iter().find(|case| maker.applies(&case.when, module, args));
                let chosen = case.and_then(|it| it.is_a.as_ref()).or(row.is_a.as_ref());
                chosen.is_none_or(|it| it.rsplit('#').next() == Some(awaited.of_type))
            })
            .collect();
        of_rows.is_empty() || of_rows.contains(&true)
    }

    /// What waiting for an object does outside memory. Conditions are about the arguments of the call
    /// that has made it.
    fn effects_of_waiting(&self, awaited: &Awaited<'_>) -> Effects {
        let module = awaited.module.module.as_str();
        if !self.is_made(awaited) {
            return Effects::default();
        }
        let on: Vec<_> = awaited.object.into_iter().collect();
        let Some(made_at) = awaited.made_at else {
            return self.resources(awaited.call, module, &[], &on);
        };
        let maker = self.all.graph.function_at(made_at);
        let roots = Roots { function: maker, is_bare: false, ..*self };
        let ir = roots.ir();
        let args = arguments(ir.inst(made_at.inst)).map(|it| ir.args(it)).unwrap_or_default();
        let effects = roots.resources(awaited.call, module, args, &on);
        if maker == self.function {
            return effects;
        }
        // What the parameters of another function decide nobody decides here.
        let closed = |it: Location| match it {
            Location::Resource(kind, Which::Held(_) | Which::Unless(_) | Which::Queried(_)) => {
                Location::Resource(kind, Which::Any)
            }
            other => other,
        };
        let reads = effects.reads.into_iter().map(closed).collect();
        Effects::new(reads, effects.writes.into_iter().map(closed).collect())
    }

    /// What waiting for such objects waits for, and whether it may be rejected.
    pub(crate) fn waiting_of_awaited(&self, all: &[Awaited<'_>]) -> (Waiting, bool) {
        let of_each = all.iter().filter(|it| self.is_made(it)).map(|it| {
            let waiting = match it.call.promise {
                PromiseKind::No | PromiseKind::Settles => Waiting::Settles,
                PromiseKind::Answers => Waiting::Answers,
                PromiseKind::Waits => {
                    let effects = self.effects_of_waiting(it);
                    if it.call.receiver == Receiver::Writes {
                        Waiting::Waits
                    } else {
                        super::awaits::kind_of_answer(&effects)
                    }
                }
            };
            (waiting, true)
        });
        of_each.fold((Waiting::Settles, false), super::awaits::worse)
    }
}

impl<'p> Computation<'_, 'p> {
    /// Somebody waits for a value: what starts then.
    pub(crate) fn waited_for(&mut self, value: InstId, when: When) {
        // A method `then` of the program runs, and what that does shows nowhere else.
        if self.roots.all.graph.may_be_thenable(self.roots.at(value)) {
            self.anything(value);
        }
        let awaited = self.roots.all.graph.awaited(self.roots.at(value));
        self.awaited(&awaited, Some(value), when);
        for it in &awaited {
            if self.roots.all.graph.is_keeper(it) {
                self.read_kept_in(value, when);
            }
            match it.call.receiver {
                Receiver::None => {}
                Receiver::Reads => self.read_below(value, PathKey::ANY, when),
                Receiver::ReadsBelow => {
                    self.read_deep(value, when);
                    self.read_kept_in(value, when);
                }
                Receiver::Writes => self.write_below(value, PathKey::ANY, when),
            }
        }
    }

    /// The same of what a list holds.
    pub(crate) fn elements_waited_for(&mut self, list: InstId, when: When) {
        match self.ir.inst(list) {
            Inst::Array(elements) => {
                for &element in self.ir.args(elements) {
                    match self.ir.inst(element) {
                        Inst::Spread(inner) => self.elements_waited_for(inner, when),
                        _ => self.waited_for(element, when),
                    }
                }
            }
            _ => {
                let awaited = self.roots.all.graph.awaited_elements(self.roots.at(list));
                self.awaited(&awaited, None, when);
            }
        }
    }

    /// What starts where these are waited for; `by` gives them, where it is one call.
    fn awaited(&mut self, awaited: &[Awaited<'p>], by: Option<InstId>, when: When) {
        let seen = by.filter(|it| self.roots.all.is_seen_to_read(self.roots.at(*it)));
        for it in awaited {
            if it.call.assumes.is_some() || it.call.cases.iter().any(|it| it.assumes.is_some()) {
                self.grant(&it.made_at.into_iter().collect());
            }
            let mut effects = self.roots.effects_of_waiting(it);
            if let Some(call) = seen
                && drop_written_outside(&mut effects)
            {
                self.reads_by_name(call, Assumed::default(), when);
            }
            self.add(effects, when);
        }
    }

    /// What a function gives that somebody waits for who has called it back.
    fn result_waited_for(&mut self, function: FunctionRef) {
        let awaited = self.roots.all.graph.awaited_result(function);
        self.awaited(&awaited, None, LATER);
    }

    /// A call that waits for what it is on, or given, or for what functions give that it calls back.
    pub(crate) fn waits_within(
        &mut self,
        inst: Inst,
        args: &[InstId],
        callees: &Callees<'p>,
        when: When,
    ) {
        let settles = match inst {
            Inst::Call { callee, .. } => self.roots.all.graph.may_settle(self.roots.at(callee)),
            _ => false,
        };
        if let (true, Some(&value)) = (settles, args.first()) {
            self.waited_for(value, LATER);
        }
        for member in &callees.modelled {
            match (member.native, inst) {
                (
                    Some(Native::Then | Native::Catch | Native::Finally),
                    Inst::CallMethod { object, .. },
                ) => self.waited_for(object, when),
                (Some(Native::All | Native::AllSettled | Native::Race), _) => {
                    if let Some(&list) = args.first() {
                        self.elements_waited_for(list, when);
                    }
                }
                (Some(Native::Resolve), _) => {
                    if let Some(&value) = args.first() {
                        self.waited_for(value, when);
                    }
                }
                (Some(_), _) => continue,
                (None, _) => {
                    let may_wait = |it: &headstart_models::Call| {
                        it.promise != PromiseKind::No || it.calls_back == CallsBack::Later
                    };
                    if !member.call.is_some_and(may_wait) {
                        continue;
                    }
                    for &arg in args {
                        self.waited_for(arg, LATER);
                        self.elements_waited_for(arg, LATER);
                    }
                }
            }
            for &function in &callees.callbacks {
                self.result_waited_for(function);
            }
        }
    }
}

impl Summaries<'_> {
    /// Whether a condition applies to the arguments of a call.
    pub(crate) fn applies(&self, when: &Condition, call: InstRef) -> bool {
        let computation = self.computation(self.graph.function_at(call));
        let ir = self.graph.files()[call.file as usize];
        let args = arguments(ir.inst(call.inst)).map(|it| ir.args(it)).unwrap_or_default();
        computation.roots.applies(when, "", args)
    }

    /// Whether nothing has started of what a value is before somebody waits for it, or may not have: what code that
    /// nobody knows gives may be a query that is sent each time somebody waits for it.
    #[must_use]
    pub fn is_lazy(&self, at: InstRef) -> bool {
        let awaited = self.graph.awaited(at);
        awaited.iter().any(|it| it.is_lazy)
            || awaited.is_empty()
                && self.may_give_unknown(at, FEW_FUNCTIONS, &mut FxHashSet::default())
    }

    /// Whether a call may give what code gives that nobody knows: itself, or by way of functions that hand it on, each of
    /// which is looked at once.
    fn may_give_unknown(
        &self,
        call: InstRef,
        steps: u32,
        seen: &mut FxHashSet<FunctionRef>,
    ) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return true };
        let ir = self.graph.files()[call.file as usize];
        if !matches!(ir.inst(call.inst), Inst::Call { .. } | Inst::CallMethod { .. }) {
            return false;
        }
        let callees = self.callees(call);
        callees.obstacle().is_some()
            || callees.functions.iter().any(|&it| {
                let data = self.graph.files()[it.file as usize].function(it.function);
                !data.is_async
                    && seen.insert(it)
                    && self
                        .graph
                        .returned_values(it)
                        .any(|it| self.may_give_unknown(it, steps, seen))
            })
    }
}
