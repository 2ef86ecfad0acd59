//! The statements of a block, each with what it does.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_effects::{
    Assumed, Blocker, Code, Course, Effects, FileAnalysis, Known, Overlap, Resource, Step, Stretch,
    Summaries, SummaryLocation, Waiting,
};
use headstart_ir::{
    BlockId, DeclKind, FileIr, FunctionId, Inst, InstId, PatternShape, Span, Stmt, StmtId,
    StmtKind, VarId,
};
use rustc_hash::FxHashSet;

use crate::building::building;
use crate::cleanup::{self, Cleanup};
use crate::exits::{Within, has_exit};
use crate::gates::{gate, is_exit, is_gate};
use crate::guarded::guarded_site;
use crate::leaving::Leaving;
use crate::log::{only_looks, waits_for_selects};
use crate::naming::parts;
use crate::narrowed::keeps_types;
use crate::site::{Moves, Site, called_name, reads, site, touches_outside, why_unclear};
use crate::walk::{is_ignored, why_ignored};

/// One statement of a block.
#[derive(Clone, Debug)]
pub(crate) struct Unit<'p> {
    pub(crate) stmt: &'p Stmt,
    /// Whether a comment above it says that it is to be left alone.
    pub(crate) is_ignored: bool,
    pub(crate) site: Option<Site<'p>>,
    /// What it reads and writes, itself and through what it calls and starts.
    pub(crate) effects: Effects,
    /// An instruction of which nothing is known.
    pub(crate) anything: Option<InstId>,
    /// An instruction that may do anything, as far as is known for certain, and is not called like a
    /// logger or a read.
    pub(crate) unknown: Option<InstId>,
    /// A call of code that nobody knows that is a statement of its own, here or in a block within: it is there
    /// for what follows, `client.use(tenant)`.
    pub(crate) setup: Option<InstId>,
    /// What is done if code that nobody knows only computes; it is part of the effects.
    pub(crate) assumed: Vec<Assumed>,
    /// The calls that do what their models say only if something holds that nobody can tell.
    pub(crate) granted: BTreeSet<InstRef>,
    /// The values that it reads, converts or iterates and of which nobody knows what that runs.
    pub(crate) touched: BTreeSet<InstRef>,
    /// What it calls whose name says that it decides whether the rest may go on.
    pub(crate) gate: Option<InstId>,
    /// The same of what it does from the start of its operation on.
    pub(crate) started: Done,
    /// How it leaves the block, where what only reads may start before it nonetheless.
    pub(crate) leaves: Option<Leaving>,
    /// Why nothing may cross it.
    pub(crate) barrier: Option<Blocker>,
    /// Whether that is because it may take a lock: what else stands in the way says more.
    pub(crate) locks: bool,
    /// A call in it that may throw on purpose, and whose result is kept.
    pub(crate) may_fail: Option<Span>,
    /// What it waits for, where that may throw on purpose: it may be there to say that the rest is not to run.
    pub(crate) may_refuse: Option<Span>,
    /// What it waits for that may not come to an end.
    pub(crate) repeats: Option<Span>,
    /// Where it throws on purpose, which ends the loop that it is looked at for.
    pub(crate) ends_loop: Option<Span>,
    /// Whether others may run in the middle of it.
    pub(crate) suspends: bool,
    /// What leaves something going on that changes something later.
    pub(crate) lingers: Option<InstId>,
    /// Whether it may throw.
    pub(crate) throws: bool,
    /// The variables that it declares or assigns.
    pub(crate) writes: FxHashSet<VarId>,
    /// The variables that it reads, closures in it included.
    pub(crate) reads: FxHashSet<VarId>,
    /// What it computes, where it does nothing else and only declares names for that.
    pub(crate) computation: Option<Stretch>,
    /// What could meet its operation when something fails, once somebody has asked.
    cleanup: OnceCell<Cleanup>,
}

