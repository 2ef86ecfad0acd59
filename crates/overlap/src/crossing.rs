//! Whether an operation may start before statements that stand in front of it.

use std::collections::BTreeSet;

use headstart_callgraph::InstRef;
use headstart_effects::{
    Assumption, Blocker, Code, Effects, Location, Overlap, Place, PlaceRoot, Resource, Stability,
    Stretch, SummaryLocation, Topic, TopicKind, Waiting,
};
use headstart_ir::{FileIr, Inst, InstId, Span, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::gates::permits;
use crate::log::{self, are_lines};
use crate::naming::Written;
use crate::paths::on_different_paths;
use crate::reading::disturbed;
use crate::runs::waited_for_nothing;
use crate::seen::{calls, is_seen_by_closure, looks_at};
use crate::siblings::is_alone;
use crate::site::{is_outside, location_text, reads};
use crate::unit::{Done, Scope, Unit, overlap, variables};

/// What is said of what an operation reads.
const READ: (Code, Code) =
    (Code::NothingChangesWhatItReads, Code::NothingChangesWhatItReadsThoughOneMay);
/// What is said of what it looks at on the way.
const LOOKED_AT: (Code, Code) =
    (Code::NothingChangesWhatItLooksAt, Code::NothingChangesWhatItLooksAtThoughOneMay);

/// Why an operation may not cross a statement.
#[derive(Clone, Debug)]
pub(crate) enum Obstacle {
    /// It needs what the statement produces.
    Depends(Blocker),
    /// Something that may not be crossed.
    Blocked(Blocker),
}

/// An operation with the computations that move along with it.
#[derive(Debug)]
pub(crate) struct Mover {
    /// The first of its instructions.
    pub(crate) first: InstId,
    /// The operation that moves.
    pub(crate) operation: InstId,
    /// What starting it does, with all that moves along, and what it does until it ends.
    pub(crate) stretch: Stretch,
    /// The variables that it reads.
    pub(crate) reads: FxHashSet<VarId>,
    /// The variables that its statement binds.
    pub(crate) binds: FxHashSet<VarId>,
    /// The variables that get their values earlier with it: those of the computations that move along.
    early: FxHashSet<VarId>,
    /// Whether it calls functions of the program, which may look at variables of this one.
    pub(crate) calls: bool,
    /// The data that it changes, where the program has put objects of its own on such.
    touched: BTreeSet<InstRef>,
    /// The kinds of what it touches at a place of its own, where it starts ahead of its turn in a loop: no
    /// other turn touches that.
    pub(crate) own_places: Vec<Resource>,
}

impl Obstacle {
    pub(crate) fn into_blocker(self) -> Blocker {
        match self {
            Self::Depends(blocker) | Self::Blocked(blocker) => blocker,
        }
    }
}

impl Mover {
    pub(crate) fn new(
        scope: &Scope<'_, '_>,
        first: InstId,
        operation: InstId,
        stretch: Stretch,
    ) -> Self {
        let ir = scope.analysis.ir;
        let end = InstId::new(operation.index() + 1);
        let (reads, _) = variables(ir, first, end);
        let calls = calls(scope, (first, end));
        let steps = scope.summaries.steps(scope.at(), first, end);
        let touched = steps.iter().flat_map(|it| it.touched.before.iter().chain(&it.touched.after));
        // What nobody knows is spoken of where others cross it.
        let graph = &scope.summaries.graph;
        let touched = touched.filter(|it| !graph.is_foreign(**it)).copied().collect();
        let (binds, early, own_places) = Default::default();
        Self { first, operation, stretch, reads, binds, early, calls, touched, own_places }
    }

    /// Takes a computation along.
    pub(crate) fn take(&mut self, unit: &Unit<'_>) {
        if let Some(computation) = &unit.computation {
            self.stretch.join(computation.clone());
        }
        self.reads.extend(unit.reads.iter().copied());
        self.early.extend(unit.writes.iter().copied());
    }

    /// Whether it may start before a statement, whatever that waits for; with what that rests on.
    pub(crate) fn cross(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
    ) -> Result<Vec<Assumption>, Obstacle> {
        let Unit { effects, anything, touched, .. } = unit;
        self.cross_part(scope, unit, (effects, *anything), (touched, false))
    }

    /// Whether it may start right behind the start of a statement's own operation.
    pub(crate) fn join(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
    ) -> Result<Vec<Assumption>, Obstacle> {
        let Done { effects, anything, touched } = &unit.started;
        self.cross_part(scope, unit, (effects, *anything), (touched, true))
    }

    fn cross_part(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        (effects, anything): (&Effects, Option<InstId>),
        (touched, is_joined): (&BTreeSet<InstRef>, bool),
    ) -> Result<Vec<Assumption>, Obstacle> {
        scope.summaries.note_asked();
        let ir = scope.analysis.ir;
        if let Some(blocker) = self.dependence(scope, unit) {
            return Err(Obstacle::Depends(blocker));
        }
        let barrier = unit.barrier.as_ref().map(|blocker| {
            Obstacle::Blocked(blocker.of_operation(&format!("`{}`", self.name(scope))))
        });
        match barrier {
            Some(barrier) if !unit.locks => return Err(barrier),
            Some(barrier) => {
                self.conflicts(scope, unit, effects)?;
                return Err(barrier);
            }
            None => {}
        }
        if let Some(blocker) = waited_for_nothing(self, scope, unit) {
            return Err(Obstacle::Blocked(blocker));
        }
        let in_vain = unit.leaves.as_ref().map(|it| self.in_vain(scope, unit, it)).transpose();
        let mut assumptions = scope.analysis.granted(&unit.granted, unit.stmt.span);
        assumptions.extend(in_vain.map_err(Obstacle::Blocked)?);
        if self.stretch.gives && unit.throws {
            let reason = Code::ElseNobodyCloses.with(&[&self.name(scope)]);
            assumptions.push(Assumption::new(reason, unit.stmt.span));
        }
        if self.stretch.abandons && unit.throws {
            let reason = Code::ElseNothingHandles.with(&[&self.name(scope)]);
            assumptions.push(Assumption::new(reason, unit.stmt.span));
        }
        assumptions.extend(
            unit.lingers.map(|at| {
                Assumption::new(Code::LeftGoingOn.with(&[&self.name(scope)]), ir.span(at))
            }),
        );
        assumptions.extend(unit.may_fail.map(|span| Assumption::new(Code::NoCheck, span)));
        let may_refuse = unit.may_refuse.filter(|_| unit.leaves.is_none());
        assumptions.extend(may_refuse.map(|span| Assumption::usual(Code::NoCheck, span)));
        assumptions.extend(unit.repeats.map(comes_to_an_end));
        assumptions
            .extend(unit.ends_loop.map(|span| Assumption::new(Code::ReadInVainByNextTurns, span)));
        if unit.suspends {
            if let Some(at) = anything {
                return Err(Obstacle::Blocked(Blocker::new(
                    Code::MayDoAnythingMeanwhile,
                    ir.span(at),
                )));
            }
            for assumed in &unit.assumed {
                assumptions.extend(scope.analysis.harmless(assumed, unit.stmt.span));
            }
        } else {
            for assumed in unit.assumed.iter().filter(|it| it.is_by_name()) {
                assumptions.extend(scope.analysis.harmless(assumed, unit.stmt.span));
            }
        }
        // What only its name tells of depends on what others may set.
        if let Some(at) = unit.setup.filter(|_| reads(&self.stretch.effects, Resource::Outside)) {
            let reason = Code::MayChangeWhatItDependsOn.with(&[&self.name(scope)]);
            return Err(Obstacle::Blocked(Blocker::new(reason, ir.span(at))));
        }
        if let Some(at) = unit.unknown.filter(|_| !unit.suspends) {
            let reason = Code::DoesNotChangeWhatItDependsOn.with(&[&self.name(scope)]);
            assumptions.push(Assumption::new(reason, ir.span(at)));
        }
        let end = InstId::new(self.operation.index() + 1);
        // Its own client is named where its suspension is judged.
        if scope.no_code_within((self.first, end), unit.stmt.span).is_none() {
            let range = (unit.stmt.first, unit.stmt.end);
            assumptions.extend(scope.no_code_within(range, unit.stmt.span));
        }
        for import in scope.summaries.loud_imports(scope.at().file, unit.stmt.first, unit.stmt.end)
        {
            assumptions.push(scope.analysis.quiet_loading(import, unit.stmt.span));
        }
        assumptions.extend(self.conflicts(scope, unit, effects)?);
        assumptions.extend(self.set_in_front(scope, unit, effects)?);
        if reads(effects, Resource::Clock) {
            assumptions.push(Assumption::new(Code::ClockMayBeLater, unit.stmt.span));
        }
        assumptions.extend(self.writes(scope, unit, is_joined)?);
        assumptions.extend(scope.plain_data(touched, unit.stmt.span));
        assumptions.extend(scope.plain_data(&self.touched, ir.span(self.operation)));
        if let Some(gate) = unit.gate.filter(|it| permits(ir, *it)) {
            let blocker = Blocker::new(Code::DecidesWhetherItStarts, ir.span(gate));
            return Err(Obstacle::Blocked(
                blocker.of_operation(&format!("`{}`", self.name(scope))),
            ));
        }
        if let Some(gate) = unit.gate.filter(|_| unit.leaves.is_none()) {
            let reason = Code::DecidesNothing.with(&[&self.name(scope)]);
            assumptions.push(Assumption::new(reason, ir.span(gate)));
        }
        if self.stretch.locks && self.own_places.is_empty() {
            return Err(Obstacle::Blocked(Blocker::new(Code::LockOrder, ir.span(self.operation))));
        }
        Ok(assumptions)
    }

    /// What it reads may not be what the statement writes.
    fn conflicts(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        effects: &Effects,
    ) -> Result<Vec<Assumption>, Obstacle> {
        let mut assumptions = Vec::new();
        let keeps_its_own = keeps_its_own(scope, unit, effects);
        for read in self.stretch.reads().filter(|it| !self.makes(scope, it)) {
            for written in &effects.writes {
                if keeps_its_own && is_memory(written) && !is_made_by(scope, unit, read) {
                    continue;
                }
                // What looks into a cache and does not fill it depends on what is there.
                let is_filled = |fill: &InstRef| {
                    self.fills(written) || is_by_name(read) && self.comes_to(scope, *fill)
                };
                if let Some(fill) = effects.fill(written).filter(is_filled) {
                    if self.overlap(scope, unit, (read, written)) != Overlap::No {
                        self.asks_the_same(scope, unit, (written, fill))?;
                        assumptions.extend(scope.analysis.filled(fill, unit.stmt.span));
                    }
                    continue;
                }
                assumptions.extend(self.conflict(scope, unit, read, written)?);
                if shows_elsewhere(scope, written, read) {
                    self.only_asks(scope, unit)?;
                    let (read, written) = (text_of(scope, read), text_of(scope, written));
                    let reason =
                        Code::ChangesNoneOfWhatItReads.with(&[&written, &self.name(scope), &read]);
                    assumptions.push(Assumption::new(reason, unit.stmt.span));
                }
            }
        }
        self.disturbance(scope, effects, unit)?;
        for read in self.own_reads(scope) {
            for written in &effects.writes {
                if keeps_its_own && is_memory(written) {
                    continue;
                }
                let found = self.overlap(scope, unit, (&read, written));
                let fill = effects.fill(written).filter(|_| self.fills(written));
                if let Some(fill) = fill.filter(|_| found != Overlap::No) {
                    assumptions.extend(scope.analysis.filled(fill, unit.stmt.span));
                    continue;
                }
                // An own object that others may hold has been handed to them, and for a reason.
                if found == Overlap::Alias && !is_own_object(scope, written) {
                    assumptions.push(self.not_the_same(scope, unit, &read, written));
                } else if found != Overlap::No {
                    let what = location_text(scope.analysis, &read);
                    let span = scope.analysis.ir.span(self.operation);
                    if scope.analysis.is_set_once(written)
                        && let Some(assumption) = scope.analysis.set_once(&read, &what, span)
                    {
                        assumptions.push(assumption);
                        continue;
                    }
                    let reason = Code::ReadsWhatIsWritten.with(&[&what]);
                    return Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)));
                }
            }
        }
        Ok(assumptions)
    }

    /// That a request behind a statement that changes something only asks.
    ///
    /// # Errors
    /// It is called like one that has something done, or asks for what has been changed.
    fn only_asks(&self, scope: &Scope<'_, '_>, unit: &Unit<'_>) -> Result<(), Obstacle> {
        let handed = Written { ir: scope.analysis.ir, end: self.operation };
        let Some(word) = handed.has_something_done(self.operation) else { return Ok(()) };
        let reason = Code::HasSomethingDone.with(&[&self.name(scope), word]);
        Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)))
    }

    /// Whether what it and a statement use may be the same, until both have run.
    fn overlap(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        places: (&SummaryLocation, &SummaryLocation),
    ) -> Overlap {
        let until = self.operation.max(unit.stmt.end);
        scope.summaries.overlap_until(scope.at(), places, Some(until))
    }

    /// Whether a statement changes what it reads, where that decides whether an operation starts.
    pub(crate) fn decided_by(&self, scope: &Scope<'_, '_>, unit: &Unit<'_>) -> Option<Blocker> {
        let own = self.own_reads(scope);
        let mut reads = self.stretch.reads().chain(&own);
        let read = reads.find(|read| {
            let mut writes = unit.effects.writes.iter();
            writes.any(|it| self.overlap(scope, unit, (read, it)) == Overlap::Yes)
        })?;
        let what = location_text(scope.analysis, read);
        Some(Blocker::new(Code::ChangesWhatDecides.with(&[&what]), unit.stmt.span))
    }

    /// Reads that change what another one sees keep their order.
    fn disturbance(
        &self,
        scope: &Scope<'_, '_>,
        effects: &Effects,
        unit: &Unit<'_>,
    ) -> Result<(), Obstacle> {
        let Some(read) = disturbed(scope, &self.stretch.effects, effects) else { return Ok(()) };
        let what = location_text(scope.analysis, read);
        let reason = Code::BringsUpToDate.with(&[&self.name(scope), &what]);
        Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)))
    }

    /// What it writes may not be what the statement reads or writes, and the statement may not fail:
    /// else it would not have started (the contract, S2).
    fn writes(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        is_joined: bool,
    ) -> Result<Vec<Assumption>, Obstacle> {
        let is_apart = self.own_places.is_empty();
        if is_apart
            && log::writes_lines(&self.stretch.effects)
            && log::does_something(scope, &unit.effects)
        {
            let reason = Code::LogMayReportIt.with(&[&self.name(scope)]);
            return Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)));
        }
        let is_seen = |it: &SummaryLocation| {
            // What a timer runs has effects of its own.
            let is_timer = matches!(it, SummaryLocation::Resource(Resource::Timers, _));
            matches!(it, SummaryLocation::Resource(..))
                && !is_timer
                && !it.is_log()
                && !log::selects(scope, it)
        };
        let is_writing = self.stretch.effects.writes.iter().any(is_seen);
        let may_end = unit.assumed.iter().any(|it| it.ends.or(it.asks).is_some());
        if is_writing && may_end || self.stretch.ends && unit.effects.writes.iter().any(is_seen) {
            let reason = Code::MayEndInBetween.with(&[&self.name(scope)]);
            return Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)));
        }
        let mut assumptions = Vec::new();
        let filled = self.stretch.filled.iter().filter(|it| unit.effects.fill(it).is_none());
        for written in self.stretch.effects.writes.iter().chain(filled) {
            for other in unit.effects.reads.iter().chain(&unit.effects.writes) {
                let found = self.conflict(scope, unit, written, other);
                assumptions.extend(found.map_err(|it| match it {
                    Obstacle::Blocked(_) if !unit.effects.writes.contains(other) => {
                        let (name, what) = (self.name(scope), location_text(scope.analysis, other));
                        let reason = Code::WritesWhatWasRead.with(&[&name, &what]);
                        Obstacle::Blocked(Blocker::new(reason, unit.stmt.span))
                    }
                    other => other,
                })?);
            }
            for read in &unit.effects.reads {
                if shows_elsewhere(scope, written, read) {
                    let (read, written) = (text_of(scope, read), text_of(scope, written));
                    let reason =
                        Code::ReadsNoneOfWhatItChanges.with(&[&self.name(scope), &written, &read]);
                    assumptions.push(Assumption::new(reason, unit.stmt.span));
                }
            }
        }
        if is_apart
            && is_writing
            && let Some(span) = scope.refuses(unit.stmt)
        {
            let reason = Code::ThrowsOnPurpose.with(&[&self.name(scope)]);
            return Err(Obstacle::Blocked(Blocker::new(reason, span)));
        }
        if is_apart
            && unit.suspends
            && let Some(written) = self.stretch.effects.writes.iter().find(|it| is_seen(it))
        {
            let is_changing = unit.effects.writes.iter().any(is_seen);
            self.keeps_order(scope, unit, written, (is_changing, is_joined))?;
        }
        let fails = || {
            let (first, end) = (unit.stmt.first, unit.stmt.end);
            unit.throws || scope.summaries.may_fail_within(scope.at(), first, end)
        };
        if is_apart && is_writing && fails() {
            let reason = Code::StartsBeforeSuccess.with(&[&self.name(scope)]);
            assumptions.push(Assumption::new(reason, unit.stmt.span));
        }
        Ok(assumptions)
    }

    pub(crate) fn name(&self, scope: &Scope<'_, '_>) -> String {
        match scope.analysis.ir.inst(self.operation) {
            Inst::Call { .. } | Inst::CallMethod { .. } => {
                crate::words::callee_text(scope.analysis.ir, self.operation)
            }
            _ => "the import".to_owned(),
        }
    }

    fn dependence(&self, scope: &Scope<'_, '_>, unit: &Unit<'_>) -> Option<Blocker> {
        let ir = scope.analysis.ir;
        if let Some(&var) = self.reads.iter().find(|it| unit.writes.contains(it)) {
            let name = ir.name(ir.variable(var).name);
            return Some(Blocker::new(Code::NeedsItsValue.with(&[name]), unit.stmt.span));
        }
        if unit.writes.iter().any(|it| self.binds.contains(it)) {
            return Some(Blocker::new(Code::SameName, unit.stmt.span));
        }
        if let Some(var) = looks_at(scope, unit, &self.early) {
            let name = ir.name(ir.variable(var).name);
            return Some(Blocker::new(Code::LooksAtLaterValue.with(&[name]), unit.stmt.span));
        }
        let first = self.operation;
        let seen = unit
            .writes
            .iter()
            .find(|&&var| self.calls && is_seen_by_closure(ir, scope.function, var, first))?;
        let name = ir.name(ir.variable(*seen).name);
        Some(Blocker::new(Code::CalledLooksAtValue.with(&[name]), unit.stmt.span))
    }

    fn conflict(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        read: &SummaryLocation,
        written: &SummaryLocation,
    ) -> Result<Option<Assumption>, Obstacle> {
        if are_lines(read, written) || self.has_own(read, written) {
            return Ok(None);
        }
        if log::selects(scope, read) || log::selects(scope, written) {
            return Ok(Some(log::only_selects(unit.stmt.span)));
        }
        let found = self.overlap(scope, unit, (read, written));
        let span = scope.analysis.ir.span(self.operation);
        if found == Overlap::No {
            return Ok(None);
        }
        // Which of the two is set once, the other one may be.
        for place in [read, written] {
            let name = location_text(scope.analysis, place);
            if let Some(assumption) = scope.analysis.set_once(place, &name, span) {
                return Ok(Some(assumption));
            }
        }
        let apart = self.other_parts(scope, unit, (read, written), found);
        if let Some(apart) = apart.or_else(|| self.fetched(scope, unit, written)) {
            return Ok(Some(apart));
        }
        if found == Overlap::Alias {
            return Ok(Some(self.not_the_same(scope, unit, read, written)));
        }
        if self.is_elsewhere(scope, unit, [read, written]) {
            let reason = Code::DifferentFiles.with(&[&self.name(scope)]);
            return Ok(Some(Assumption::new(reason, unit.stmt.span)));
        }
        let places = [read, written];
        let other = self
            .is_for_another(scope, unit, places)
            .or_else(|| self.asks_another_table(scope, unit, places));
        if let Some(other) = other {
            return Ok(Some(other));
        }
        let what = location_text(scope.analysis, read);
        let reason = Code::WritesWhatIsRead.with(&[&what, &self.name(scope)]);
        Err(Obstacle::Blocked(Blocker::new(reason, unit.stmt.span)))
    }

    /// Whether it does what a statement does, for a path that is written differently.
    fn is_elsewhere(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        places: [&SummaryLocation; 2],
    ) -> bool {
        unit.site.as_ref().is_some_and(|it| {
            on_different_paths(scope.analysis, (self.operation, it.operation), places)
                && is_alone(scope, unit, it, Resource::File)
        })
    }

    /// Whether two locations are of a kind of which each turn of a loop touches its own.
    fn has_own(&self, a: &SummaryLocation, b: &SummaryLocation) -> bool {
        match (a, b) {
            (SummaryLocation::Resource(a, _), SummaryLocation::Resource(b, _)) => {
                a == b && self.own_places.contains(a)
            }
            _ => false,
        }
    }

    /// That a statement writes another place than the one that is read, though it may be the same.
    fn not_the_same(
        &self,
        scope: &Scope<'_, '_>,
        unit: &Unit<'_>,
        read: &SummaryLocation,
        written: &SummaryLocation,
    ) -> Assumption {
        let [what, other] = [read, written].map(|it| location_text(scope.analysis, it));
        let name = self.name(scope);
        let reason = Code::NotTheSame.with(&[&other, &what, &name]);
        let kind = TopicKind::Apart(format!("`{name}`"), vec![what]);
        Assumption::new(reason, unit.stmt.span).on(Topic::new(kind, other))
    }

    /// The variables and properties that its own instructions read.
    fn own_reads(&self, scope: &Scope<'_, '_>) -> Vec<SummaryLocation> {
        let mut found = Vec::new();
        for &(ref location, at) in &self.stretch.refs {
            match location {
                Location::Variable(var) => found.extend(changing(scope, *var)),
                Location::Property(_) => {
                    let next = InstId::new(at.index() + 1);
                    let effects = scope.summaries.effects_of(scope.at(), at, next);
                    found.extend(effects.reads);
                }
                // What every operation depends on.
                Location::Region(_) => {}
            }
        }
        found
    }

    /// Whether a location is in an object that its own instructions make.
    fn makes(&self, scope: &Scope<'_, '_>, location: &SummaryLocation) -> bool {
        scope.analysis.is_made_within(location, (self.first, self.operation))
    }

    /// That nobody changes what is read or looked at in memory, with the codes of both, where a function may that
    /// has a name as the second one; `handed_over` says whether a place is
    /// handed to an operation as a whole: it is taken not to be changed by others while that waits to
    /// start, the documentation says so.
    fn unchanged(
        &self,
        scope: &Scope<'_, '_>,
        (location, (code, named), span): (&SummaryLocation, (Code, Code), Span),
        handed_over: impl Fn(&Place) -> bool,
    ) -> Option<Assumption> {
        let SummaryLocation::Memory(place) = location else { return None };
        if self.makes(scope, location) {
            return None;
        }
        let what = location_text(scope.analysis, location);
        let reason = code.with(&[&what]);
        let (found, writer) = match scope.summaries.stability(scope.at(), place) {
            Stability::Fixed => return None,
            Stability::Written(writer) => {
                let name = scope.analysis.name_of_function(writer);
                (scope.analysis.written_by((reason, named), span, writer), name)
            }
            Stability::Unknown if handed_over(place) => return None,
            Stability::Unknown => (Assumption::new(reason, span), None),
        };
        let name = match writer {
            Some(writer) => format!("{what} (as `{writer}` may)"),
            None => what,
        };
        Some(found.on(Topic::new(TopicKind::Unchanged, name)))
    }

    /// That a caller changes what it reads or looks at in memory right when it has called this function,
    /// before it waits for that.
    fn changed_by_caller(&self, scope: &Scope<'_, '_>) -> Result<Option<Assumption>, Blocker> {
        let span = scope.analysis.ir.span(self.operation);
        let own = self.own_reads(scope);
        let looked_at = self.stretch.reads().chain(&own).filter(|it| !self.makes(scope, it));
        let mut perhaps = None;
        for location in looked_at {
            let SummaryLocation::Memory(place) = location else { continue };
            let found = scope.summaries.changed_by_caller(scope.at(), place);
            let Some((caller, is_beside)) = found else { continue };
            let what = location_text(scope.analysis, location);
            let elsewhere = scope.analysis.place_of_function(caller);
            if is_beside {
                let reason = Code::CallerChangesIt.with(&[&what]);
                return Err(Blocker { elsewhere, ..Blocker::new(reason, span) });
            }
            perhaps.get_or_insert_with(|| {
                let reason = Code::CallerLeavesIt.with(&[&what]);
                Assumption { elsewhere, ..Assumption::new(reason, span) }
            });
        }
        Ok(perhaps)
    }

    /// What starting it before a suspension takes for granted: that nobody changes what it reads
    /// (the contract, S5).
    pub(crate) fn suspension(&self, scope: &Scope<'_, '_>) -> Result<Vec<Assumption>, Blocker> {
        let mut assumptions = self.stretch.assumptions.clone();
        let span = scope.analysis.ir.span(self.operation);
        let end = InstId::new(self.operation.index() + 1);
        for import in scope.summaries.loud_imports(scope.at().file, self.first, end) {
            let assumption = scope.analysis.quiet_loading(import, span);
            if !assumptions.contains(&assumption) {
                assumptions.push(assumption);
            }
        }
        for (location, at) in &self.stretch.refs {
            if let Location::Variable(var) = location {
                assumptions.extend(variable_crossing(scope, *var, *at)?);
            }
        }
        assumptions.extend(self.changed_by_caller(scope)?);
        for (location, at) in self.stretch.looked_at.iter().filter(|it| !self.fills(&it.0)) {
            let looked = (location, LOOKED_AT, scope.analysis.ir.span(*at));
            let assumption = self.unchanged(scope, looked, |it| it.is_deep && !it.is_cut());
            assumptions.extend(assumption.filter(|it| !assumptions.contains(it)));
        }
        for location in self.stretch.effects.reads.iter().filter(|it| !self.fills(it)) {
            let what = location_text(scope.analysis, location);
            if let Some(assumption) = scope.analysis.set_once(location, &what, span) {
                assumptions.push(assumption);
                continue;
            }
            assumptions.extend(self.unchanged(scope, (location, READ, span), |it| it.is_deep));
        }
        for location in &self.stretch.effects.reads {
            assumptions.extend(setting(scope, location, span));
        }
        if reads(&self.stretch.effects, Resource::Clock) {
            assumptions.push(Assumption::new(Code::ClockMayBeEarlier, span));
        }
        assumptions.extend(log::order(scope, &self.stretch.effects, span));
        assumptions.extend(log::order_by_name(scope, &self.stretch, span));
        assumptions.extend(ambient(scope, self, span));
        assumptions.extend(scope.no_code_within((self.first, end), span));
        for &(call, waiting) in &self.stretch.started {
            if waiting <= Waiting::Repeats {
                assumptions.extend(mutable_path(scope, call));
            }
            if waiting == Waiting::Repeats {
                assumptions.push(comes_to_an_end(scope.analysis.ir.span(call)));
            }
        }
        Ok(assumptions)
    }
}

