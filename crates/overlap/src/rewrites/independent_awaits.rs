//! Operations that wait for one another though none needs what the other gives.
//!
//! ## What it does
//! Finds operations that read from outside the program and wait for others that stand before them
//! in the same block, though they need nothing from those. It starts them earlier: together where
//! they can be waited for together, else with a promise that has a name.
//!
//! ## Before
//! ```js
//! const user = await fetchUser(id);
//! const key = `posts:${id}`;
//! const posts = await loadPosts(key);
//! ```
//!
//! ## After
//! ```js
//! const key = `posts:${id}`;
//! const [user, posts] = await Promise.all([fetchUser(id), loadPosts(key)]);
//! ```
//!
//! ## When not
//! See `docs/independent-awaits.md`: an operation that needs an earlier result, one that writes,
//! a check that stands before it, something that nobody understands, a `finally` that could run
//! while it is still under way.

use headstart_effects::{Assumption, Blocker, Code, Effects};
use headstart_ir::{BlockForm, DeclKind, Declarator, FileIr, Inst, PatternShape, Span, StmtKind};

use super::{Find, Meta, Rewrite};
use crate::arbiter::{Proposal, Proposals};
use crate::block::{Block, Surroundings};
use crate::finding::{Finding, Form, Level, Part, Piece, Plan, PlannedBinding, PlannedOperation};
use crate::gain::{duration, gain};
use crate::inferred::ResultType;
use crate::members::with_members;
use crate::missing::may_lack;
use crate::promised::has_promise_type;
use crate::schedule::{BlockFacts, Planner, Schedule, Slot};
use crate::seen::is_seen_by_closure;
use crate::script::Script;
use crate::site::{Binding, Site};
use crate::unit::{Scope, Unit};
use crate::walk::pinned_comment;
use crate::words;

pub(super) const REWRITE: Rewrite = Rewrite {
    meta: Meta {
        id: "independent-awaits",
        summary: "Independent operations wait for one another",
        description: "Operations in the same block that read from outside the program need nothing \
                      from one another, yet each starts only when the one before it has ended.",
        help: "Start the operations together with `Promise.all`, or start one earlier and await it \
               where its result is needed. `headstart fix` does it.",
        edits: Some("Start the operation earlier, and wait for it where its result is needed"),
        remedy: "start them together",
        here: None,
        waits_for: "for this to end",
        levels: &[Level::Safe, Level::Likely, Level::Hint],
    },
    find: Find::Block(find),
};

/// What there is with the operations that whole statements wait for, or with some that are only a part of what they
/// wait for where that finds more.
fn find<'p>(block: &Block<'_, 'p>, proposals: &Proposals<'p>) -> Vec<Proposal<'p>> {
    let whole = found(block, &block.units, proposals);
    let Some(units) = with_members(block) else { return whole.proposals };
    let parts = found(block, &units, proposals);
    if parts.moved > whole.moved { parts.proposals } else { whole.proposals }
}

/// What is found, and how many operations move.
struct Found<'p> {
    proposals: Vec<Proposal<'p>>,
    moved: usize,
}

/// First what is safe, then what is likely among the rest.
fn found<'p>(block: &Block<'_, 'p>, units: &[Unit<'p>], proposals: &Proposals<'p>) -> Found<'p> {
    let Block { scope, surroundings, .. } = block;
    let builder = Builder { scope: *scope, units, surroundings: *surroundings, proposals };
    let facts = BlockFacts::default();
    let is_exact = surroundings.is_exact || surroundings.is_told_apart;
    let best = |is_strict| best(*scope, units, &facts, is_strict, is_exact);
    // The first that moves where nothing is taken for granted moves where something may be, too.
    let likely = best(false);
    let mut found = Found { proposals: Vec::new(), moved: likely.assumptions.len() };
    if likely.is_unmoved() {
        return found;
    }
    let mut safe = Vec::new();
    for (is_strict, schedule) in [(true, best(true)), (false, likely)] {
        for region in schedule.regions() {
            let moved = schedule.moved(region);
            // What is safe is not told twice. What takes more for granted and finds more stands
            // beside it, and takes its place in `fix --level likely`.
            if !is_strict && moved.iter().all(|it| safe.contains(it)) {
                continue;
            }
            let finding = builder.finding(&schedule, region);
            if is_strict && finding.level != Level::Safe {
                continue;
            }
            if is_strict {
                safe.extend(moved);
            }
            found.proposals.push(Proposal::of(finding, region));
        }
    }
    found
}

