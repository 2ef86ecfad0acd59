//! Writes that nobody waits for yet: what starts behind them starts late enough to see them, nearly
//! always, and may not start earlier (the contract, trap 33).

use std::sync::Arc;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_effects::{
    Assumption, Blocker, Code, Effects, Elsewhere, Overlap, Pending, Reading, Reason, Resource,
    Step, SummaryLocation, UnderWay,
};
use headstart_ir::{InstId, Span};
use rustc_hash::FxHashSet;

use crate::log::are_lines;
use crate::site::location_text;
use crate::unit::Scope;
use crate::words::callee_text;

/// How many callers up the search goes.
const DEEPEST_CALLER: u32 = 4;
/// How many callers are looked at.
const MOST_CALLERS: usize = 64;

/// What it takes for granted that an operation starts where the instruction `point` begins, and not where it stands
/// itself.
///
/// # Errors
/// What is under way there writes what it uses, or takes a lock; what starts in between has the time to end that the
/// operation takes.
pub(crate) fn conflict(
    scope: &Scope<'_, '_>,
    effects: &Effects,
    (point, operation): (InstId, InstId),
) -> Result<Option<Assumption>, Blocker> {
    let search = Search { scope, effects, span: scope.analysis.ir.span(operation) };
    let own = search.at(scope.analysis.at(point), true)?;
    search.reads_at(point)?;
    search.hurries(point, operation)?;
    let of_callers = search.callers(scope.at(), DEEPEST_CALLER, &mut FxHashSet::default())?;
    Ok(own.or(of_callers))
}

struct Search<'a, 's, 'p> {
    scope: &'a Scope<'s, 'p>,
    effects: &'a Effects,
    span: Span,
}

