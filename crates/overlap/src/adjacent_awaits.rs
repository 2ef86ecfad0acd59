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
use headstart_ir::{BlockId, FileIr, FunctionId, FunctionKind, Inst, PatternShape, Span};

use crate::finding::{Errors, Finding, Form, Level, Plan, PlannedRead};
use crate::group::{Verdict, joins};
use crate::site::{Site, site};
use crate::walk::{Context, blocks, is_ignored};

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
    let mut findings = Vec::new();
    for (index, function) in analysis.ir.functions.iter().enumerate() {
        if function.suspend_points < 2 {
            continue;
        }
        let id = FunctionId::new(index);
        blocks(analysis.ir, id, &mut |block, context| {
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
    let mut known = None;
    for &id in analysis.ir.block(block) {
        let stmt = analysis.ir.stmt(id);
        let mut fresh = || Known::at(analysis, function, stmt.first);
        let found = if is_ignored(analysis.ir, id) || stmt.first == stmt.end {
            None
        } else {
            let known = known.get_or_insert_with(&mut fresh);
            site(analysis, id, known).ok()
        };
        let Some(found) = found else {
            groups.extend(current.take());
            known = None;
            continue;
        };
        let facts = known.get_or_insert_with(fresh);
        let next = extend(analysis, function, current, found, facts);
        for inst in FileIr::range(stmt.first, stmt.end) {
            facts.learn(analysis, analysis.ir.inst(inst));
        }
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
    let Some(mut group) = group.filter(|group| group.sites[0].keyword == site.keyword) else {
        return Extended { ended: Vec::new(), open: Group::new(site) };
    };
    match joins(analysis, function, &group.sites, &site, known) {
        Verdict::Joins(assumptions) => {
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
    judge_annotations(&mut group);
    group.assumptions.dedup();
    let level = if !group.blockers.is_empty() {
        Level::Hint
    } else if group.assumptions.is_empty() {
        Level::Safe
    } else {
        Level::Likely
    };
    let (first, rest) = group.sites.split_first()?;
    let (second, others) = rest.split_first()?;
    let exact = errors == Errors::Exact || context.handler.is_some();
    let overlaps: Vec<Span> =
        std::iter::once(first).chain(others).map(|site| site.stmt.span).collect();
    let plan = (level != Level::Hint).then(|| Plan {
        span: Span::new(first.stmt.span.start, group.sites[rest.len()].stmt.span.end),
        keyword: first.keyword,
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
        let text = "a `finally` around it could run while `{}` is still under way";
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

/// In `const [a, b]: [A, B]` either all have a type or none.
fn judge_annotations(group: &mut Group<'_>) {
    let annotated =
        |site: &&Site<'_>| site.declarator.annotation.start < site.declarator.annotation.end;
    let count = group.sites.iter().filter(annotated).count();
    if count > 0 && count < group.sites.len() {
        let span = group.sites.iter().find(annotated).map(|it| it.declarator.pattern);
        group.blockers.push(Blocker {
            text: "`{}` has a type annotation and a declaration beside it has none",
            span: span.unwrap_or_default(),
        });
    }
}

fn message(sites: &[Site<'_>]) -> String {
    let callee = |site: &Site<'_>| callee_name(&site.operation.name).to_owned();
    match sites {
        [first, second] => format!(
            "`{}` waits for `{}` to end before it starts, though it needs nothing from it",
            callee(second),
            callee(first)
        ),
        _ => format!(
            "{} file reads wait for one another, though none needs what another one read",
            sites.len()
        ),
    }
}

fn callee_name(operation: &str) -> &str {
    operation.rsplit_once('.').map_or(operation, |(_, name)| name)
}

fn planned(analysis: &FileAnalysis<'_>, site: &Site<'_>) -> PlannedRead {
    let ir = analysis.ir;
    let templates = FileIr::range(site.stmt.first, site.suspension)
        .filter(|&id| matches!(ir.inst(id), Inst::Template(_)))
        .map(|id| ir.span(id))
        .collect();
    PlannedRead {
        statement: site.stmt.span,
        pattern: site.declarator.pattern,
        annotation: site.declarator.annotation,
        is_name: matches!(site.declarator.shape, PatternShape::Name(_)),
        operation: site.operation_span(analysis),
        templates,
        callee: callee_name(&site.operation.name).to_owned(),
    }
}