/// What is taken for granted of an operation that waits in a loop, or calls itself.
pub(crate) fn comes_to_an_end(span: Span) -> Assumption {
    Assumption::new(Code::LoopEnds, span)
}

fn text_of(scope: &Scope<'_, '_>, location: &SummaryLocation) -> String {
    location_text(scope.analysis, location)
}

/// Whether something is read of which only a name says so.
fn is_by_name(read: &SummaryLocation) -> bool {
    matches!(read, SummaryLocation::Resource(Resource::Outside, _))
}

/// Whether what is written may show in what is read, though they are of different kinds or on different
/// hosts: a server writes files, a file is served, one service tells another.
fn shows_elsewhere(
    scope: &Scope<'_, '_>,
    written: &SummaryLocation,
    read: &SummaryLocation,
) -> bool {
    let (SummaryLocation::Resource(of_write, _), SummaryLocation::Resource(of_read, _)) =
        (written, read)
    else {
        return false;
    };
    let is_file = |it: &Resource| matches!(it, Resource::File | Resource::Handle);
    is_outside(*of_write)
        && is_outside(*of_read)
        && !log::selects(scope, written)
        && !(is_file(of_write) && is_file(of_read))
        && overlap(scope, read, written) == Overlap::No
}

/// A variable as a place, where it may be assigned again.
fn changing(scope: &Scope<'_, '_>, var: VarId) -> Option<SummaryLocation> {
    let file = scope.at().file;
    let graph = &scope.summaries.graph;
    let (file, var) = match scope.analysis.ir.variable(var).kind {
        VarKind::Import => graph.imported(file, var)?,
        _ => (file, var),
    };
    let is_stable = graph.files()[file as usize].variable(var).is_stable();
    (!is_stable).then(|| SummaryLocation::Memory(Place::new(PlaceRoot::Variable(file, var))))
}

