//! Promises that a function starts and that may be rejected before anybody sees it: nobody waits for them,
//! or not at once. Where such a function runs though the original would not have come to it, the program
//! may end with an unhandled rejection that it did not have (the contract, S3).

use headstart_callgraph::{Callees, FunctionRef, Native};
use headstart_ir::{FileIr, Inst, InstId, StmtKind};
use headstart_models::PromiseKind;

use super::compute::Computation;
use super::pending::is_certain;
use super::structure::is_waited_at_once;
use super::{Summaries, Summary};

impl Computation<'_, '_> {
    /// Whether the promise that a call gives may be rejected while nobody handles that, or one that it
    /// makes on the way and drops.
    pub(super) fn abandons(&self, id: InstId) -> bool {
        if self.roots.is_local {
            // Who asks for a single call judges what becomes of its promise.
            return false;
        }
        let all = self.roots.all;
        let callees = all.callees(self.roots.at(id));
        if all.drops_callbacks(callees) {
            return true;
        }
        let is_made = all.gives_callbacks(callees) || self.makes_promise(id, callees);
        is_made && !is_waited_at_once(self.ir, id, self.structure.cleans_up) && !self.is_handled(id)
    }

    /// Whether a call makes a promise that may be rejected.
    fn makes_promise(&self, id: InstId, callees: &Callees<'_>) -> bool {
        let all = self.roots.all;
        let is_async = |it: &FunctionRef| {
            let data = all.graph.files()[it.file as usize].function(it.function);
            data.is_async && !data.is_generator
        };
        let makes = callees.functions.iter().any(is_async)
            || (all.graph.may_be_promise(self.roots.at(id))
                && (!callees.functions.is_empty()
                    || callees.modelled.iter().any(|it| match it.native {
                        Some(native) => gives_promise(native),
                        None => it.call.is_some_and(|row| row.promise != PromiseKind::No),
                    })));
        makes && self.roots.waiting(id).1
    }

    /// Whether somebody handles the failure of a promise before anything else may happen.
    fn is_handled(&self, id: InstId) -> bool {
        let joins = self.roots.all.joins(self.roots.function);
        let end = self.ir.function(self.roots.function.function).end;
        let stops = self.stops.get_or_init(|| self.find_stops());
        let next = stops.partition_point(|&it| it <= id);
        let next = stops.get(next).copied().unwrap_or(end);
        joins.handlers(id).iter().any(|&handler| {
            let stops_before = |&(first, end): &(InstId, InstId)| {
                let of_turn = stops.partition_point(|&it| it < first);
                handler >= end && stops.get(of_turn).is_some_and(|&it| it < end)
            };
            handler <= next
                && is_certain(self.ir, id, handler, end)
                && !self.ir.loops_around(id).any(|it| stops_before(&it))
        })
    }

    /// Where others may run, or control may go elsewhere, in order.
    fn find_stops(&self) -> Vec<InstId> {
        let data = self.ir.function(self.roots.function.function);
        let is_stop = |id: &InstId| {
            let inst = self.ir.inst(*id);
            inst.is_suspend_point() || matches!(inst, Inst::Return(_)) || self.may_throw(*id)
        };
        let mut stops: Vec<InstId> = FileIr::range(data.first, data.end).filter(is_stop).collect();
        let mut blocks = vec![data.body];
        while let Some(block) = blocks.pop() {
            for stmt in self.ir.block(block).iter().map(|&it| self.ir.stmt(it)) {
                match &stmt.kind {
                    StmtKind::Break { .. } | StmtKind::Continue { .. } | StmtKind::Return => {
                        stops.push(stmt.first);
                    }
                    kind => blocks.extend(kind.nested()),
                }
            }
        }
        stops.sort_unstable();
        stops
    }

    /// What a callee drops.
    pub(super) fn abandon_through(&mut self, callee: &Summary) {
        self.summary.abandons |= callee.abandons;
        self.summary.lingers |= callee.lingers;
    }
}

impl Summaries<'_> {
    fn rejects_later(&self, function: FunctionRef) -> bool {
        let data = self.graph.files()[function.file as usize].function(function.function);
        data.is_async && !data.is_generator && self.of(function).rejects
    }

    /// Whether a call gives what asynchronous functions have given that it calls back: `list.map(f)`.
    fn gives_callbacks(&self, callees: &Callees<'_>) -> bool {
        let takes_over = |it: &Option<Native>| it.is_some_and(gives_promise);
        !callees.modelled.iter().any(|it| {
            takes_over(&it.native) || it.call.is_some_and(|row| row.promise != PromiseKind::No)
        }) && callees.callbacks.iter().any(|&it| self.rejects_later(it))
    }

    /// Whether a call drops what functions give that it calls back: `new Promise(async () => …)`.
    fn drops_callbacks(&self, callees: &Callees<'_>) -> bool {
        callees.modelled.iter().any(|it| it.native == Some(Native::PromiseConstructor))
            && callees.callbacks.iter().any(|&it| self.rejects_later(it))
    }
}

/// Whether a native function gives a promise of its own, made of what it is on or given.
fn gives_promise(native: Native) -> bool {
    matches!(
        native,
        Native::Then
            | Native::Catch
            | Native::Finally
            | Native::All
            | Native::AllSettled
            | Native::Race
            | Native::Resolve
            | Native::PromiseConstructor
    )
}
