//! A better order for the statements of a block: each operation starts as early as the contract
//! allows.

use std::cell::OnceCell;

use headstart_effects::{Assumption, Blocker, Course};
use headstart_ir::{FileIr, InstId, StmtKind};

use crate::crossing::{Mover, Obstacle};
use crate::exclusive::exclude_each_other;
use crate::log;
use crate::pending;
use crate::reading::shared_handle;
use crate::repeated::Repeated;
use crate::seen::looks_at;
use crate::site::{Binding, Site};
use crate::unit::{Scope, Unit};

/// Before how many places in front of it an operation is tried. Each has to be crossed from each: in a
/// block of very many statements that is more than anybody waits for.
const MOST_PLACES: usize = 32;

/// How many statements an operation is tried in front of at once: those that start together are crossed
/// each by itself, so that more of them would take time by the square.
const MOST_CROSSED: usize = 128;

/// A place in the new order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slot {
    /// Computations that move up to stand before it, in their original order.
    pub(crate) hoisted: Vec<usize>,
    /// Operations that start before it, and are waited for where they stand.
    pub(crate) early: Vec<usize>,
    /// The statement; several where their operations start together and are waited for together.
    pub(crate) units: Vec<usize>,
    /// Whether its operation has started before, so that nothing can start together with it.
    pub(crate) is_started: bool,
}

/// A block in its new order.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    pub(crate) slots: Vec<Slot>,
    /// What each moved operation takes for granted.
    pub(crate) assumptions: Vec<(usize, Vec<Assumption>)>,
}

/// How an operation can move.
struct Move {
    slot: usize,
    /// The computations that move along, by slot.
    taken: Vec<usize>,
    assumptions: Vec<Assumption>,
    is_merged: bool,
}

/// Plans a block.
pub(crate) struct Planner<'a, 's, 'p> {
    pub(crate) scope: Scope<'s, 'p>,
    pub(crate) units: &'a [Unit<'p>],
    /// Whether nothing may be taken for granted.
    pub(crate) is_strict: bool,
    /// Whether other operations may wait until those that moved before them have ended.
    pub(crate) may_wait: bool,
    /// Whether operations start as early as they can, though they could be waited for together with
    /// others later.
    pub(crate) is_eager: bool,
    pub(crate) facts: &'a BlockFacts,
}

/// What is known of a block, once somebody has asked: all plans of it share that.
#[derive(Debug, Default)]
pub(crate) struct BlockFacts {
    /// What is certain where each statement begins.
    course: OnceCell<Course>,
    /// What is read twice.
    repeated: OnceCell<Repeated>,
}