fn variable_crossing(
    scope: &Scope<'_, '_>,
    var: VarId,
    at: InstId,
) -> Result<Option<Assumption>, Blocker> {
    let analysis = scope.analysis;
    let variable = analysis.ir.variable(var);
    let span = analysis.ir.span(at);
    // A function that a model describes: that nobody replaces it is part of the model.
    if analysis.is_platform_member(at) {
        return Ok(None);
    }
    if variable.kind == VarKind::Other {
        return Err(Blocker::new(Code::DeclaredSeveralTimes, span));
    }
    let is_visible = variable.owner != scope.function || variable.is_written_by_closure;
    let owner = analysis.ir.functions.get(variable.owner.index());
    let may_change = (!variable.is_stable() && is_visible)
        || owner.is_some_and(|owner| owner.has_dynamic_scope)
        || analysis.facts.is_live_import(analysis.file, var);
    if may_change {
        return Ok(Some(Assumption::usual(Code::NothingAssignsIt, span)));
    }
    let known = headstart_effects::Known::at(analysis, scope.function, scope_start(scope, at));
    if analysis.is_initialised(var, scope.function, at, &known) {
        return Ok(None);
    }
    let name = format!("`{}`", analysis.ir.name(variable.name));
    let topic = Topic::new(TopicKind::Initialised, name);
    Ok(Some(Assumption::new(Code::Initialised, span).on(topic)))
}