/// The order with the least waiting. One that needs more names has to be clearly better. Where it
/// matters which error comes first, no operation waits for one that stood behind it.
fn best<'p>(
    scope: Scope<'_, 'p>,
    units: &[Unit<'p>],
    facts: &BlockFacts,
    is_strict: bool,
    is_exact: bool,
) -> Schedule {
    let plan = |may_wait, is_eager| {
        let may_wait = may_wait && !is_exact;
        Planner { scope, units, is_strict, may_wait, is_eager, facts }.plan()
    };
    let mut found = plan(true, false);
    // The others try the same operations in front of the same statements, as long as none has moved.
    if found.is_unmoved() {
        return found;
    }
    let of = |schedule: &Schedule| duration(scope.analysis.ir, units, schedule);
    for (may_wait, is_eager) in [(false, false), (false, true)] {
        let other = plan(may_wait, is_eager);
        let (takes, would_take) = (of(&found), of(&other));
        let is_better = would_take * 10 < takes * 9;
        let is_plainer = would_take <= takes && other.early() < found.early();
        if is_better || is_plainer {
            found = other;
        }
    }
    found
}

/// Makes the findings of one block.
struct Builder<'a, 's, 'p> {
    scope: Scope<'s, 'p>,
    units: &'a [Unit<'p>],
    surroundings: Surroundings,
    /// What others have proposed.
    proposals: &'a Proposals<'p>,
}