/// What some instructions do.
#[derive(Clone, Debug, Default)]
pub(crate) struct Done {
    pub(crate) effects: Effects,
    pub(crate) anything: Option<InstId>,
    /// The values that they read, convert or iterate and of which nobody knows what that runs.
    pub(crate) touched: BTreeSet<InstRef>,
}

/// What is needed to look at the statements of one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'a, 'p> {
    pub(crate) analysis: &'a FileAnalysis<'p>,
    pub(crate) summaries: &'p Summaries<'p>,
    pub(crate) function: FunctionId,
}

impl<'p> Scope<'_, 'p> {
    pub(crate) fn at(&self) -> FunctionRef {
        crate::function_ref(self.analysis, self.function)
    }

    /// The statements of a block.
    pub(crate) fn units(&self, block: BlockId) -> Vec<Unit<'p>> {
        let all = self.analysis.ir.block(block);
        self.units_of((all, all), Within::Block)
    }

    /// The statements of a block from the first that waits to the last: nothing moves over the others.
    pub(crate) fn waiting_units(&self, block: BlockId) -> Vec<Unit<'p>> {
        let ir = self.analysis.ir;
        let all = ir.block(block);
        let waits = |id: &StmtId| {
            let stmt = ir.stmt(*id);
            FileIr::range(stmt.first, stmt.end).any(|it| ir.inst(it).is_suspend_point())
        };
        let first = all.iter().position(waits).unwrap_or(all.len());
        let end = all.iter().rposition(waits).map_or(first, |it| it + 1);
        self.units_of((all, &all[first..end]), Within::Block)
    }

    /// The statements of the body of a loop, as the next turns see them, which do what is awaited at `wait`
    /// for other items.
    pub(crate) fn units_of_turn(&self, body: BlockId, wait: InstId) -> Vec<Unit<'p>> {
        let all = self.analysis.ir.block(body);
        self.units_of((all, all), Within::Turn(wait))
    }

    /// What is certain where each of some statements of a block begins.
    pub(crate) fn course(&self, units: &[Unit<'_>]) -> Course {
        let first = || self.analysis.ir.function(self.function).first;
        let last = units.last().map_or_else(first, |it| it.stmt.first);
        Course::up_to(self.analysis, self.function, last)
    }

    /// Some statements that follow one another in a block.
    fn units_of(
        &self,
        (block, statements): (&[StmtId], &[StmtId]),
        within: Within,
    ) -> Vec<Unit<'p>> {
        let ir = self.analysis.ir;
        let mut known: Option<Known> = None;
        let mut units = Vec::new();
        for &id in statements {
            let stmt = ir.stmt(id);
            let known =
                known.get_or_insert_with(|| Known::at(self.analysis, self.function, stmt.first));
            let mut unit = self.unit((id, block), known, within);
            if let Some(leaving) = &mut unit.leaves {
                leaving.look_behind(self, &units);
            }
            self.stay_under_lock(&mut unit, &units);
            units.push(unit);
            known.learn(self.analysis, stmt.first, stmt.end);
        }
        units
    }

    fn unit(&self, (id, block): (StmtId, &[StmtId]), known: &Known, within: Within) -> Unit<'p> {
        let ir = self.analysis.ir;
        let stmt = ir.stmt(id);
        let leaves = self.leaving(stmt, within);
        // Where it leaves, nobody needs any more what has started before.
        let end = leaves.as_ref().map_or(stmt.end, |it| it.end);
        let steps = self.summaries.steps(self.at(), stmt.first, end);
        let anything = anything(&steps);
        let suspends = FileIr::range(stmt.first, stmt.end).any(|it| ir.inst(it).is_suspend_point());
        let throws = steps.iter().any(|it| it.throws);
        let is_ignored = is_ignored(ir, id);
        let site = if suspends && !is_ignored { site(self.analysis, stmt, known) } else { None };
        let site =
            site.map(|it| if within == Within::Block { self.catching(it, known) } else { it });
        let (reads, mut writes) = variables(ir, stmt.first, stmt.end);
        let lingers = steps.iter().find(|it| it.lingers).map(|it| it.at);
        // The turns of a loop go on with what stands outside.
        let built = match within {
            Within::Block => building(self, (block, stmt), known),
            Within::Turn(_) => None,
        };
        writes.extend(built.as_ref().map(|it| it.0));
        let computation = self.computation(stmt, known).or(built.map(|it| it.1));
        let computation = computation.filter(|_| lingers.is_none());
        let is_setup =
            |it: &&Arc<Step>| it.is_anything && !is_by_name(it) && self.stands_alone(stmt, it.at);
        let setup = steps.iter().find(is_setup).map(|it| it.at);
        let started = started(&steps, site.as_ref().map_or(stmt.first, |it| it.operation));
        let mut unit = Unit {
            started,
            stmt,
            is_ignored,
            site,
            effects: merged(&steps),
            anything,
            unknown: steps.iter().find(|it| it.is_anything && !is_by_name(it)).map(|it| it.at),
            setup,
            assumed: steps.iter().filter_map(|it| it.assumed.as_deref()).cloned().collect(),
            granted: steps.iter().flat_map(|it| &it.granted).copied().collect(),
            touched: steps.iter().flat_map(|it| touched(it, true)).collect(),
            gate: gate(ir, stmt),
            leaves,
            barrier: None,
            locks: steps.iter().any(|it| it.locks),
            repeats: None,
            ends_loop: None,
            may_fail: None,
            may_refuse: None,
            suspends,
            lingers,
            throws,
            writes,
            reads,
            computation,
            cleanup: OnceCell::new(),
        };
        if let Some(site) = &mut unit.site {
            site.fixed = site.fixed.take().or_else(|| self.in_front(stmt, site));
        }
        unit.barrier = self.barrier(&unit, &steps, within);
        if unit.barrier.is_none() && unit.leaves.is_none() {
            unit.barrier = self.check(&unit, &steps, within);
            let is_plain = within == Within::Block && !unit.locks;
            let check = unit.barrier.as_ref().filter(|_| is_plain);
            unit.leaves = check.and_then(|it| self.leaving_check(&unit, it));
            if unit.leaves.is_some() {
                unit.barrier = None;
            }
        }
        // Nobody asks for them where nothing may cross it.
        if unit.barrier.is_none() {
            unit.ends_loop = self.thrown(stmt, within);
            unit.repeats = self.repeats(stmt);
            unit.may_fail = self.may_fail(&unit, &steps);
            // The next turns of a loop do the same for other items: nobody asks for those by that of this one.
            if within == Within::Block {
                unit.may_refuse = self.may_refuse(&unit);
            }
        }
        if unit.site.is_none() && suspends && !is_ignored && within == Within::Block {
            unit.site = guarded_site(self.analysis, stmt, known);
        }
        unit
    }

    /// An operation that may throw on purpose before there is a promise, as it is in a function of its own, where it keeps
    /// its types there.
    fn catching(&self, site: Site<'p>, known: &Known) -> Site<'p> {
        let caught = site.catching(self.analysis, known);
        let Some(mut caught) = caught.filter(|it| keeps_types(self.analysis, it)) else {
            return site;
        };
        caught.fixed = caught.why_fixed(self.analysis, Moves::Whole);
        caught
    }

    /// What a statement does in front of its operation, which that would have to start before: it changes
    /// something, or may.
    pub(crate) fn in_front(&self, stmt: &Stmt, site: &Site<'_>) -> Option<Blocker> {
        let ir = self.analysis.ir;
        let end = InstId::new(site.operation.index() + 1);
        let (needs, _) = variables(ir, site.first, end);
        let sets = |at: &InstId| matches!(ir.inst(*at), Inst::StoreVar { var, .. } if needs.contains(&var));
        let changes = |step: &Arc<Step>| {
            let mut writes = step.now.writes.iter().chain(&step.later.writes);
            step.is_anything
                || step.locks
                || writes.any(|it| !self.analysis.is_made_within(it, (stmt.first, step.at)))
        };
        let before = FileIr::range(stmt.first, site.first).find(sets);
        let steps = || self.summaries.steps(self.at(), stmt.first, site.first);
        let at = before.or_else(|| steps().iter().find(|it| changes(it)).map(|it| it.at));
        let at = at.or_else(|| self.fails_in_front(stmt, site))?;
        Some(Blocker::new(Code::StandsInFront, ir.span(at)))
    }

    /// What stands in front of an operation in its statement and may fail, so that the operation does not start: on
    /// purpose, or in any way where the operation changes something.
    pub(crate) fn fails_in_front(&self, stmt: &Stmt, site: &Site<'_>) -> Option<InstId> {
        let steps = self.summaries.steps(self.at(), stmt.first, site.first);
        let changes = site.changes_outside();
        let fails = |it: &&Arc<Step>| it.throws && (changes || self.throws_on_purpose(it.at));
        steps.iter().find(fails).map(|it| it.at)
    }

    /// What takes something away behind a lock may give that back: all that is done under it has to be done by then.
    fn stay_under_lock(&self, unit: &mut Unit<'p>, before: &[Unit<'p>]) {
        const TAKES_AWAY: [&str; 8] =
            ["del", "delete", "free", "release", "remove", "rm", "unlink", "unlock"];
        let Some(lock) = before.iter().find(|it| it.locks) else { return };
        let Some(site) = unit.site.as_mut().filter(|it| it.changes_outside()) else { return };
        let name = self.called(site.operation).to_ascii_lowercase();
        let callees = self.summaries.graph.callees(self.analysis.at(site.operation));
        // Functions of the program do more than they are handed.
        let gives_back = !callees.functions.is_empty()
            || TAKES_AWAY.iter().any(|it| name.contains(it))
                && self.may_name_one(lock.stmt, site.operation);
        if gives_back {
            let held = || Blocker::new(Code::MayBeALock, lock.stmt.span);
            site.fixed.get_or_insert_with(held);
        }
    }

    /// Whether a call may be about what a statement has locked: it calls a function of the program, or what both are
    /// handed first is written alike.
    fn may_name_one(&self, lock: &Stmt, call: InstId) -> bool {
        let ir = self.analysis.ir;
        let first = |at: InstId| parts(ir, at).map(|it| it.1.first().copied());
        let taken = first(call).flatten();
        let is_call = |at: &InstId| !matches!(ir.inst(*at), Inst::New { .. });
        FileIr::range(lock.first, lock.end).filter(is_call).any(|at| {
            let Some(locked) = first(at) else { return false };
            let callees = self.summaries.graph.callees(self.analysis.at(at));
            !callees.functions.is_empty()
                || locked.zip(taken).is_none_or(|(one, other)| ir.are_alike(one, other))
        })
    }

    /// What a statement waits for that waits in a loop, or calls itself.
    fn repeats(&self, stmt: &Stmt) -> Option<Span> {
        let ir = self.analysis.ir;
        FileIr::range(stmt.first, stmt.end).find_map(|at| match ir.inst(at) {
            Inst::Await(value) => {
                let (waiting, _) = self.summaries.waiting(self.at(), value);
                (waiting == Waiting::Repeats).then(|| ir.span(value))
            }
            _ => None,
        })
    }

    /// `const x = …` that only computes.
    fn computation(&self, stmt: &Stmt, known: &Known) -> Option<Stretch> {
        let StmtKind::Declaration { kind, is_exported: false, declarators } = &stmt.kind else {
            return None;
        };
        let is_plain = matches!(kind, DeclKind::Const | DeclKind::Let)
            && declarators
                .iter()
                .all(|it| matches!(it.shape, PatternShape::Name(_)) && it.value.is_some());
        if !is_plain {
            return None;
        }
        let mut all = Stretch::default();
        let mut first = stmt.first;
        for id in FileIr::range(stmt.first, stmt.end) {
            if matches!(self.analysis.ir.inst(id), Inst::StoreVar { .. }) {
                all.join(self.analysis.stretch(first, id, known).ok()?);
                first = InstId::new(id.index() + 1);
            }
        }
        all.join(self.analysis.stretch(first, stmt.end, known).ok()?);
        (all.started.is_empty() && all.effects.writes.is_empty()).then_some(all)
    }

    /// Why nothing may cross a statement (the contract, S2 and S6).
    fn barrier(&self, unit: &Unit<'_>, steps: &[Arc<Step>], within: Within) -> Option<Blocker> {
        let ir = self.analysis.ir;
        let stmt = unit.stmt;
        if let Some(code) = why_ignored(ir, stmt) {
            return Some(Blocker::new(code, stmt.span));
        }
        if unit.leaves.is_none() && has_exit(ir, &stmt.kind, within) {
            return Some(Blocker::new(Code::DecidesWhetherItStarts, stmt.span));
        }
        for at in FileIr::range(stmt.first, stmt.end) {
            match ir.inst(at) {
                Inst::Await(value) => {
                    let (waiting, _) = self.summaries.waiting(self.at(), value);
                    let is_yield = matches!(ir.inst(value), Inst::Literal(_));
                    let on_purpose = is_yield.then_some(Code::GivesWayOnPurpose);
                    let is_answered = waiting == Waiting::AnswersToReading
                        && waits_for_selects(self, &unit.effects);
                    let unclear = why_unclear(self.analysis, waiting, value);
                    if let Some(code) = on_purpose.or(unclear.filter(|_| !is_answered)) {
                        return Some(Blocker::new(code, ir.span(at)));
                    }
                }
                Inst::Dispose { .. }
                | Inst::Yield(_)
                | Inst::YieldAll(_)
                | Inst::IterateAsync(_) => {
                    return Some(Blocker::new(Code::HandsOver, ir.span(at)));
                }
                Inst::Opaque => return Some(Blocker::new(Code::MayDoAnything, ir.span(at))),
                _ => {}
            }
        }
        let is_exit = |it: &&Arc<Step>| {
            it.is_anything && is_exit(&self.called(it.at)) && self.stands_alone(stmt, it.at)
        };
        if let Some(step) = steps.iter().find(is_exit) {
            return Some(Blocker::new(Code::DecidesWhetherItStarts, ir.span(step.at)));
        }
        if let StmtKind::Declaration { kind: DeclKind::Using | DeclKind::AwaitUsing, .. } =
            stmt.kind
        {
            return Some(Blocker::new(Code::TiesAResource, stmt.span));
        }
        if let Some(step) = steps.iter().find(|it| it.locks && !self.is_part(within, it.at)) {
            return Some(Blocker::new(Code::MayBeALock, ir.span(step.at)));
        }
        let looks =
            |it: &&Arc<Step>| reads(&it.now, Resource::Clock) || reads(&it.later, Resource::Clock);
        if steps.iter().filter(looks).any(|it| !self.looks_within_operation(it.at)) {
            return Some(Blocker::new(Code::LooksAtTheClock, stmt.span));
        }
        if unit.effects.reads.iter().any(SummaryLocation::is_input) {
            return Some(Blocker::new(Code::TakesInput, stmt.span));
        }
        if writes(&unit.effects, Resource::Environment)
            || writes(&unit.effects, Resource::WorkingDirectory)
        {
            return Some(Blocker::new(Code::ChangesTheSurroundings, stmt.span));
        }
        None
    }

    /// Whether what a call looks at is looked at by a function of the program that gives a promise: it asks whether
    /// something that it keeps still holds, and measures nothing of what stands around it.
    fn looks_within_operation(&self, at: InstId) -> bool {
        let at = self.analysis.at(at);
        let callees = self.summaries.graph.callees(at);
        callees.modelled.is_empty()
            && callees.classes.is_empty()
            && !callees.functions.is_empty()
            && self.summaries.graph.may_be_promise(at)
    }

    /// A statement that is there to fail: what follows relies on it.
    fn check(&self, unit: &Unit<'_>, steps: &[Arc<Step>], within: Within) -> Option<Blocker> {
        let ir = self.analysis.ir;
        let is_expression = matches!(unit.stmt.kind, StmtKind::Expression { .. });
        let only_reads = unit.effects.writes.is_empty() && unit.unknown.is_none();
        let is_checked = match &unit.site {
            Some(site) => {
                let is_own = within == Within::Turn(site.suspension);
                site.is_check(self.analysis)
                    && only_looks(self, &unit.effects)
                    && unit.unknown.is_none()
                    && !is_own
            }
            None => is_expression && unit.throws && only_reads && unit.writes.is_empty(),
        };
        let nested = || self.nested_check(unit.stmt, steps, within);
        if let Some(span) = is_checked.then_some(unit.stmt.span).or_else(nested) {
            return Some(Blocker::new(Code::OnlyChecks, span));
        }
        // What is thrown by calling it fails as what it waits for does.
        let is_of_wait =
            |at: InstId| matches!(within, Within::Turn(wait) if ir.inst(wait) == Inst::Await(at));
        let thrower = steps.iter().filter(|it| it.throws && !is_of_wait(it.at)).find(|it| {
            let awaited = matches!(ir.inst(it.at), Inst::Await(_));
            let is_plain =
                unit.site.is_some() && !matches!(unit.stmt.kind, StmtKind::Expression { .. });
            let next = InstId::new(it.at.index() + 1);
            let is_own = awaited && within.is_own(it.at, next);
            // What never gives anything is kept by nobody.
            self.never_returns(it.at)
                || !(is_own || awaited && is_plain)
                    && (self.stands_alone(unit.stmt, it.at) || self.is_gate(it.at))
                    && self.throws_on_purpose(it.at)
        })?;
        Some(Blocker::new(Code::MayThrowOnPurpose, ir.span(thrower.at)))
    }

    /// What may throw on purpose in a statement, and gives what is kept: it need not be a check.
    fn may_fail(&self, unit: &Unit<'_>, steps: &[Arc<Step>]) -> Option<Span> {
        let ir = self.analysis.ir;
        let of_site = unit.site.as_ref().map(|it| it.suspension);
        let thrower = steps.iter().filter(|it| it.throws && Some(it.at) != of_site);
        let mut kept = thrower.filter(|it| !self.stands_alone(unit.stmt, it.at));
        kept.find(|it| self.throws_on_purpose(it.at)).map(|it| ir.span(it.at))
    }

    /// What a statement waits for that is a function of the program with a `throw`, or calls one.
    fn may_refuse(&self, unit: &Unit<'_>) -> Option<Span> {
        let operation = unit.site.as_ref()?.operation;
        let refuses = self.summaries.refuses_on_purpose(self.analysis.at(operation));
        refuses.then(|| self.analysis.ir.span(operation))
    }

    /// What may throw on purpose in a statement, as far as a `throw` or a name says.
    pub(crate) fn refuses(&self, stmt: &Stmt) -> Option<Span> {
        let steps = self.summaries.steps(self.at(), stmt.first, stmt.end);
        let is_named = |at| self.called(at).to_ascii_lowercase().ends_with("orthrow");
        let mut throwers = steps.iter().filter(|it| it.throws);
        let found = throwers.find(|it| self.throws_on_purpose(it.at) || is_named(it.at))?;
        Some(self.analysis.ir.span(found.at))
    }

    /// Whether a call, or the wait for one, is a statement of its own: nobody keeps what it gives.
    pub(crate) fn stands_alone(&self, stmt: &Stmt, at: InstId) -> bool {
        let ir = self.analysis.ir;
        let is_it = |value: InstId| value == at || ir.inst(value) == Inst::Await(at);
        let inner = stmt.kind.nested().into_iter().flat_map(|block| ir.block(block));
        // `x = f()`
        let is_kept = |id: InstId| match ir.inst(id) {
            Inst::StoreVar { value, .. }
            | Inst::StoreGlobal { value, .. }
            | Inst::Set { value, .. } => is_it(value),
            _ => false,
        };
        let is_own = matches!(stmt.kind, StmtKind::Expression { value } if is_it(value));
        (is_own && !FileIr::range(stmt.first, stmt.end).any(is_kept))
            || inner.map(|&id| ir.stmt(id)).any(|it| self.stands_alone(it, at))
    }

    /// Whether what is called has a name that says that it decides whether the rest may go on. What is made of its
    /// arguments decides nothing: `ensureTrailingSlash(url)`.
    fn is_gate(&self, at: InstId) -> bool {
        is_gate(&self.called(at)) && !self.makes_value(at)
    }

    /// Whether a call is only of functions of the program that wait for nothing, and throw nothing themselves.
    fn makes_value(&self, at: InstId) -> bool {
        let graph = &self.summaries.graph;
        let callees = graph.callees(self.analysis.at(at));
        let is_plain = |it: &FunctionRef| {
            let ir = graph.files()[it.file as usize];
            let data = ir.function(it.function);
            let throws = |id| matches!(ir.inst(id), Inst::Throw(_));
            !data.is_async && !FileIr::range(data.first, data.end).any(throws)
        };
        callees.unknown.is_empty()
            && callees.modelled.is_empty()
            && !callees.functions.is_empty()
            && callees.functions.iter().all(is_plain)
    }

    /// The name of what an instruction calls, or waits for.
    fn called(&self, at: InstId) -> String {
        called_name(self.analysis.ir, self.call_behind(at))
    }

    /// A statement within another one that is there to fail: an assertion in a block.
    fn nested_check(&self, stmt: &Stmt, steps: &[Arc<Step>], within: Within) -> Option<Span> {
        let ir = self.analysis.ir;
        let inner = stmt.kind.nested().into_iter().flat_map(|block| ir.block(block));
        inner.map(|&id| ir.stmt(id)).find_map(|inner| {
            let of_inner = || steps.iter().filter(|it| inner.first <= it.at && it.at < inner.end);
            let only_reads = of_inner().all(|it| {
                !it.is_anything && it.now.writes.is_empty() && it.later.writes.is_empty()
            });
            let is_expression = matches!(inner.kind, StmtKind::Expression { .. });
            let keeps = || !variables(ir, inner.first, inner.end).1.is_empty();
            let is_own = within.is_own(inner.first, inner.end);
            if is_expression && !is_own && only_reads && !keeps() && of_inner().any(|it| it.throws)
            {
                return Some(inner.span);
            }
            self.nested_check(inner, steps, within)
        })
    }

    /// Whether a call, or the call that is awaited, is of a function with a `throw`.
    pub(crate) fn throws_on_purpose(&self, at: InstId) -> bool {
        self.summaries.throws_on_purpose(self.analysis.at(self.call_behind(at)))
    }

    /// Whether a call, or the call that is awaited, is of a function that always throws.
    pub(crate) fn never_returns(&self, at: InstId) -> bool {
        self.summaries.never_returns(self.analysis.at(self.call_behind(at)))
    }

    fn call_behind(&self, at: InstId) -> InstId {
        match self.analysis.ir.inst(at) {
            Inst::Await(value) => value,
            _ => at,
        }
    }
}

