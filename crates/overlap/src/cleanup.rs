//! What runs when an operation has failed, and could meet another that is still under way (the
//! contract, trap 19): handlers and `finally` around it, reactions to its promise, and all that goes on
//! once somebody has recovered, in its function and in those that call it.

use headstart_callgraph::{FunctionRef, InstRef, Native};
use headstart_effects::{
    Assumption, Blocker, Code, Effects, Elsewhere, Overlap, Place, Reason, Resource,
    SummaryLocation, Topic, Waiting, Which,
};
use headstart_ir::order;
use headstart_ir::{BlockId, DeclKind, FileIr, Inst, InstId, Span, StmtKind};
use rustc_hash::FxHashSet;

use crate::site::location_text;
use crate::unit::{Scope, is_by_name};

/// How many places the search looks at, callers and what they do with promises; where there are more,
/// somebody cleans up.
const MOST_PLACES: usize = 256;

/// What could meet an operation that is still under way when another has failed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cleanup {
    /// Something that runs then writes what the operation reads.
    pub(crate) blocker: Option<Blocker>,
    /// What runs then is taken to write something else, where that, or what it is, is not known.
    pub(crate) assumptions: Vec<Assumption>,
}

/// What runs when an operation fails that stands beside one that starts earlier.
pub(crate) fn conflict(scope: Scope<'_, '_>, at: InstId, span: Span, effects: &Effects) -> Cleanup {
    conflict_outside(scope, at, span, effects, None)
}

/// The same, where some instructions of the function are known to touch something else than the operation.
pub(crate) fn conflict_outside(
    scope: Scope<'_, '_>,
    at: InstId,
    span: Span,
    effects: &Effects,
    apart: Option<(InstId, InstId)>,
) -> Cleanup {
    let reads: Vec<SummaryLocation> =
        effects.reads.iter().filter(|it| is_outside(it)).cloned().collect();
    let (found, seen) = (Cleanup::default(), FxHashSet::default());
    let goes_on = reads_on(scope, at);
    let looked_at = effects.reads.iter().filter_map(SummaryLocation::place).copied().collect();
    let mut search = Search { scope, span, apart, goes_on, looked_at, found, seen };
    if !reads.is_empty() {
        search.run(scope.analysis.at(at), reads);
    }
    search.found
}

/// Whether an operation is a function of the program that reads outside when it has waited.
fn reads_on(scope: Scope<'_, '_>, at: InstId) -> bool {
    let summaries = scope.summaries;
    let mut functions = summaries.graph.callees(scope.analysis.at(at)).functions.iter();
    functions.any(|&it| summaries.of(it).after.reads.iter().any(is_outside))
}

fn is_outside(location: &SummaryLocation) -> bool {
    matches!(location, SummaryLocation::Resource(..))
}

/// A place where a failure may arrive.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Failure {
    /// An operation, a call, or another value that is a promise for what failed.
    at: InstRef,
    /// What may still be read, as the function of the place names it.
    reads: Vec<SummaryLocation>,
    /// Whether somebody has taken care of the failure already, so that the program goes on.
    is_recovered: bool,
}

struct Search<'s, 'p> {
    scope: Scope<'s, 'p>,
    span: Span,
    /// What of its function touches something else.
    apart: Option<(InstId, InstId)>,
    /// Whether the operation starts more reads when it has waited.
    goes_on: bool,
    /// The places in memory that it looks at, as its function names them.
    looked_at: Vec<Place>,
    found: Cleanup,
    seen: FxHashSet<Failure>,
}

/// What becomes of a promise.
#[derive(Default)]
struct Uses {
    /// Where it is waited for.
    awaited: Vec<InstId>,
    /// Whether the function hands it to its callers.
    is_returned: bool,
    /// Promises that are rejected when it is; nothing runs before they are.
    passed_on: Vec<InstId>,
    /// The same, but something runs before.
    derived: Vec<InstId>,
    /// The same, but a handler or another promise may take care of the failure.
    recovering: Vec<InstId>,
    /// Whether it goes where nobody follows it.
    is_lost: bool,
}

impl Search<'_, '_> {
    fn run(&mut self, at: InstRef, reads: Vec<SummaryLocation>) {
        let mut pending = vec![Failure { at, reads, is_recovered: false }];
        while let Some(failure) = pending.pop() {
            if self.found.blocker.is_some() {
                return;
            }
            if !self.seen.insert(failure.clone()) {
                continue;
            }
            if self.seen.len() > MOST_PLACES {
                self.found.blocker = Some(Blocker::new(Code::TooManyPlaces, self.span));
                return;
            }
            self.arrive(failure, &mut pending);
        }
    }