impl Planner<'_, '_, '_> {
    /// The new order.
    pub(crate) fn plan(&self) -> Schedule {
        let mut schedule = Schedule::default();
        for unit in 0..self.units.len() {
            match self.best_move(&schedule, unit) {
                Some(found) => schedule.apply(unit, found),
                None => schedule.push(unit, false),
            }
        }
        schedule
    }

    /// The first place where the operation can start together with others, else the first before
    /// which it can start.
    fn best_move(&self, schedule: &Schedule, unit: usize) -> Option<Move> {
        let count = schedule.slots.len();
        let takes_time = |slot: usize| self.would_overlap(unit, &schedule.slots[slot]);
        if !self.may_move(unit) || !(schedule.nearest()..count).any(takes_time) {
            return None;
        }
        let nearest = self.nearest(schedule, unit)?;
        let is_fixed = || self.units[unit].cleanup(self.scope).blocker.is_some();
        if !(nearest..count).any(takes_time) || is_fixed() {
            return None;
        }
        let mut early = None;
        for slot in nearest..count {
            if self.is_eager && early.is_some() {
                break;
            }
            let is_fine = |it: &Move| !self.is_strict || it.assumptions.is_empty();
            let together = self.try_move(schedule, unit, slot, true);
            if let Some(found) = together.filter(|it| it.is_merged && is_fine(it)) {
                return Some(found);
            }
            if early.is_none() {
                early = self.try_move(schedule, unit, slot, false).filter(is_fine);
            }
        }
        early
    }

    /// The first slot that an operation can get to: it cannot cross the one, or those in front of it are too
    /// many. None where it cannot even start where it is waited for.
    fn nearest(&self, schedule: &Schedule, unit: usize) -> Option<usize> {
        let nearest = schedule.nearest();
        let mut mover = self.mover(unit, unit, false)?;
        for (index, slot) in schedule.slots.iter().enumerate().skip(nearest).rev() {
            if self.is_needed(slot, &mover) {
                mover.take(&self.units[slot.units[0]]);
                continue;
            }
            let mut crossed = slot.hoisted.iter().chain(&slot.units);
            let is_wall = |&it: &usize| {
                mover.cross(&self.scope, &self.units[it]).is_err()
                    || self.handles(it, unit).is_err()
            };
            if crossed.any(is_wall) {
                return Some(index);
            }
        }
        Some(nearest)
    }

    /// Whether an operation that starts before a slot would overlap it.
    fn would_overlap(&self, unit: usize, slot: &Slot) -> bool {
        let ir = self.scope.analysis.ir;
        slot.units.first().is_some_and(|&lead| {
            self.units[lead].takes_time()
                && !exclude_each_other(ir, &self.units[lead], &self.units[unit])
                && !self.sets_again(lead, unit)
        })
    }

    /// Whether two statements that run only sometimes set the same variable, and the second does not look what the first
    /// has set: who writes that means that only one of them runs.
    fn sets_again(&self, earlier: usize, later: usize) -> bool {
        let (earlier, later) = (&self.units[earlier], &self.units[later]);
        let is_if = |it: &Unit<'_>| matches!(it.stmt.kind, StmtKind::If { .. });
        is_if(earlier)
            && is_if(later)
            && earlier
                .writes
                .iter()
                .any(|it| later.writes.contains(it) && !later.reads.contains(it))
    }

    fn may_move(&self, unit: usize) -> bool {
        let site = self.units[unit].site.as_ref();
        site.is_some_and(|site| site.fixed.is_none())
    }

    /// Whether a statement only reads: it could run earlier or not at all.
    fn only_reads(&self, unit: usize) -> bool {
        let site = self.units[unit].site.as_ref();
        site.is_some_and(Site::only_reads)
    }

    /// Why an operation cannot start where an earlier statement stands; none where it can.
    pub(crate) fn obstacle(&self, unit: usize, lead: usize) -> Option<Obstacle> {
        let mut mover = self.mover(unit, lead, false)?;
        for crossed in (lead..unit).rev() {
            let other = &self.units[crossed];
            let is_needed = other.computation.is_some()
                && other.writes.iter().any(|it| mover.reads.contains(it));
            if is_needed {
                mover.take(other);
                continue;
            }
            let found = mover.cross(&self.scope, other).map(|_| ());
            let found = found.and_then(|()| self.handles(crossed, unit).map(|_| ()));
            if let Err(obstacle) = found {
                return Some(obstacle);
            }
        }
        let of_start =
            mover.suspension(&self.scope).err().or_else(|| self.meets(&mover, lead).err());
        let of_cleanup = || self.units[unit].cleanup(self.scope).blocker.clone();
        of_start.or_else(of_cleanup).map(Obstacle::Blocked)
    }

    /// Tries to start an operation where a slot begins: together with its operation, or before it.
    fn try_move(
        &self,
        schedule: &Schedule,
        unit: usize,
        slot: usize,
        is_together: bool,
    ) -> Option<Move> {
        let target = &schedule.slots[slot];
        let lead = target.units.first().copied().filter(|_| self.would_overlap(unit, target))?;
        let mut mover = self.mover(unit, lead, is_together)?;
        let mut assumptions = Vec::new();
        let mut taken = Vec::new();
        for (index, crossed) in schedule.slots.iter().enumerate().skip(slot).rev() {
            if index > slot && self.is_needed(crossed, &mover) {
                mover.take(&self.units[crossed.units[0]]);
                taken.push(index);
                continue;
            }
            let before = if index > slot { crossed.hoisted.as_slice() } else { &[] };
            for &other in before.iter().chain(&crossed.units) {
                let is_lead = is_together && crossed.units.contains(&other) && index == slot;
                let crossing = if is_lead {
                    mover.join(&self.scope, &self.units[other])
                } else {
                    mover.cross(&self.scope, &self.units[other])
                };
                assumptions.extend(crossing.ok()?);
                assumptions.extend(self.handles(other, unit).ok()?);
            }
        }
        let of_start = mover.suspension(&self.scope).ok()?;
        assumptions.extend(of_start);
        assumptions.extend(self.meets(&mover, lead).ok()?);
        assumptions.extend(self.units[unit].cleanup(self.scope).assumptions.iter().cloned());
        let is_merged = is_together && self.can_merge(schedule, unit, slot, &taken);
        if is_merged {
            for &other in &target.units {
                let of_other = &self.units[other].cleanup(self.scope).assumptions;
                assumptions.extend(of_other.iter().cloned());
                let (effects, span) = (&self.units[other].effects, self.units[other].stmt.span);
                assumptions.extend(log::order(&self.scope, effects, span));
            }
        }
        Some(Move { slot, taken, assumptions, is_merged })
    }

    /// What is under way where a statement begins, and an operation that started there would meet.
    fn meets(&self, mover: &Mover, lead: usize) -> Result<Option<Assumption>, Blocker> {
        let point = self.units[lead].stmt.first;
        pending::conflict(&self.scope, &mover.stretch.effects, (point, mover.operation))
    }

    /// The operation of a statement, with what is certain where another begins.
    fn mover(&self, unit: usize, lead: usize, is_together: bool) -> Option<Mover> {
        let analysis = self.scope.analysis;
        let site = self.units[unit].site.as_ref()?;
        let lead = &self.units[lead];
        let course = self.facts.course.get_or_init(|| self.scope.course(self.units));
        let mut known = course.at(lead.stmt.first);
        if let Some(first) = lead.site.as_ref().filter(|_| is_together) {
            known.learn(analysis, first.first, InstId::new(first.operation.index() + 1));
        }
        let stretch = site.stretch_with(analysis, &known).ok()?;
        let mut mover = Mover::new(&self.scope, site.first, site.operation, stretch);
        // What runs only sometimes gives its names their values where it stands, and so do a `try` and what is more
        // than a declaration, and one wait: `text += await section()`.
        let ir = analysis.ir;
        let stmt = self.units[unit].stmt;
        let mut waits =
            FileIr::range(stmt.first, stmt.end).filter(|&it| ir.inst(it).is_suspend_point());
        let stays = site.guard.is_some()
            || matches!(stmt.kind, StmtKind::Try(_))
            || matches!(site.binding, Binding::Within) && waits.nth(1).is_none();
        if !stays {
            mover.binds.clone_from(&self.units[unit].writes);
        }
        Some(mover)
    }

    /// Whether a slot is a computation that the operation needs.
    fn is_needed(&self, slot: &Slot, mover: &Mover) -> bool {
        let [only] = slot.units.as_slice() else { return false };
        let unit = &self.units[*only];
        slot.early.is_empty()
            && slot.hoisted.is_empty()
            && unit.computation.is_some()
            && unit.writes.iter().any(|it| mover.reads.contains(it))
    }

    fn handles(&self, earlier: usize, later: usize) -> Result<Option<Assumption>, Obstacle> {
        let Some(site) = self.units[later].site.as_ref() else { return Ok(None) };
        let repeated = self.facts.repeated.get_or_init(|| Repeated::of(&self.scope, self.units));
        repeated.cross(&self.scope, self.units, earlier, later)?;
        let stmt = self.units[earlier].stmt;
        shared_handle(self.scope.analysis, (stmt.first, stmt.end), site.operation)
            .map_err(Obstacle::Depends)
    }

    /// Whether an operation can be waited for together with those of a slot: all that stands in
    /// between can wait for it, too.
    fn can_merge(&self, schedule: &Schedule, unit: usize, slot: usize, taken: &[usize]) -> bool {
        let target = &schedule.slots[slot];
        // Who waits for several at once ends with the first that fails, and a write would still be going on: those are
        // waited for one after the other.
        let is_writing = !self.only_reads(unit);
        let is_bound =
            |it: usize| self.is_declared(it) || matches!(self.binding(it), Some(Binding::Unused));
        let is_plain = |it: usize| {
            is_bound(it)
                && self.units[it].site.as_ref().is_some_and(|it| it.result_type.moves())
                && (is_writing
                    || self.units[it].started.effects.writes.is_empty()
                    || self.only_reads(it))
        };
        let bound = &self.units[unit].writes;
        self.may_move(unit)
            && !target.is_started
            && (self.is_declared(unit) || is_writing && is_bound(unit))
            && target.units.iter().all(|&it| is_plain(it))
            // When one fails, the others are still under way.
            && target.units.iter().all(|&it| self.units[it].cleanup(self.scope).blocker.is_none())
            && schedule.slots.iter().enumerate().skip(slot + 1).all(|(index, between)| {
                taken.contains(&index)
                    || (!between.is_started
                        && between.hoisted.iter().chain(&between.units).all(|&it| {
                            self.can_wait(it)
                                && looks_at(&self.scope, &self.units[it], bound).is_none()
                        }))
            })
    }

    /// Whether a statement does no more than start its operation and bind the result.
    fn is_declared(&self, unit: usize) -> bool {
        matches!(self.binding(unit), Some(Binding::Declared(..)))
    }

    fn binding(&self, unit: usize) -> Option<Binding<'_>> {
        self.units[unit].site.as_ref().map(|it| it.binding)
    }

    /// Whether a statement can run later, or not at all where what it waits for then fails: it
    /// only computes, or reads what nobody changes.
    fn can_wait(&self, unit: usize) -> bool {
        let data = &self.units[unit];
        if matches!(data.stmt.kind, StmtKind::Inert) {
            return true;
        }
        let (first, stretch) = match (&data.computation, &data.site) {
            (Some(computation), _) => (data.stmt.first, computation.clone()),
            (None, Some(site))
                if self.may_wait && self.only_reads(unit) && self.is_declared(unit) =>
            {
                match &site.stretch {
                    Ok(stretch) => (site.first, stretch.clone()),
                    Err(_) => return false,
                }
            }
            _ => return false,
        };
        let mover = Mover::new(&self.scope, first, first, stretch);
        mover.suspension(&self.scope).is_ok_and(|it| it.is_empty())
    }
}

