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

use headstart_effects::{Assumption, Blocker, FileAnalysis, Summaries};
use headstart_ir::{
    BlockId, DeclKind, FileIr, FunctionId, FunctionKind, Inst, InstId, PatternShape, PinnedComment,
    Span, StmtKind,
};
use rustc_hash::FxHashSet;

use crate::crossing::is_seen_by_closure;
use crate::finding::{
    Errors, Finding, Form, Gathered, Level, Part, Piece, Plan, PlannedBinding, PlannedOperation,
};
use crate::gain::{duration, gain};
use crate::schedule::{Planner, Schedule};
use crate::site::Binding;
use crate::unit::{Scope, Unit};
use crate::walk::{Context, blocks, ignored_spans, waits_twice};
use crate::{awaits_in_one_expression, hints};

/// The name of the rewrite in reports.
pub(crate) const RULE: &str = "independent-awaits";

/// Finds what can be rewritten in a file.
pub(crate) fn find<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
    errors: Errors,
) -> Vec<Finding> {
    let ir = analysis.ir;
    let ignored = ignored_spans(ir);
    // Where `Promise` is another one, promises with names do without it.
    let is_shadowed = ir.variables.iter().any(|variable| ir.name(variable.name) == "Promise");
    let errors = if is_shadowed { Errors::Exact } else { errors };
    let mut findings = Vec::new();
    for (index, function) in ir.functions.iter().enumerate() {
        if function.suspend_points < 2 || ignored.iter().any(|it| it.contains(function.span)) {
            continue;
        }
        let scope = Scope { analysis, summaries, function: FunctionId::new(index) };
        blocks(ir, scope.function, &mut |block, context| {
            if summaries.graph.is_stopped() {
                return;
            }
            findings.extend(of_block(scope, block, context, errors));
        });
    }
    if analysis.facts.replaces_promises() {
        findings.iter_mut().for_each(without_promises);
    }
    findings
}

/// What is written calls `Promise.all` and `catch`: where those are the program's own, a person has to
/// look.
fn without_promises(finding: &mut Finding) {
    if finding.plan.take().is_some() {
        let text = "the program replaces what promises do, which the rewritten code would call";
        finding.level = Level::Hint;
        finding.assumptions.clear();
        finding.blockers = vec![Blocker::new(text, finding.range)];
    }
}

/// The findings of one block: first what is safe, then what is likely among the rest, then hints.
fn of_block(
    scope: Scope<'_, '_>,
    block: BlockId,
    context: Context,
    errors: Errors,
) -> Vec<Finding> {
    if !waits_twice(scope.analysis.ir, block) {
        return Vec::new();
    }
    let is_exact = errors == Errors::Exact || context.handler.is_some();
    let surroundings = Surroundings { context, is_exact };
    let units = scope.waiting_units(block);
    if declares_twice(&units) {
        return Vec::new();
    }
    let of_unit: Vec<Option<Finding>> = units
        .iter()
        .map(|unit| awaits_in_one_expression::find(scope, unit, &surroundings))
        .collect();
    let within: Vec<Option<Vec<Gathered>>> = of_unit.iter().map(gathered).collect();
    let mut frozen = vec![false; units.len()];
    let mut findings = Vec::new();
    // What a likely finding takes in may still be found on its own.
    let mut taken = vec![false; units.len()];
    let mut safe = Vec::new();
    for is_strict in [true, false] {
        let schedule = best(scope, &units, is_strict, is_exact);
        for region in schedule.regions() {
            let builder = Builder { scope, units: &units, surroundings, within: &within };
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
                taken[region.0..=region.1].fill(true);
            }
            frozen[region.0..=region.1].fill(true);
            findings.push(finding);
        }
    }
    for (index, finding) in of_unit.into_iter().enumerate() {
        if let (Some(finding), false) = (finding, taken[index]) {
            frozen[index] = true;
            findings.push(finding);
        }
    }
    findings.extend(hints::find(scope, &units, &frozen));
    findings
}