impl Builder<'_, '_, '_> {
    fn finding(&self, schedule: &Schedule, (first, last): (usize, usize)) -> Finding {
        let moved = schedule.moved((first, last));
        let mut assumptions: Vec<Assumption> = Vec::new();
        for (unit, of_unit) in &schedule.assumptions {
            if moved.contains(unit) {
                assumptions.extend(of_unit.iter().cloned());
            }
        }
        let mut blockers = Vec::new();
        let site = self.units[moved[0]].site.as_ref();
        let span = site
            .map_or(self.units[moved[0]].stmt.span, |it| self.scope.analysis.ir.span(it.operation));
        let stretches = moved.iter().filter_map(|&it| self.units[it].site.as_ref()?.stretch.as_ref().ok());
        let effects: Vec<&Effects> = stretches.map(|it| &it.effects).collect();
        self.surroundings.judge(self.scope, (span, &effects), &mut assumptions, &mut blockers);
        self.judge_comments(first, last, &mut blockers);
        let level = if !blockers.is_empty() {
            Level::Hint
        } else if assumptions.is_empty() {
            Level::Safe
        } else {
            Level::Likely
        };
        let mut leads: Vec<usize> = self.leads(schedule, first, last);
        // What moves itself is told once.
        if leads.iter().any(|it| !moved.contains(it)) {
            leads.retain(|it| !moved.contains(it));
        }
        let names = |units: &[usize]| -> Vec<String> {
            units.iter().map(|&it| words::name(self.scope, &self.units[it])).collect()
        };
        let of_leads = |units: &[usize]| -> Vec<String> {
            units.iter().map(|&it| words::name_of_lead(self.scope, &self.units[it])).collect()
        };
        let others = leads.iter().chain(&moved[1..]);
        Finding {
            rule: REWRITE.meta.id,
            level,
            range: self.units[moved[0]].stmt.span,
            message: words::message(&of_leads(&leads), &names(&moved)),
            overlaps: others.map(|&it| self.units[it].stmt.span).collect(),
            crosses: leads
                .iter()
                .flat_map(|&it| words::suspensions(self.scope, &self.units[it]))
                .collect(),
            assumptions,
            blockers,
            gain: gain(self.scope.analysis.ir, self.units, schedule, &moved),
            plan: (level != Level::Hint).then(|| self.planned(schedule, first, last)),
        }
    }

    /// The statements that operations of the region no longer wait for.
    fn leads(&self, schedule: &Schedule, first: usize, last: usize) -> Vec<usize> {
        let is_in = |slot: &&Slot| {
            slot.units.first().is_some_and(|it| (first..=last).contains(it))
        };
        let of_slots = schedule.slots.iter().filter(is_in);
        of_slots
            .filter(|slot| slot.units.len() > 1 || !slot.early.is_empty())
            .filter_map(|slot| slot.units.first().copied())
            .collect()
    }

    fn planned(&self, schedule: &Schedule, first: usize, last: usize) -> Plan {
        let moved: Vec<usize> = schedule.assumptions.iter().map(|it| it.0).collect();
        let pieces = (first..=last)
            .map(|unit| Piece {
                statement: self.units[unit].stmt.span,
                operation: self.operation(schedule, unit, &moved),
                script: self.script(schedule, unit),
            })
            .collect();
        let mut parts = Vec::new();
        for slot in &schedule.slots {
            if !slot.units.first().is_some_and(|it| (first..=last).contains(it)) {
                continue;
            }
            parts.extend(slot.hoisted.iter().map(|it| Part::Keep(it - first)));
            parts.extend(self.lead(slot).map(|it| Part::Lead(it - first)));
            parts.extend(slot.early.iter().map(|it| Part::Start(it - first)));
            match slot.units.as_slice() {
                [only] => parts.push(Part::Keep(only - first)),
                several => {
                    let form = self.form(schedule, several);
                    parts.push(Part::Group(several.iter().map(|it| it - first).collect(), form));
                }
            }
        }
        let (start, end) = (self.units[first].stmt.span.start, self.units[last].stmt.span.end);
        Plan { span: Span::new(start, end), form: BlockForm::List, pieces, parts }
    }

    /// The statement that operations start in front of, where its own can start ahead of them: it is the first thing that
    /// the statement does.
    fn lead(&self, slot: &Slot) -> Option<usize> {
        let &[only] = slot.units.as_slice() else { return None };
        let unit = &self.units[only];
        let site = unit.site.as_ref()?;
        let is_once = matches!(
            unit.stmt.kind,
            StmtKind::Declaration { .. } | StmtKind::Expression { .. } | StmtKind::Return
        );
        let is_plain = site.guard.is_none()
            && site.before.is_empty()
            && site.result_type.moves()
            && !site.loses_comment(self.scope.analysis.ir);
        (is_once
            && is_plain
            && !slot.early.is_empty()
            && !slot.is_started
            && site.first == unit.stmt.first
            && self.proposals.safe_within(only).is_none())
        .then_some(only)
    }

    /// How a statement is rewritten by itself, where that is safe: not where its operation has started
    /// before, which is another one then.
    fn script(&self, schedule: &Schedule, unit: usize) -> Option<Script> {
        let is_started = |slot: &Slot| slot.is_started && slot.units.contains(&unit);
        let within = self.proposals.safe_within(unit)?;
        let is_kept = within.becomes.is_some() || !schedule.slots.iter().any(is_started);
        within.script.clone().filter(|_| is_kept)
    }

    /// The operation of a statement, where it starts together with others, or before its place.
    fn operation(
        &self,
        schedule: &Schedule,
        unit: usize,
        moved: &[usize],
    ) -> Option<PlannedOperation> {
        let site = self.units[unit].site.as_ref()?;
        let is_grouped =
            schedule.slots.iter().any(|it| it.units.len() > 1 && it.units.contains(&unit));
        let mut own = schedule.slots.iter().filter(|it| it.units == [unit]);
        let mut is_lead = || own.any(|it| self.lead(it).is_some());
        if !is_grouped && !moved.contains(&unit) && !is_lead() {
            return None;
        }
        let stmt = self.units[unit].stmt;
        let binding = match site.binding {
            Binding::Declared(keyword, declarator) => Some(PlannedBinding {
                keyword: Some(keyword),
                end: declarator.span.end,
                pattern: declarator.pattern,
                annotation: declarator.annotation,
                is_name: matches!(declarator.shape, PatternShape::Name(_)),
            }),
            Binding::Unused => {
                let end = self.scope.analysis.ir.span(site.suspension).end;
                let empty = Span::new(stmt.span.start, stmt.span.start);
                Some(PlannedBinding {
                    keyword: None,
                    end,
                    pattern: empty,
                    annotation: empty,
                    is_name: false,
                })
            }
            Binding::Within => None,
        };
        let before = site.before.iter().map(|it| self.planned_operation(it, None)).collect();
        // What starts first throws where it did.
        let is_caught = moved.contains(&unit) && self.is_caught(schedule, unit);
        Some(PlannedOperation { before, is_caught, ..self.planned_operation(site, binding) })
    }

    fn planned_operation(
        &self,
        site: &Site<'_>,
        binding: Option<PlannedBinding>,
    ) -> PlannedOperation {
        let at = self.scope.analysis.at(site.operation);
        PlannedOperation {
            span: self.scope.analysis.ir.span(site.operation),
            callee: site.callee.clone(),
            is_typed: site.result_type == ResultType::Annotation,
            is_lazy: site.is_lazy,
            may_be_value: self.scope.summaries.may_give_value(at)
                || self.may_be_mocked(site)
                || !has_promise_type(self.scope.analysis, site.operation),
            is_caught: site.is_caught,
            guard: site.guard,
            binding,
            before: Vec::new(),
        }
    }

    /// Whether tests can put something in the place of what is called that gives no promise: functions that come from
    /// another file of the program, and its methods.
    fn may_be_mocked(&self, site: &Site<'_>) -> bool {
        let Scope { analysis, summaries, .. } = self.scope;
        let at = analysis.at(site.operation);
        let is_by_name = matches!(
            analysis.ir.inst(site.operation),
            Inst::Call { callee, .. } if matches!(analysis.ir.inst(callee), Inst::LoadVar(_))
        );
        let functions = &summaries.graph.callees(at).functions;
        functions.iter().any(|it| !is_by_name || it.file != at.file)
    }

    /// Whether what an operation throws before there is a promise has to be handled where it is waited for.
    fn is_caught(&self, schedule: &Schedule, unit: usize) -> bool {
        let of_unit = schedule.assumptions.iter().find(|it| it.0 == unit);
        self.units[unit].site.as_ref().is_some_and(|site| {
            let before = &self.units[..self.started_before(schedule, unit)];
            site.is_caught
                || of_unit.is_some_and(|it| may_lack(self.scope.analysis, site, &it.1, before))
        })
    }

    /// How many statements have run, or have started what they wait for, when an operation starts.
    fn started_before(&self, schedule: &Schedule, unit: usize) -> usize {
        let starts = |it: &&Slot| it.early.contains(&unit) || it.units.contains(&unit);
        let slot = schedule.slots.iter().find(starts);
        let first = slot.and_then(|it| Some((it, *it.units.first()?)));
        first.map_or(unit, |(slot, first)| {
            let is_behind = slot.units.contains(&unit) || self.lead(slot).is_some();
            if is_behind { first + 1 } else { first }
        })
    }

    fn form(&self, schedule: &Schedule, units: &[usize]) -> Form {
        // What writes is waited for, whatever becomes of the others.
        let writes = |it: &usize| self.units[*it].site.as_ref().is_some_and(Site::changes_outside);
        let throws = |it: &usize| self.is_caught(schedule, *it);
        let is_named = self.surroundings.is_exact
            || self.surroundings.is_told_apart
            || units.iter().any(writes)
            || units[1..].iter().any(throws)
            || self.needs_own_bindings(units);
        if is_named { Form::Named } else { Form::All }
    }

    /// A comment for a tool means what it says only where it stands.
    fn judge_comments(&self, first: usize, last: usize, blockers: &mut Vec<Blocker>) {
        let (start, end) = (self.units[first].stmt.span.start, self.units[last].stmt.span.end);
        let near = pinned_comment(self.scope.analysis.ir, Span::new(start, end));
        if let Some(comment) = near {
            blockers.push(Blocker::new(Code::CommentForATool, comment.span));
        }
    }

    /// Whether one declaration for all names would not do: their keywords differ, only some have a
    /// type, one has to be written at its promise, or a closure may look at a name before the last is bound.
    fn needs_own_bindings(&self, units: &[usize]) -> bool {
        let ir = self.scope.analysis.ir;
        let declared: Vec<(DeclKind, &Declarator)> = units
            .iter()
            .filter_map(|&it| match self.units[it].site.as_ref()?.binding {
                Binding::Declared(keyword, declarator) => Some((keyword, declarator)),
                _ => None,
            })
            .collect();
        let is_mixed = declared
            .iter()
            .any(|it| it.0 != declared[0].0 || it.1.has_annotation() != declared[0].1.has_annotation())
            || !declared.iter().all(|it| it.1.has_plain_annotation)
            || (ir.is_typescript
                && self.surroundings.context.is_loop
                && self.reads_changing(units));
        let before = units.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
        let point = self.units[units[0]].stmt.first;
        let is_seen = before
            .iter()
            .flat_map(|&it| &self.units[it].writes)
            .any(|&var| is_seen_by_closure(ir, self.scope.function, var, point));
        let is_typed = |it: &Site<'_>| it.result_type == ResultType::Annotation;
        let is_typed = units.iter().any(|&it| self.units[it].site.as_ref().is_some_and(is_typed));
        is_mixed || is_seen || is_typed
    }

    /// Whether an operation reads a variable that is assigned again: in a loop, TypeScript would
    /// infer the type of the names bound together from itself, and give up (TS7022).
    fn reads_changing(&self, units: &[usize]) -> bool {
        let ir = self.scope.analysis.ir;
        units.iter().filter_map(|&it| self.units[it].site.as_ref()).any(|site| {
            FileIr::range(site.first, site.suspension).any(|id| match ir.inst(id) {
                Inst::LoadVar(var) => ir.variable(var).writes > 1,
                _ => false,
            })
        })
    }
}