    /// A failure arrives at a place: what runs in its function, and where it arrives next.
    fn arrive(&mut self, failure: Failure, pending: &mut Vec<Failure>) {
        let summaries = self.scope.summaries;
        let Failure { at, reads, mut is_recovered } = failure;
        let ir = summaries.graph.files()[at.file as usize];
        let function = summaries.graph.function_at(at);
        let last = ir.function(function.function).end;
        let mut leaves = true;
        let mut goes_on = is_recovered;
        if !is_recovered {
            let uses = self.uses(at);
            for &inst in &uses.passed_on {
                let at = InstRef { inst, ..at };
                pending.push(Failure { at, reads: reads.clone(), is_recovered });
            }
            for (values, recovers) in [(&uses.derived, false), (&uses.recovering, true)] {
                for &inst in values {
                    let next = InstId::new(inst.index() + 1);
                    self.clash(function, &reads, (inst, next), false);
                    let at = InstRef { inst, ..at };
                    pending.push(Failure { at, reads: reads.clone(), is_recovered: recovers });
                }
            }
            leaves = uses.is_returned;
            for &place in uses.awaited.iter().chain([&at.inst]) {
                let meeting = meeting(ir, place, last);
                for &range in &meeting.ranges {
                    self.clash(function, &reads, range, false);
                    self.clash_in_memory(function, range);
                }
                is_recovered |= meeting.is_handled;
                goes_on |= meeting.goes_on;
                leaves |= !uses.awaited.is_empty();
            }
            // Whoever finds a place in its own function judges what that declares.
            if function != self.scope.at() {
                for range in disposals(ir, at.inst, last) {
                    self.clash(function, &reads, range, false);
                }
            }
            is_recovered |= uses.is_lost;
            goes_on |= uses.is_lost;
            // What is neither waited for nor handed on ends with the function that made it.
            leaves |= is_recovered;
        }
        if goes_on {
            // Whoever goes on does not look at the result: only what is removed or moved is missed.
            for range in going_on(ir, at.inst, last) {
                self.clash(function, &reads, range, true);
                self.clash_in_memory(function, range);
                self.outlast(function, range);
            }
        }
        if leaves && self.is_watched(function) {
            let span = ir.function(function.function).span;
            self.meet_unknown(function, &reads, span);
        }
        // What code that nobody knows reads may be what callers clean up, and need not.
        let is_known = |it: &SummaryLocation| kind(it) != Some(Resource::Outside);
        let reads: Vec<SummaryLocation> = reads.into_iter().filter(is_known).collect();
        if leaves && !reads.is_empty() {
            for &caller in summaries.callers(function) {
                let reads = self.as_caller(caller, &reads);
                pending.push(Failure { at: caller, reads, is_recovered });
            }
        }
    }

    /// Where somebody has recovered, what waits for a time is a barrier (the contract, S6): reads that start behind it
    /// would have been in front.
    fn outlast(&mut self, function: FunctionRef, (first, end): (InstId, InstId)) {
        if !self.goes_on {
            return;
        }
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[function.file as usize];
        // Further up hardly anything else is meant to be one.
        let is_own = function == self.scope.at();
        let is_timer = |value| {
            let callees = summaries.graph.callees(InstRef { file: function.file, inst: value });
            callees.modelled.iter().any(|it| it.module == "timers/promises")
        };
        let waits = |id: &InstId| match ir.inst(*id) {
            Inst::Await(value) => {
                (is_own || is_timer(value))
                    && summaries.waiting(function, value).0 == Waiting::Waits
            }
            _ => false,
        };
        if let Some(barrier) = FileIr::range(first, end).find(waits) {
            self.assume(function, Code::ReadInVainIsNotMissed.into(), ir.span(barrier));
        }
    }

    /// Whether somebody stands between a function and those who call it, and sees it fail: a decorator, who
    /// has a callback for it, or an emitter that takes care of what its listeners reject with.
    fn is_watched(&self, function: FunctionRef) -> bool {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[function.file as usize];
        let members = ir.classes.iter().flat_map(|it| &it.members);
        let is_decorated =
            members.clone().any(|it| it.function == function.function && it.is_decorated);
        is_decorated
            || summaries.tells_callback(function)
            || (self.scope.analysis.facts.captures_rejections && self.listens(function))
    }

