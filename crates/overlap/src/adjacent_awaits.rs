//! Adjacent awaits of independent file reads.
//!
//! ## What it does
//! Finds declarations that stand one right after the other, each of which reads a file and waits
//! for it, though none needs what another one read. It starts all of them before it waits.
//!
//! ## Before
//! ```js
//! const head = await readFile(path.join(dir, "HEAD"), "utf8");
//! const config = await readFile(path.join(dir, "config"), "utf8");
//! ```
//!
//! ## After
//! ```js
//! const [head, config] = await Promise.all([
//!   readFile(path.join(dir, "HEAD"), "utf8"),
//!   readFile(path.join(dir, "config"), "utf8"),
//! ]);
//! ```
//!
//! ## When not
//! See `docs/adjacent-awaits.md`: a read whose arguments need an earlier result, a read that only
//! checks, anything that writes, a `finally` that could run while a read is still under way.

use headstart_effects::{Assumption, Blocker, FileAnalysis, Known};
use headstart_ir::{
    BlockId, FileIr, FunctionId, FunctionKind, Inst, InstId, PatternShape, PinnedComment, Span,
    VarId, VarKind,
};

use crate::finding::{Errors, Finding, Form, Level, Plan, PlannedRead};
use crate::group::{Verdict, bound_by, joins};
use crate::site::{Site, site};
use crate::walk::{Context, blocks, ignored_spans, is_ignored};

/// The name of the rewrite in reports.
pub(crate) const RULE: &str = "adjacent-awaits";

/// Sites in a row that may start together, with what that takes for granted.
struct Group<'p> {
    sites: Vec<Site<'p>>,
    assumptions: Vec<Assumption>,
    blockers: Vec<Blocker>,
}

/// Finds the groups of a file.
pub(crate) fn find(analysis: &FileAnalysis<'_>, errors: Errors) -> Vec<Finding> {
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
        let id = FunctionId::new(index);
        blocks(ir, id, &mut |block, context| {
            for group in groups(analysis, id, block) {
                findings.extend(finding(analysis, id, group, context, errors));
            }
        });
    }
    findings
}

/// The groups of one block: the longest runs from its start on.
fn groups<'p>(analysis: &FileAnalysis<'p>, function: FunctionId, block: BlockId) -> Vec<Group<'p>> {
    let mut groups = Vec::new();
    let mut current: Option<Group<'p>> = None;
    let mut known: Option<Known> = None;
    for &id in analysis.ir.block(block) {
        let stmt = analysis.ir.stmt(id);
        let mut found = None;
        if !is_ignored(analysis.ir, id) && stmt.first != stmt.end {
            let known = known.get_or_insert_with(|| Known::at(analysis, function, stmt.first));
            found = site(analysis, id, known).ok();
        }
        let (Some(found), Some(facts)) = (found, &mut known) else {
            groups.extend(current.take());
            known = None;
            continue;
        };
        let next = extend(analysis, function, current, found, facts);
        facts.learn(analysis, stmt.first, stmt.end);
        groups.extend(next.ended);
        current = Some(next.open);
    }
    groups.extend(current);
    groups.retain(|group| group.sites.len() > 1);
    groups
}

/// What adding a site to a group leads to.
struct Extended<'p> {
    /// Groups that are complete now.
    ended: Vec<Group<'p>>,
    /// The group that may still grow.
    open: Group<'p>,
}