/// What is known where an operation stands is known where it starts, save what the statements that
/// it crosses have shown: only what has run before the function's first statement counts.
fn scope_start(scope: &Scope<'_, '_>, at: InstId) -> InstId {
    let first = scope.analysis.ir.function(scope.function).first;
    first.min(at)
}

/// What the process is, or a module or a browser keeps, where a function of the program changes it.
fn setting(scope: &Scope<'_, '_>, location: &SummaryLocation, span: Span) -> Option<Assumption> {
    let SummaryLocation::Resource(kind, _) = location else { return None };
    let writer = scope.summaries.changes_setting(*kind)?;
    let reason = Code::SettingUnchanged.with(&[&text_of(scope, location)]);
    let said = (reason, Code::SettingUnchangedThoughOneMay);
    Some(scope.analysis.written_by(said, span, writer))
}

/// What every operation depends on: relative paths, the environment.
fn ambient(scope: &Scope<'_, '_>, mover: &Mover, span: Span) -> Option<Assumption> {
    if !scope.analysis.facts.changes_working_directory {
        return None;
    }
    let end = InstId::new(mover.operation.index() + 1);
    let steps = scope.summaries.steps(scope.at(), mover.first, end);
    // What `import()` names is looked for from the file that it stands in.
    let is_import = |at| matches!(scope.analysis.ir.inst(at), Inst::DynamicImport { .. });
    let of_own = steps.iter().filter(|it| !is_import(it.at));
    let reads_files = of_own
        .flat_map(|it| [&it.now, &it.later])
        .any(|it| reads(it, Resource::File) || reads(it, Resource::WorkingDirectory))
        || mover.stretch.refs.iter().any(|(it, _)| matches!(it, Location::Region(_)));
    reads_files.then(|| Assumption::usual(Code::WorkingDirectoryUnchanged, span))
}