    /// Whether a function is given to an emitter, to be called for an event.
    fn listens(&self, function: FunctionRef) -> bool {
        const EVENTS: [Native; 2] = [Native::On, Native::Emit];
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[function.file as usize];
        let mut calls = summaries.callers(function).iter();
        let given = || {
            let is_call = |it: &InstId| {
                let Inst::CallMethod { args, .. } = ir.inst(*it) else { return false };
                let is_it = |it: &InstId| ir.inst(*it) == Inst::Closure(function.function);
                ir.args(args).iter().any(is_it)
            };
            let all = (0..ir.insts.len()).map(InstId::new);
            all.filter(is_call)
                .any(|inst| summaries.reacts(InstRef { file: function.file, inst }, &EVENTS))
        };
        calls.any(|&it| summaries.reacts(it, &EVENTS)) || given()
    }

    /// What may still be read, as a caller names it.
    fn as_caller(&self, call: InstRef, reads: &[SummaryLocation]) -> Vec<SummaryLocation> {
        let kinds: Vec<Resource> = reads.iter().filter_map(kind).collect();
        let is_fixed = |it: &SummaryLocation| {
            matches!(it, SummaryLocation::Resource(_, Which::Named(_) | Which::Any))
        };
        if reads.iter().all(is_fixed) {
            return reads.to_vec();
        }
        let summaries = self.scope.summaries;
        let function = summaries.graph.function_at(call);
        let next = InstId::new(call.inst.index() + 1);
        let mut found: Vec<SummaryLocation> = Vec::new();
        for step in summaries.steps(function, call.inst, next) {
            if step.is_anything {
                found.extend(kinds.iter().map(|&it| SummaryLocation::Resource(it, Which::Any)));
            }
            let read = step.now.reads.iter().chain(&step.later.reads);
            let read = read.filter(|it| kind(it).is_some_and(|it| kinds.contains(&it)));
            found.extend(read.cloned());
        }
        if found.is_empty() {
            found.extend(kinds.iter().map(|&it| SummaryLocation::Resource(it, Which::Any)));
        }
        order::sort(&mut found);
        found.dedup();
        found
    }

    /// What becomes of the promise that an instruction gives.
    fn uses(&self, at: InstRef) -> Uses {
        let summaries = self.scope.summaries;
        let ir = summaries.graph.files()[at.file as usize];
        let function = summaries.graph.function_at(at);
        let data = ir.function(function.function);
        let mut uses = Uses::default();
        let mut values = vec![at.inst];
        let mut seen: FxHashSet<InstId> = values.iter().copied().collect();
        while let Some(value) = values.pop() {
            for id in FileIr::range(data.first, data.end) {
                let mut is_used = false;
                ir.inst(id).for_each_operand(ir, &mut |it| is_used |= it == value);
                if !is_used {
                    continue;
                }
                let place = InstRef { inst: id, ..at };
                match ir.inst(id) {
                    Inst::Await(_) => uses.awaited.push(id),
                    Inst::Return(_) => uses.is_returned = true,
                    Inst::StoreVar { var, .. } => {
                        let variable = ir.variable(var);
                        uses.is_lost |= variable.is_captured || variable.owner != function.function;
                        let loads = FileIr::range(data.first, data.end)
                            .filter(|&it| ir.inst(it) == Inst::LoadVar(var));
                        values.extend(loads.filter(|&it| seen.insert(it)));
                    }
                    Inst::Array(_) | Inst::Select(..) => {
                        if seen.insert(id) {
                            values.push(id);
                        }
                    }
                    // `promise.then`, read to be called.
                    Inst::Get { object, .. }
                        if object == value && summaries.is_method_read(place) => {}
                    Inst::CallMethod { object, args, .. } if object == value => {
                        let args = ir.args(args);
                        let may_handle = args.len() > 1
                            || args.iter().any(|&it| matches!(ir.inst(it), Inst::Spread(_)));
                        let is = |native| summaries.reacts(place, &[native]);
                        let handles = is(Native::Catch) || (is(Native::Then) && may_handle);
                        if handles {
                            uses.recovering.push(id);
                        } else if is(Native::Then) {
                            uses.passed_on.push(id);
                        } else if is(Native::Finally) {
                            uses.derived.push(id);
                        } else {
                            uses.is_lost = true;
                        }
                        // What has such a method and is not known may do more with it.
                        uses.is_lost |= summaries.graph.callees(place).obstacle().is_some();
                    }
                    Inst::CallMethod { .. } if summaries.reacts(place, &[Native::All]) => {
                        uses.passed_on.push(id);
                    }
                    Inst::CallMethod { .. }
                        if summaries.reacts(place, &[Native::AllSettled, Native::Race]) =>
                    {
                        uses.recovering.push(id);
                    }
                    _ => uses.is_lost = true,
                }
            }
        }
        uses
    }

