//! Going over the blocks of a file with all rewrites.

use headstart_effects::{Blocker, FileAnalysis, Summaries};
use headstart_ir::{BlockId, FunctionId, LoopKind, Span, StmtKind};

use crate::arbiter::Proposals;
use crate::block::{Block, Surroundings};
use crate::finding::{Errors, Finding, Level};
use crate::loops::Loop;
use crate::rewrites::{Find, REWRITES};
use crate::unit::Scope;
use crate::walk::{Context, blocks, ignored_spans, is_ignored, waits_twice};

/// What all rewrites find in a file, in source order.
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
        if function.suspend_points == 0 || ignored.iter().any(|it| it.contains(function.span)) {
            continue;
        }
        let scope = Scope { analysis, summaries, function: FunctionId::new(index) };
        blocks(ir, scope.function, &mut |block, context| {
            if summaries.graph.is_stopped() {
                return;
            }
            let loops = loops(scope, block, context, errors);
            let inner = loops.flat_map(|it| of_loop(&it).flatten().collect::<Vec<_>>());
            findings.extend(inner);
            findings.extend(of_block(scope, block, context, errors));
        });
    }
    if analysis.facts.replaces_promises() {
        findings.iter_mut().for_each(without_promises);
    }
    settle_loops(&mut findings);
    findings.sort_by_key(|finding| finding.range.start);
    findings
}

/// The loops over some items among the statements of a block, as rewrites look at them.
pub(crate) fn loops<'a, 'p>(
    scope: Scope<'a, 'p>,
    block: BlockId,
    context: Context,
    errors: Errors,
) -> impl Iterator<Item = Loop<'a, 'p>> {
    let ir = scope.analysis.ir;
    let is_exact = errors == Errors::Exact || context.handler.is_some();
    let surroundings = Surroundings { context, is_exact };
    let statements = ir.block(block).iter().filter(|&&it| !is_ignored(ir, it));
    statements.map(|&it| ir.stmt(it)).filter_map(move |stmt| match &stmt.kind {
        StmtKind::Loop { kind: LoopKind::ForOf, body, head: Some(head) } => {
            Some(Loop { scope, stmt, head, body: *body, surroundings })
        }
        _ => None,
    })
}

/// What each rewrite of loops says of one.
pub(crate) fn of_loop(it: &Loop<'_, '_>) -> impl Iterator<Item = Result<Finding, Blocker>> {
    REWRITES.iter().filter_map(move |rewrite| match rewrite.find {
        Find::Loop(find) => Some(find(it)),
        Find::Block(_) => None,
    })
}

fn is_of_loop(rule: &str) -> bool {
    REWRITES.iter().any(|it| it.meta.id == rule && matches!(it.find, Find::Loop(_)))
}

/// What starts in a loop ahead of its turn is started by nothing else: a finding within the loop that
/// rewrites the same await and is no surer goes.
fn settle_loops(findings: &mut Vec<Finding>) {
    let ahead: Vec<(Level, Span, Span)> = findings
        .iter()
        .filter(|it| is_of_loop(it.rule))
        .filter_map(|it| Some((it.level, it.range, it.plan.as_ref()?.span)))
        .collect();
    findings.retain(|it| {
        let Some(span) = it.plan.as_ref().map(|it| it.span) else { return true };
        !ahead.iter().any(|&(level, wait, all)| {
            span != all && all.contains(span) && span.contains(wait) && it.level >= level
        })
    });
}

fn of_block<'p>(
    scope: Scope<'_, 'p>,
    block: BlockId,
    context: Context,
    errors: Errors,
) -> Vec<Finding> {
    if !waits_twice(scope.analysis.ir, block) {
        return Vec::new();
    }
    let is_exact = errors == Errors::Exact || context.handler.is_some();
    let surroundings = Surroundings { context, is_exact };
    let (form, units) = (scope.analysis.ir.block_form(block), scope.waiting_units(block));
    let mut block = Block { scope, units, form, surroundings };
    if block.declares_twice() {
        return Vec::new();
    }
    let mut proposals = Proposals::default();
    for rewrite in REWRITES {
        let Find::Block(find) = rewrite.find else { continue };
        let proposed = find(&block, &proposals);
        proposals.add(proposed);
        for (unit, site) in proposals.sites() {
            block.units[unit].site = Some(site.clone());
        }
    }
    proposals.settle()
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