/// A path may be an object that can be changed, such as a URL.
fn mutable_path(scope: &Scope<'_, '_>, call: InstId) -> Option<Assumption> {
    let ir = scope.analysis.ir;
    let operation = scope.analysis.operation(call, &headstart_effects::Known::default()).ok()?;
    let paths = operation.reads.iter().filter_map(|region| region.which);
    let mut held = paths.filter(|&path| matches!(ir.inst(path), Inst::LoadVar(_)));
    let path = held.find(|&path| may_be_fresh_object(ir, path, LONGEST_TRACE))?;
    Some(Assumption::new(Code::PathUnchanged, ir.span(path)))
}

/// How many steps a value is followed back.
const LONGEST_TRACE: u32 = 6;

/// Whether a value may be an object that the file constructs.
fn may_be_fresh_object(ir: &FileIr, value: InstId, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return true };
    match ir.inst(value) {
        Inst::New { .. } => true,
        Inst::Select(left, right) => {
            may_be_fresh_object(ir, left, steps) || may_be_fresh_object(ir, right, steps)
        }
        Inst::LoadVar(var) => ir.insts.iter().any(|inst| match *inst {
            Inst::StoreVar { var: stored, value } if stored == var => {
                may_be_fresh_object(ir, value, steps)
            }
            _ => false,
        }),
        _ => false,
    }
}

fn is_memory(location: &SummaryLocation) -> bool {
    matches!(location, SummaryLocation::Memory(_))
}

/// Whether a place is in an object that a statement makes itself: a query that it puts together.
fn is_made_by(scope: &Scope<'_, '_>, unit: &Unit<'_>, location: &SummaryLocation) -> bool {
    scope.analysis.is_made_within(location, (unit.stmt.first, unit.stmt.end))
}

/// Whether a statement puts nothing that it makes where others may find it: it writes nothing else in memory.
fn keeps_its_own(scope: &Scope<'_, '_>, unit: &Unit<'_>, effects: &Effects) -> bool {
    unit.anything.is_none()
        && unit.assumed.is_empty()
        && effects.writes.iter().all(|it| !is_memory(it) || is_made_by(scope, unit, it))
}

/// Whether a place belongs to an object that the function itself makes.
fn is_own_object(scope: &Scope<'_, '_>, location: &SummaryLocation) -> bool {
    match location {
        SummaryLocation::Memory(Place { root: PlaceRoot::Made(at), .. }) => {
            scope.summaries.graph.function_at(*at) == scope.at()
        }
        _ => false,
    }
}