impl Unit<'_> {
    /// What could clean up while its operation is still under way.
    pub(crate) fn cleanup(&self, scope: Scope<'_, '_>) -> &Cleanup {
        let find = || {
            let site = self.site.as_ref()?;
            let stretch = site.stretch.as_ref().ok()?;
            let span = scope.analysis.ir.span(site.operation);
            Some(cleanup::conflict(scope, site.operation, span, &stretch.effects))
        };
        self.cleanup.get_or_init(|| find().unwrap_or_default())
    }

    /// Whether an operation that starts before it would overlap it.
    pub(crate) fn takes_time(&self) -> bool {
        let waits_for_nothing = |it: &Site<'_>| {
            let code = it.fixed.as_ref().map(|it| it.reason.code);
            code == Some(Code::WaitsForNothing)
        };
        self.suspends
            && !self.site.as_ref().is_some_and(waits_for_nothing)
            && self.barrier.is_none()
            && self.started.anything.is_none()
            && touches_outside(&self.effects)
    }
}

pub(crate) fn writes(effects: &Effects, kind: Resource) -> bool {
    effects.writes.iter().any(|it| matches!(it, SummaryLocation::Resource(it, _) if *it == kind))
}

/// What goes on once an operation has started: what is computed for it is over by then, what is started
/// for it is not.
fn started(steps: &[Arc<Step>], operation: InstId) -> Done {
    let mut done = Done::default();
    for step in steps {
        done.touched.extend(touched(step, step.at > operation));
        if step.at < operation && !step.goes_on {
            done.effects.take_in(&step.later);
            continue;
        }
        join(&mut done.effects, step);
        if done.anything.is_none() && step.is_anything && step.assumed.is_none() {
            done.anything = Some(step.at);
        }
    }
    done
}