/// Whether two statements declare one name: an early error (ECMA-262, 14.2.1), and no program.
fn declares_twice(units: &[Unit<'_>]) -> bool {
    let mut seen = FxHashSet::default();
    let is_lexical = |unit: &&Unit<'_>| matches!(unit.stmt.kind, StmtKind::Declaration { kind, .. } if kind != DeclKind::Var);
    units.iter().filter(is_lexical).flat_map(|it| &it.writes).any(|it| !seen.insert(*it))
}

/// What a safe finding within one statement puts together.
fn gathered(finding: &Option<Finding>) -> Option<Vec<Gathered>> {
    let finding = finding.as_ref().filter(|it| it.level == Level::Safe)?;
    finding.plan.as_ref()?.parts.iter().find_map(|part| match part {
        Part::Gather(_, gathered) => Some(gathered.clone()),
        _ => None,
    })
}

/// The order with the least waiting. One that needs more names has to be clearly better. Where it
/// matters which error comes first, no operation waits for one that stood behind it.
fn best<'p>(scope: Scope<'_, 'p>, units: &[Unit<'p>], is_strict: bool, is_exact: bool) -> Schedule {
    let plan = |may_wait, is_eager| {
        let may_wait = may_wait && !is_exact;
        Planner { scope, units, is_strict, may_wait, is_eager }.plan()
    };
    let mut found = plan(true, false);
    for (may_wait, is_eager) in [(false, false), (false, true)] {
        let other = plan(may_wait, is_eager);
        let (takes, would_take) = (duration(units, &found), duration(units, &other));
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
    /// What can be put together within a single statement, and is safe.
    within: &'a [Option<Vec<Gathered>>],
}

/// What encloses a block, as far as it decides how its statements may be rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    context: Context,
    /// Whether the error has to be the one that the original would have met first.
    pub(crate) is_exact: bool,
}