    /// Notes where some instructions write what is read. `is_late`: the result of the read is not
    /// looked at any more.
    fn clash(
        &mut self,
        function: FunctionRef,
        reads: &[SummaryLocation],
        (first, end): (InstId, InstId),
        is_late: bool,
    ) {
        let summaries = self.scope.summaries;
        let is_file = |it: &SummaryLocation| kind(it) == Some(Resource::File);
        if self.found.blocker.is_some() || first >= end || (is_late && !reads.iter().any(is_file)) {
            return;
        }
        let of_others = |at: InstId| {
            let is_apart = self.apart.is_some_and(|it| it.0 <= at && at < it.1);
            function != self.scope.at() || !is_apart
        };
        let steps = summaries.steps(function, first, end);
        for step in steps.into_iter().filter(|it| of_others(it.at)).collect::<Vec<_>>() {
            // Nobody reads any more when the program has ended.
            let at = InstRef { file: function.file, inst: step.at };
            if step.is_anything && summaries.only_ends(at) {
                continue;
            }
            if step.is_anything && is_by_name(&step) {
                let harmless =
                    step.assumed.iter().flat_map(|it| self.scope.analysis.harmless(it, self.span));
                self.found.assumptions.extend(harmless);
            } else if step.is_anything {
                let span = summaries.graph.files()[function.file as usize].span(step.at);
                self.meet_unknown(function, reads, span);
            }
            for written in step.now.writes.iter().chain(&step.later.writes) {
                for read in reads.iter().filter(|it| !is_late || is_file(it)) {
                    self.meet(function, read, written, step.at);
                }
            }
        }
    }

    /// Notes that a caller changes an object of the program while the operation may still look at it. What its own
    /// function changes is crossed there.
    fn clash_in_memory(&mut self, function: FunctionRef, (first, end): (InstId, InstId)) {
        if self.looked_at.is_empty() || function == self.scope.at() {
            return;
        }
        let summaries = self.scope.summaries;
        let is_looked_at = |it: &SummaryLocation| {
            it.place().is_some_and(|written| {
                let mut all = self.looked_at.iter();
                all.any(|it| !summaries.are_apart((self.scope.at(), it), (function, written)))
            })
        };
        for step in summaries.steps(function, first, end) {
            let mut written = step.now.writes.iter().chain(&step.later.writes);
            let is_kept = |it: &&SummaryLocation| {
                is_looked_at(it) && !self.scope.analysis.is_made_within(it, (first, end))
            };
            if let Some(written) = written.find(is_kept) {
                let what = location_text(self.scope.analysis, written);
                let span = summaries.graph.files()[function.file as usize].span(step.at);
                return self.assume(function, Code::CleanupWritesNone.with(&[&what]), span);
            }
        }
    }

    /// Notes that nobody knows what runs while something may still be read.
    fn meet_unknown(&mut self, function: FunctionRef, reads: &[SummaryLocation], at: Span) {
        let Some(read) = reads.first() else { return };
        let what = location_text(self.scope.analysis, read);
        self.assume(function, Code::UnknownCleanupWritesNone.with(&[&what]), at);
    }

    /// Takes it for granted that what runs at a place when something fails is harmless.
    fn assume(&mut self, function: FunctionRef, reason: Reason, span: Span) {
        let elsewhere = vec![Elsewhere { file: function.file as usize, span }];
        let topic = Topic::said(&reason);
        let assumption = Assumption { elsewhere, ..Assumption::new(reason, self.span) }.on(topic);
        if !self.found.assumptions.iter().any(|it| it.reason == assumption.reason) {
            self.found.assumptions.push(assumption);
        }
    }

    /// Notes that something is written while it may still be read, if it is the same.
    fn meet(
        &mut self,
        function: FunctionRef,
        read: &SummaryLocation,
        written: &SummaryLocation,
        at: InstId,
    ) {
        let summaries = self.scope.summaries;
        let overlap = summaries.overlap(function, read, written);
        if overlap == Overlap::No {
            return;
        }
        let what = location_text(self.scope.analysis, read);
        let span = summaries.graph.files()[function.file as usize].span(at);
        // Further up, what is not known to be the same is hardly the same; and nobody looks at what was read.
        let is_named = names_one(written) && names_one(read);
        let is_known = function == self.scope.at() || is_named || self.apart.is_some();
        // Of what is only called like a read nobody knows what it reads.
        let is_by_name = kind(read) == Some(Resource::Outside);
        if overlap == Overlap::Yes && is_known && !is_by_name {
            let elsewhere = vec![Elsewhere { file: function.file as usize, span }];
            let reason = Code::CleanupWrites.with(&[&what]);
            self.found.blocker = Some(Blocker { elsewhere, ..Blocker::new(reason, self.span) });
            return;
        }
        self.assume(function, Code::CleanupWritesNone.with(&[&what]), span);
    }
}