impl Search<'_, '_, '_> {
    /// What is under way at an instruction, as far as its own function has started it.
    fn at(&self, point: InstRef, is_own: bool) -> Result<Option<Assumption>, Blocker> {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[point.file as usize];
        let function = summaries.graph.function_at(point);
        let mut guess = None;
        for pending in summaries.pending(function).iter() {
            let Some(UnderWay { writes, is_guess }) = pending.under_way(ir, point.inst) else {
                continue;
            };
            let used = self.effects.reads.iter().chain(&self.effects.writes);
            let clash = self.clash(function, writes, used, is_own);
            if let (true, Some(what)) = (is_guess, &clash) {
                guess.get_or_insert_with(|| self.is_over(point, what, pending));
                continue;
            }
            let is_held = pending.locks && is_own && !writes.is_empty();
            let reason = match clash {
                Some(what) => Code::MayStillBeWritten.with(&[&what]),
                None if is_held => Code::LockNotTakenYet.into(),
                None => continue,
            };
            return Err(self.blocker(reason, point.file, pending.at));
        }
        Ok(guess)
    }

    /// What its own function has started and is still reading must not be written.
    fn reads_at(&self, point: InstId) -> Result<(), Blocker> {
        let writes = &self.effects.writes;
        if !writes.iter().any(|it| matches!(it, SummaryLocation::Resource(..))) {
            return Ok(());
        }
        let (ir, function) = (self.scope.analysis.ir, self.scope.at());
        let readings = self.scope.summaries.pending_reads(function);
        for reading in readings.iter().filter(|it| it.is_under_way(ir, point)) {
            if let Some(what) = self.clash(function, &reading.reads, writes.iter(), true) {
                let reason = Code::MayStillBeRead.with(&[&what]);
                return Err(self.blocker(reason, function.file, reading.at));
            }
        }
        Ok(())
    }

    /// What starts behind the new place of the operation, and that nobody waits for at once, has the time to end that
    /// the operation takes: without that, what comes next may find it half written, though all starts in the same
    /// order.
    fn hurries(&self, point: InstId, operation: InstId) -> Result<(), Blocker> {
        let (summaries, function) = (self.scope.summaries, self.scope.at());
        let ir = self.scope.analysis.ir;
        let begins = |&(first, end): &(InstId, InstId)| first <= point && operation < end;
        let around = ir.loops_around(operation).filter(begins).map(|it| it.0).min();
        let next = around.unwrap_or(InstId::new(operation.index() + 1));
        let is_between = |at: InstId| point <= at && at < operation;
        let mut seen = FxHashSet::default();
        for pending in summaries.pending(function).iter().filter(|it| is_between(it.at)) {
            self.follows((function, next), pending, DEEPEST_CALLER, &mut seen)?;
        }
        let takes_input = |it: &&Reading| it.reads.iter().any(SummaryLocation::is_input);
        let readings = summaries.pending_reads(function);
        for reading in readings.iter().filter(|it| is_between(it.at)).filter(takes_input) {
            for step in self.steps_behind(function, next) {
                let inputs = reading.reads.iter().filter(|it| it.is_input());
                let uses = used(&step).filter(|it| it.is_input());
                if reading.is_under_way(ir, step.at)
                    && let Some(what) = self.clash(function, inputs, uses, true)
                {
                    return Err(self.gives_time(&what, function, reading.at));
                }
            }
        }
        Ok(())
    }

    /// What comes behind an instruction uses what a call has left under way: in its function, and in those that call
    /// that, each call once from each depth.
    fn follows(
        &self,
        (function, next): (FunctionRef, InstId),
        pending: &Pending,
        depth: u32,
        seen: &mut FxHashSet<(InstRef, u32)>,
    ) -> Result<(), Blocker> {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[function.file as usize];
        let is_own = function == self.scope.at();
        for step in self.steps_behind(function, next) {
            let Some(UnderWay { writes, is_guess: false }) = pending.under_way(ir, step.at) else {
                continue;
            };
            if step.at != pending.at
                && let Some(what) = self.clash(function, writes, used(&step), is_own)
            {
                return Err(self.gives_time(&what, function, pending.at));
            }
        }
        let end = ir.function(function.function).end;
        let is_left = pending.under_way(ir, end).is_some_and(|it| !it.writes.is_empty());
        let Some(depth) = depth.checked_sub(1).filter(|_| is_left) else { return Ok(()) };
        for &call in summaries.callers(function).iter().take(MOST_CALLERS) {
            if !seen.insert((call, depth)) {
                continue;
            }
            let caller = summaries.graph.function_at(call);
            let behind = InstId::new(call.inst.index() + 1);
            let all = summaries.pending(caller);
            if let Some(pending) = all.iter().find(|it| it.at == call.inst) {
                self.follows((caller, behind), pending, depth, seen)?;
            }
        }
        Ok(())
    }

    fn gives_time(&self, what: &str, function: FunctionRef, at: InstId) -> Blocker {
        self.blocker(Code::GivesTime.with(&[what]), function.file, at)
    }

    fn steps_behind(&self, function: FunctionRef, next: InstId) -> Vec<Arc<Step>> {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[function.file as usize];
        summaries.steps(function, next, ir.function(function.function).end)
    }

    /// That what a call has started is over when the call is.
    fn is_over(&self, point: InstRef, what: &str, pending: &Pending) -> Assumption {
        let ir = self.scope.summaries.graph.files()[point.file as usize];
        let span = ir.span(pending.at);
        let name = callee_text(ir, pending.at);
        let reason = Code::LeavesNothingBehind.with(&[&name, what]);
        let elsewhere = vec![Elsewhere { file: point.file as usize, span }];
        Assumption { elsewhere, ..Assumption::new(reason, self.span) }
    }

    fn blocker(&self, reason: Reason, file: u32, at: InstId) -> Blocker {
        let ir = self.scope.summaries.graph.files()[file as usize];
        let place = Elsewhere { file: file as usize, span: ir.span(at) };
        Blocker { elsewhere: vec![place], ..Blocker::new(reason, self.span) }
    }

    /// What the operation uses of what is under way. What callers leave has to be the same for certain.
    fn clash<'l>(
        &self,
        function: FunctionRef,
        under_way: impl IntoIterator<Item = &'l SummaryLocation>,
        used: impl Iterator<Item = &'l SummaryLocation> + Clone,
        is_own: bool,
    ) -> Option<String> {
        for other in under_way {
            for used in used.clone() {
                if are_lines(used, other) {
                    continue;
                }
                let found = self.scope.summaries.overlap(function, used, other);
                // What code that nobody knows reads may be that, and need not.
                let is_certain = !matches!(used, SummaryLocation::Resource(Resource::Outside, _));
                if (found == Overlap::Yes && (is_certain || is_own))
                    || (is_own && found == Overlap::Alias)
                {
                    return Some(location_text(self.scope.analysis, used));
                }
            }
        }
        None
    }

    /// What those have started who call the function.
    fn callers(
        &self,
        function: FunctionRef,
        depth: u32,
        seen: &mut FxHashSet<FunctionRef>,
    ) -> Result<Option<Assumption>, Blocker> {
        let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
        if !seen.insert(function) || seen.len() > MOST_CALLERS {
            return Ok(None);
        }
        let summaries = self.scope.summaries;
        let mut guess = None;
        for &call in summaries.callers(function).iter() {
            let caller = summaries.graph.function_at(call);
            let here = self.at(call, false)?;
            let above = self.callers(caller, depth, seen)?;
            guess = guess.or(here).or(above);
        }
        Ok(guess)
    }
}

/// What an instruction uses, at once and later.
fn used(step: &Step) -> impl Iterator<Item = &SummaryLocation> + Clone {
    let all = [&step.now, &step.later].into_iter();
    all.flat_map(|it| it.reads.iter().chain(&it.writes))
}