impl Schedule {
    /// The operations that moved within a range of statements.
    pub(crate) fn moved(&self, (first, last): (usize, usize)) -> Vec<usize> {
        let all = self.assumptions.iter().map(|it| it.0);
        all.filter(|it| (first..=last).contains(it)).collect()
    }

    /// Whether everything stays where it is.
    pub(crate) fn is_unmoved(&self) -> bool {
        self.assumptions.is_empty()
    }

    /// How many operations start early, with a promise that has a name.
    pub(crate) fn early(&self) -> usize {
        self.slots.iter().map(|slot| slot.early.len()).sum()
    }

    /// The first slot in front of which a statement behind all of them is tried.
    fn nearest(&self) -> usize {
        let mut crossed = 0;
        let mut within = |slot: &&Slot| {
            crossed += slot.hoisted.len() + slot.units.len();
            crossed <= MOST_CROSSED
        };
        let last = self.slots.iter().rev().take(MOST_PLACES);
        self.slots.len() - last.take_while(|slot| within(slot)).count()
    }

    fn push(&mut self, unit: usize, is_started: bool) {
        self.slots.push(Slot { units: vec![unit], is_started, ..Slot::default() });
    }

    fn apply(&mut self, unit: usize, found: Move) {
        let mut taken = found.taken;
        taken.sort_unstable();
        for &index in taken.iter().rev() {
            let moved = self.slots.remove(index);
            self.slots[found.slot].hoisted.extend(moved.units);
        }
        let target = &mut self.slots[found.slot];
        target.hoisted.sort_unstable();
        self.assumptions.push((unit, found.assumptions));
        if found.is_merged {
            target.units.push(unit);
        } else {
            target.early.push(unit);
            self.push(unit, true);
        }
    }

    /// The groups of statements that the new order touches, as ranges of statements; those that
    /// overlap are one.
    pub(crate) fn regions(&self) -> Vec<(usize, usize)> {
        let mut regions: Vec<(usize, usize)> = Vec::new();
        for slot in &self.slots {
            if slot.units.len() < 2 && slot.early.is_empty() {
                continue;
            }
            let all = slot.hoisted.iter().chain(&slot.early).chain(&slot.units).copied();
            let first = all.clone().min().unwrap_or_default();
            let last = all.max().unwrap_or_default();
            regions.push((first, last));
        }
        regions.sort_unstable();
        let mut joined: Vec<(usize, usize)> = Vec::new();
        for (first, last) in regions {
            match joined.last_mut() {
                Some(before) if first <= before.1 => before.1 = before.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        joined
    }
}