impl Surroundings {
    /// What encloses a place may forbid the rewrite, or rest it on an assumption.
    pub(crate) fn judge(
        &self,
        scope: Scope<'_, '_>,
        span: Span,
        assumptions: &mut Vec<Assumption>,
        blockers: &mut Vec<Blocker>,
    ) {
        let function = scope.analysis.ir.function(scope.function);
        if self.context.finalizer.is_some() {
            let text = "what cleans up around it could run while `{}` is still under way";
            blockers.push(Blocker::new(text, span));
        }
        if function.has_dynamic_scope {
            let text = "`arguments` or a direct `eval` near `{}` can see and change its variables";
            blockers.push(Blocker::new(text, span));
        }
        if function.kind == FunctionKind::Module {
            let text = "no other module relies on when this one, at its top level, reaches `{}`";
            assumptions.push(Assumption::new(text, span));
        }
    }
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
        self.surroundings.judge(self.scope, span, &mut assumptions, &mut blockers);
        self.judge_comments(first, last, &mut blockers);
        let level = if !blockers.is_empty() {
            Level::Hint
        } else if assumptions.is_empty() {
            Level::Safe
        } else {
            Level::Likely
        };
        let leads: Vec<usize> = self.leads(schedule, first, last);
        let names = |units: &[usize]| -> Vec<String> {
            units.iter().map(|&it| hints::name(self.scope, &self.units[it])).collect()
        };
        let others = leads.iter().chain(&moved[1..]);
        Finding {
            rule: RULE,
            level,
            range: self.units[moved[0]].stmt.span,
            message: message(&names(&leads), &names(&moved)),
            overlaps: others.map(|&it| self.units[it].stmt.span).collect(),
            crosses: leads
                .iter()
                .flat_map(|&it| hints::suspensions(self.scope, &self.units[it]))
                .collect(),
            assumptions,
            blockers,
            gain: gain(self.units, schedule, &moved),
            plan: (level != Level::Hint).then(|| self.planned(schedule, first, last)),
        }
    }

    /// The statements that operations of the region no longer wait for.
    fn leads(&self, schedule: &Schedule, first: usize, last: usize) -> Vec<usize> {
        let is_in = |slot: &&crate::schedule::Slot| {
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
            })
            .collect();
        let mut parts = Vec::new();
        for slot in &schedule.slots {
            if !slot.units.first().is_some_and(|it| (first..=last).contains(it)) {
                continue;
            }
            parts.extend(slot.hoisted.iter().map(|it| Part::Keep(it - first)));
            parts.extend(slot.early.iter().map(|it| Part::Start(it - first)));
            match slot.units.as_slice() {
                [only] => parts.push(self.kept(*only, first, slot)),
                several => {
                    let form = self.form(several);
                    parts.push(Part::Group(several.iter().map(|it| it - first).collect(), form));
                }
            }
        }
        let (start, end) = (self.units[first].stmt.span.start, self.units[last].stmt.span.end);
        Plan { span: Span::new(start, end), pieces, parts }
    }

    /// A statement in its place; its own awaits are put together with it where that is safe.
    fn kept(&self, unit: usize, first: usize, slot: &crate::schedule::Slot) -> Part {
        match &self.within[unit] {
            Some(gathered) if !slot.is_started => Part::Gather(unit - first, gathered.clone()),
            _ => Part::Keep(unit - first),
        }
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
        if !is_grouped && !moved.contains(&unit) {
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
        let span = self.scope.analysis.ir.span(site.operation);
        Some(PlannedOperation { span, callee: site.callee.clone(), binding })
    }

    fn form(&self, units: &[usize]) -> Form {
        let is_exact = self.surroundings.is_exact || self.needs_own_bindings(units);
        if is_exact { Form::Named } else { Form::All }
    }

    /// A comment for a tool means what it says only where it stands.
    fn judge_comments(&self, first: usize, last: usize, blockers: &mut Vec<Blocker>) {
        let (start, end) = (self.units[first].stmt.span.start, self.units[last].stmt.span.end);
        let near = pinned_comment(self.scope.analysis.ir, Span::new(start, end));
        if let Some(comment) = near {
            let text = "the comment `{}` speaks to a tool of the code where it stands";
            blockers.push(Blocker::new(text, comment.span));
        }
    }

    /// Whether one declaration for all names would not do: their keywords differ, only some have a
    /// type, or a closure may look at a name before the last is bound.
    fn needs_own_bindings(&self, units: &[usize]) -> bool {
        let ir = self.scope.analysis.ir;
        let declared: Vec<(headstart_ir::DeclKind, &headstart_ir::Declarator)> = units
            .iter()
            .filter_map(|&it| match self.units[it].site.as_ref()?.binding {
                Binding::Declared(keyword, declarator) => Some((keyword, declarator)),
                _ => None,
            })
            .collect();
        let has_type = |it: &headstart_ir::Declarator| it.annotation.start < it.annotation.end;
        let is_mixed = declared
            .iter()
            .any(|it| it.0 != declared[0].0 || has_type(it.1) != has_type(declared[0].1))
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
        is_mixed || is_seen
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

/// The comment for a tool that stands at some statements: it means what it says only there.
pub(crate) fn pinned_comment(ir: &FileIr, span: Span) -> Option<&PinnedComment> {
    ir.pinned_comments
        .iter()
        .find(|it| span.contains(it.span) || it.attached_to == span.start || it.follows == span.end)
}

/// What a call calls, in a word.
pub(crate) fn callee_text(ir: &FileIr, call: InstId) -> String {
    match ir.inst(call) {
        Inst::Call { callee, .. } => crate::site::name_of(ir, callee),
        Inst::CallMethod { method, .. } => crate::site::name_of(ir, method),
        _ => "import".to_owned(),
    }
}

pub(crate) fn message(before: &[String], moved: &[String]) -> String {
    match (before, moved) {
        ([first], [second]) => format!(
            "`{second}` waits for `{first}` to end before it starts, though it needs nothing from \
             it"
        ),
        _ => {
            let mut all: Vec<&str> = before.iter().chain(moved).map(String::as_str).collect();
            let count = all.len();
            all.dedup();
            format!(
                "{count} operations wait for one another, though they could run at the same time: \
                 `{}`",
                all.join("`, `")
            )
        }
    }
}