/// Whether a location is one file, host or the like, whose name is written out.
fn names_one(location: &SummaryLocation) -> bool {
    matches!(location, SummaryLocation::Resource(_, Which::Named(_)))
}

fn kind(location: &SummaryLocation) -> Option<Resource> {
    match location {
        SummaryLocation::Resource(kind, _) => Some(*kind),
        SummaryLocation::Memory(_) => None,
    }
}

/// What may run in a function after an instruction has failed.
struct Meeting {
    /// Handlers and `finally` blocks around it.
    ranges: Vec<(InstId, InstId)>,
    /// Whether a handler takes care of the failure.
    is_handled: bool,
    /// Whether the function may go on behind it.
    goes_on: bool,
}

fn meeting(ir: &FileIr, at: InstId, last: InstId) -> Meeting {
    let mut found = Meeting { ranges: Vec::new(), is_handled: false, goes_on: false };
    let range = |block: BlockId| ir.range_of_block(block);
    for stmt in &ir.stmts {
        let StmtKind::Try(parts) = &stmt.kind else { continue };
        if !(stmt.first <= at && at < stmt.end) {
            continue;
        }
        let is_in = |block: BlockId| range(block).is_some_and(|it| it.0 <= at && at < it.1);
        if is_in(parts.block) {
            found.ranges.extend(parts.handler.and_then(range));
            if let Some(handler) = parts.handler {
                let end = End::of(ir, handler);
                found.is_handled |= end != End::Throws;
                if end == End::Open {
                    found.goes_on = true;
                    found.ranges.push((stmt.end, last));
                }
            }
        }
        if is_in(parts.block) || parts.handler.is_some_and(is_in) {
            found.ranges.extend(parts.finalizer.and_then(range));
        }
    }
    if found.goes_on {
        found.ranges.extend(ir.loops_around(at));
    }
    found
}

/// Where what `using` has declared in front of an instruction is disposed of, with its scope.
fn disposals(ir: &FileIr, at: InstId, last: InstId) -> Vec<(InstId, InstId)> {
    let first = ir.functions.iter().map(|it| it.first).filter(|it| *it <= at).max();
    let is_using = |stmt: &headstart_ir::Stmt| {
        let is_before = first.is_some_and(|first| first <= stmt.first) && stmt.first <= at;
        let kinds = [DeclKind::Using, DeclKind::AwaitUsing];
        let declares = match &stmt.kind {
            StmtKind::Declaration { kind, .. } => kinds.contains(kind),
            // It may stand in its head.
            StmtKind::Loop { .. } => true,
            _ => false,
        };
        is_before && declares
    };
    if !ir.stmts.iter().any(is_using) {
        return Vec::new();
    }
    let disposes = |it: &InstId| matches!(ir.inst(*it), Inst::Dispose { .. });
    let found = FileIr::range(at, last).filter(disposes);
    found.map(|it| (it, InstId::new(it.index() + 1))).collect()
}

/// How a handler ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// What stands behind may run.
    Open,
    /// It leaves the function.
    Leaves,
    /// It fails.
    Throws,
}

impl End {
    fn of(ir: &FileIr, block: BlockId) -> Self {
        let stmts = ir.block(block);
        let Some(last) = stmts.last().map(|&it| ir.stmt(it)) else { return Self::Open };
        let mut pending = vec![block];
        let mut returns = false;
        while let Some(block) = pending.pop() {
            for stmt in ir.block(block).iter().map(|&it| ir.stmt(it)) {
                match stmt.kind {
                    StmtKind::Break { .. } | StmtKind::Continue { .. } => return Self::Open,
                    StmtKind::Return => returns = true,
                    _ => pending.extend(stmt.kind.nested()),
                }
            }
        }
        match last.kind {
            StmtKind::Throw if !returns => Self::Throws,
            StmtKind::Throw | StmtKind::Return => Self::Leaves,
            _ => Self::Open,
        }
    }
}

/// What may run in a function behind an instruction, the next turn of a loop included.
fn going_on(ir: &FileIr, at: InstId, last: InstId) -> Vec<(InstId, InstId)> {
    let next = InstId::new(at.index() + 1);
    ir.loops_around(at).chain([(next, last)]).collect()
}
