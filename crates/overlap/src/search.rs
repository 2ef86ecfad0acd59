//! Going over the blocks of a file with all rewrites.

use headstart_effects::{Blocker, FileAnalysis, Summaries};
use headstart_ir::{BlockId, FunctionId};

use crate::arbiter::Proposals;
use crate::block::{Block, Surroundings};
use crate::finding::{Errors, Finding, Level};
use crate::rewrites::REWRITES;
use crate::unit::Scope;
use crate::walk::{Context, blocks, ignored_spans, waits_twice};

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
    findings.sort_by_key(|finding| finding.range.start);
    findings
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
        let proposed = (rewrite.find)(&block, &proposals);
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