/// Adds `site` to the group, or ends the group and begins a new one with it.
fn extend<'p>(
    analysis: &FileAnalysis<'p>,
    function: FunctionId,
    group: Option<Group<'p>>,
    site: Site<'p>,
    known: &Known,
) -> Extended<'p> {
    let Some(mut group) = group else {
        return Extended { ended: Vec::new(), open: Group::new(site) };
    };
    match joins(analysis, function, &group.sites, &site, known) {
        Verdict::Joins(assumptions) => {
            let is_safe = group.assumptions.is_empty();
            if is_safe && group.sites.len() > 1 && !assumptions.is_empty() {
                // What is safe stays so: the weaker one begins a group of its own.
                return Extended { ended: vec![group], open: Group::new(site) };
            }
            if let Some(better) = surer_pair(analysis, function, &group, &site, known) {
                return Extended { ended: Vec::new(), open: better };
            }
            group.sites.push(site);
            group.assumptions.extend(assumptions);
            Extended { ended: Vec::new(), open: group }
        }
        Verdict::Depends(_) => Extended { ended: vec![group], open: Group::new(site) },
        Verdict::Blocked(blocker) => {
            let mut ended = Vec::new();
            if let Some(last) = group.sites.last() {
                let mut pair = Group::new(last.clone());
                pair.sites.push(site.clone());
                pair.blockers.push(blocker);
                ended.push(pair);
            }
            ended.push(group);
            Extended { ended, open: Group::new(site) }
        }
    }
}

/// Two sites that rest on an assumption are given up for the second and `site`, where those two
/// are safe.
fn surer_pair<'p>(
    analysis: &FileAnalysis<'p>,
    function: FunctionId,
    group: &Group<'p>,
    site: &Site<'p>,
    known: &Known,
) -> Option<Group<'p>> {
    let [_, second] = group.sites.as_slice() else { return None };
    let mut pair = Group::new(second.clone());
    if group.assumptions.is_empty() || !pair.assumptions.is_empty() {
        return None;
    }
    match joins(analysis, function, &pair.sites, site, known) {
        Verdict::Joins(assumptions) if assumptions.is_empty() => {
            pair.sites.push(site.clone());
            Some(pair)
        }
        _ => None,
    }
}

impl<'p> Group<'p> {
    fn new(site: Site<'p>) -> Self {
        let assumptions = site.operation.assumptions.clone();
        Self { sites: vec![site], assumptions, blockers: Vec::new() }
    }
}

fn finding(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    mut group: Group<'_>,
    context: Context,
    errors: Errors,
) -> Option<Finding> {
    let ir = analysis.ir;
    judge_surroundings(analysis, function, &mut group, context);
    judge_comments(ir, &mut group);
    let level = if !group.blockers.is_empty() {
        Level::Hint
    } else if group.assumptions.is_empty() {
        Level::Safe
    } else {
        Level::Likely
    };
    let (first, rest) = group.sites.split_first()?;
    let (second, others) = rest.split_first()?;
    let exact = errors == Errors::Exact
        || context.handler.is_some()
        || needs_own_bindings(analysis, function, &group, context);
    let overlaps: Vec<Span> =
        std::iter::once(first).chain(others).map(|site| site.stmt.span).collect();
    let plan = (level != Level::Hint).then(|| Plan {
        span: Span::new(first.stmt.span.start, group.sites[rest.len()].stmt.span.end),
        reads: group.sites.iter().map(|site| planned(analysis, site)).collect(),
        form: if exact { Form::Named } else { Form::All },
    });
    Some(Finding {
        rule: RULE,
        level,
        range: second.stmt.span,
        message: message(&group.sites),
        overlaps,
        crosses: vec![ir.span(first.suspension)],
        assumptions: group.assumptions,
        blockers: group.blockers,
        plan,
    })
}

/// What encloses the group may forbid it, or rest it on an assumption.
fn judge_surroundings(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    group: &mut Group<'_>,
    context: Context,
) {
    let function = analysis.ir.function(function);
    let span = group.sites[1].operation_span(analysis);
    if context.finalizer.is_some() {
        let text = "what cleans up around it could run while `{}` is still under way";
        group.blockers.push(Blocker { text, span });
    }
    if function.has_dynamic_scope {
        let text = "`arguments` or a direct `eval` near `{}` can see and change its variables";
        group.blockers.push(Blocker { text, span });
    }
    if function.kind == FunctionKind::Module {
        let text = "no other module relies on when this one, at its top level, reaches `{}`";
        group.assumptions.push(Assumption { text, span });
    }
}