/// What a step reads, converts or iterates of what nobody knows: all of it, or what is left to do once it
/// has returned.
fn touched(step: &Step, is_whole: bool) -> impl Iterator<Item = InstRef> + '_ {
    let before = is_whole.then_some(&step.touched.before).into_iter().flatten();
    before.chain(&step.touched.after).copied()
}

pub(crate) fn merged(steps: &[Arc<Step>]) -> Effects {
    let mut all = Effects::default();
    for step in steps {
        join(&mut all, step);
    }
    all
}

fn join(all: &mut Effects, step: &Step) {
    all.take_in(&step.now);
    all.take_in(&step.later);
    if let Some(assumed) = &step.assumed {
        all.take_in(&assumed.before);
        all.take_in(&assumed.after);
    }
}

/// Whether an instruction may do anything only because it calls what is called like a logger or a read.
pub(crate) fn is_by_name(step: &Step) -> bool {
    step.assumed.as_ref().is_some_and(|it| it.is_by_name())
}

/// An instruction of which nothing is known.
fn anything(steps: &[Arc<Step>]) -> Option<InstId> {
    steps.iter().find(|it| it.is_anything && it.assumed.is_none()).map(|it| it.at)
}

/// The variables that some instructions read and write. What a closure among them reads, they may
/// read.
pub(crate) fn variables(
    ir: &FileIr,
    first: InstId,
    end: InstId,
) -> (FxHashSet<VarId>, FxHashSet<VarId>) {
    let (mut reads, mut writes) = (FxHashSet::default(), FxHashSet::default());
    let mut pending = vec![(first, end)];
    let mut seen: FxHashSet<InstId> = FxHashSet::default();
    while let Some((first, end)) = pending.pop() {
        if !seen.insert(first) {
            continue;
        }
        for id in FileIr::range(first, end) {
            match ir.inst(id) {
                Inst::LoadVar(var) => {
                    reads.insert(var);
                }
                Inst::StoreVar { var, .. } => {
                    writes.insert(var);
                }
                Inst::Closure(function) => {
                    let function = ir.function(function);
                    pending.push((function.first, function.end));
                }
                Inst::Class(class) => {
                    let class = ir.class(class);
                    let inits = [class.field_init, class.static_init].into_iter().flatten();
                    for function in class.members.iter().map(|it| it.function).chain(inits) {
                        pending.push((ir.function(function).first, ir.function(function).end));
                    }
                }
                _ => {}
            }
        }
    }
    (reads, writes)
}

/// Whether writing `written` may be seen by reading `read`.
pub(crate) fn overlap(
    scope: &Scope<'_, '_>,
    read: &SummaryLocation,
    written: &SummaryLocation,
) -> Overlap {
    scope.summaries.overlap(scope.at(), read, written)
}