/// A comment for a tool means what it says only where it stands.
fn judge_comments(ir: &FileIr, group: &mut Group<'_>) {
    let (Some(first), Some(last)) = (group.sites.first(), group.sites.last()) else { return };
    let (start, end) = (first.stmt.span.start, last.stmt.span.end);
    let span = Span::new(start, end);
    let is_near = |it: &&PinnedComment| {
        span.contains(it.span) || it.attached_to == start || it.follows == end
    };
    if let Some(comment) = ir.pinned_comments.iter().find(is_near) {
        let text = "the comment `{}` speaks to a tool of the code where it stands";
        group.blockers.push(Blocker { text, span: comment.span });
    }
}

/// Whether one declaration for all names would not do: their keywords differ, only some have a
/// type, or a closure may look at a name before the last is bound.
fn needs_own_bindings(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    group: &Group<'_>,
    context: Context,
) -> bool {
    let ir = analysis.ir;
    let has_type =
        |site: &Site<'_>| site.declarator.annotation.start < site.declarator.annotation.end;
    let first = &group.sites[0];
    let is_mixed = group
        .sites
        .iter()
        .any(|site| site.keyword != first.keyword || has_type(site) != has_type(first))
        || !group.sites.iter().all(|site| site.declarator.has_plain_annotation)
        || (ir.is_typescript && context.is_loop && reads_changing(analysis, group));
    let bound = group.sites.split_last().map(|(_, earlier)| earlier).unwrap_or_default();
    let is_seen = bound
        .iter()
        .flat_map(|site| bound_by(analysis, site))
        .any(|var| is_seen_by_closure(ir, function, var, first.first()));
    is_mixed || is_seen
}

/// Whether an operation reads a variable that is assigned again: in a loop, TypeScript would infer
/// the type of the names bound together from itself, and give up (TS7022).
fn reads_changing(analysis: &FileAnalysis<'_>, group: &Group<'_>) -> bool {
    let ir = analysis.ir;
    group.sites.iter().any(|site| {
        FileIr::range(site.stmt.first, site.suspension).any(|id| match ir.inst(id) {
            Inst::LoadVar(var) => ir.variable(var).writes > 1,
            _ => false,
        })
    })
}

/// Whether a closure that exists before `point` reads or writes a variable of `function`.
fn is_seen_by_closure(ir: &FileIr, function: FunctionId, var: VarId, point: InstId) -> bool {
    let variable = ir.variable(var);
    if !variable.is_captured && !variable.is_written_by_closure {
        return false;
    }
    let from_earlier_turn = variable.kind == VarKind::Var;
    ir.functions.iter().enumerate().any(|(index, closure)| {
        let mut outermost = FunctionId::new(index);
        while let Some(parent) = ir.function(outermost).parent
            && parent != function
        {
            outermost = parent;
        }
        let is_inside = ir.function(outermost).parent == Some(function);
        let exists = from_earlier_turn || ir.function(outermost).created <= point;
        is_inside
            && exists
            && FileIr::range(closure.first, closure.end).any(|id| match ir.inst(id) {
                Inst::LoadVar(it) | Inst::StoreVar { var: it, .. } => it == var,
                _ => false,
            })
    })
}

fn message(sites: &[Site<'_>]) -> String {
    match sites {
        [first, second] => format!(
            "`{}` waits for `{}` to end before it starts, though it needs nothing from it",
            second.operation.callee, first.operation.callee
        ),
        _ => format!(
            "{} file reads wait for one another, though none needs what another one read",
            sites.len()
        ),
    }
}

fn planned(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> PlannedRead {
    PlannedRead {
        statement: site.stmt.span,
        keyword: site.keyword,
        declarator_end: site.declarator.span.end,
        pattern: site.declarator.pattern,
        annotation: site.declarator.annotation,
        is_name: matches!(site.declarator.shape, PatternShape::Name(_)),
        operation: site.operation_span(analysis),
        callee: site.operation.callee.to_owned(),
    }
}
