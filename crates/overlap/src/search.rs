//! Going over the blocks of a file with all rewrites.

use headstart_effects::{Assumption, Blocker, Code, FileAnalysis, Summaries, grouped};
use headstart_ir::order;
use headstart_ir::{BlockId, FunctionId, LoopKind, Span, StmtKind};

use crate::arbiter::Proposals;
use crate::block::{Block, Surroundings};
use crate::finding::{Errors, Finding, Level};
use crate::loops::Loop;
use crate::rewrites::{Find, REWRITES};
use crate::unit::Scope;
use crate::walk::{blocks, ignored_spans, is_ignored, waits_twice};

/// What all rewrites find in a file, in source order.
pub(crate) fn find<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
    errors: Errors,
) -> Vec<Finding> {
    let ir = analysis.ir;
    let ignored = ignored_spans(ir);
    // That things happen in order says nothing of functions that are made there.
    let is_left = |span: Span| {
        ignored.iter().any(|it| it.0.contains(span) && ir.ignores.contains(&it.0.start))
    };
    // Where `Promise` is another one, promises with names do without it.
    let is_shadowed = ir.variables.iter().any(|variable| ir.name(variable.name) == "Promise");
    let errors = if is_shadowed { Errors::Exact } else { errors };
    let mut findings = Vec::new();
    for (index, function) in ir.functions.iter().enumerate() {
        if function.suspend_points == 0 || is_left(function.span) {
            continue;
        }
        let scope = Scope { analysis, summaries, function: FunctionId::new(index) };
        findings.extend(of_function(scope));
        if summaries.runs_in_block(scope.at()) {
            continue;
        }
        let is_told_apart = summaries.asks_which_error(scope.at());
        let mut ahead: Vec<Ahead> = Vec::new();
        blocks(ir, scope.function, &mut |block, context| {
            if summaries.graph.is_stopped() {
                return;
            }
            let is_exact = errors == Errors::Exact || context.handler.is_some();
            let surroundings = Surroundings { context, is_exact, is_told_apart };
            // What starts ahead needs `Promise`.
            for it in loops(scope, block, surroundings).filter(|_| !is_shadowed) {
                for mut finding in of_loop(&it).flatten() {
                    scope.lower_where_open(&mut finding);
                    let (level, wait) = (finding.level, finding.range);
                    ahead.push(Ahead { level, wait, of: it.stmt.span });
                    findings.push(finding);
                }
            }
            findings.extend(in_block(scope, block, surroundings, &ahead));
        });
    }
    let relies = analysis.relies_on_patched() || analysis.facts.replaces_promises();
    let unread = analysis.facts.unread(analysis.file, summaries.graph.files());
    for finding in &mut findings {
        if let Some((name, elsewhere)) = &unread
            && finding.level != Level::Hint
        {
            finding.level = Level::Likely;
            let reason = Code::UnreadCodeReplacesNothing.with(&[name]);
            let elsewhere = vec![*elsewhere];
            let assumption = Assumption { elsewhere, ..Assumption::usual(reason, finding.range) };
            finding.assumptions.push(assumption);
        }
        if relies && finding.level == Level::Safe {
            finding.level = Level::Likely;
            let same = Code::ReplacedPlatformDoesTheSame;
            finding.assumptions.push(Assumption::usual(same, finding.range));
        }
        finding.assumptions = grouped(std::mem::take(&mut finding.assumptions));
    }
    order::sort_by_key(&mut findings, |finding| finding.range.start);
    findings
}

/// The loops over some items among the statements of a block, as rewrites look at them.
pub(crate) fn loops<'a, 'p>(
    scope: Scope<'a, 'p>,
    block: BlockId,
    surroundings: Surroundings,
) -> impl Iterator<Item = Loop<'a, 'p>> {
    let ir = scope.analysis.ir;
    let statements = ir.block(block).iter().filter(|&&it| !is_ignored(ir, it));
    statements.map(|&it| ir.stmt(it)).filter_map(move |stmt| match &stmt.kind {
        StmtKind::Loop { kind, body, head: Some(head) } if *kind != LoopKind::ForAwait => {
            Some(Loop { scope, stmt, head, body: *body, surroundings })
        }
        _ => None,
    })
}

/// What each rewrite of loops says of one.
pub(crate) fn of_loop(it: &Loop<'_, '_>) -> impl Iterator<Item = Result<Finding, Blocker>> {
    REWRITES.iter().filter_map(move |rewrite| match rewrite.find {
        Find::Loop(find) => Some(find(it)),
        Find::Block(_) | Find::Function(_) => None,
    })
}

/// What each rewrite of functions says of one.
fn of_function<'a, 'p>(scope: Scope<'a, 'p>) -> impl Iterator<Item = Finding> + use<'a, 'p> {
    let found = REWRITES.iter().filter_map(move |rewrite| match rewrite.find {
        Find::Function(find) => Some(find(scope)),
        Find::Block(_) | Find::Loop(_) => None,
    });
    found.flatten()
}

/// What a loop starts ahead of its turn.
#[derive(Clone, Copy)]
struct Ahead {
    level: Level,
    /// Where it is waited for.
    wait: Span,
    /// The loop.
    of: Span,
}

/// What there is in a block. What a loop around it starts ahead is out of reach there: nothing is found with
/// it that a second look would find otherwise. Where the loop is only likely, what is safe is found as well
/// as if the loop stayed.
fn in_block(
    scope: Scope<'_, '_>,
    block: BlockId,
    surroundings: Surroundings,
    ahead: &[Ahead],
) -> Vec<Finding> {
    let ir = scope.analysis.ir;
    let statements = ir.block(block);
    let around = |it: &&Ahead| {
        statements.iter().any(|&id| {
            let span = ir.stmt(id).span;
            span.contains(it.wait) && it.of.contains(span) && it.of != span
        })
    };
    let Some(level) = ahead.iter().filter(around).map(|it| it.level).max() else {
        return of_block(scope, block, surroundings, &[]);
    };
    let waits: Vec<Span> = ahead.iter().filter(around).map(|it| it.wait).collect();
    let mut found = Vec::new();
    if level != Level::Safe {
        found.extend(of_block(scope, block, surroundings, &[]));
        found.retain(|it| it.level == Level::Safe);
    }
    for one in of_block(scope, block, surroundings, &waits) {
        if !found.iter().any(|it| it.rule == one.rule && it.range == one.range) {
            found.push(one);
        }
    }
    found
}

/// What rewrites of blocks find in one, where some waits are for what has started before.
fn of_block(
    scope: Scope<'_, '_>,
    block: BlockId,
    surroundings: Surroundings,
    started: &[Span],
) -> Vec<Finding> {
    if !waits_twice(scope.analysis.ir, block) {
        return Vec::new();
    }
    let (form, mut units) = (scope.analysis.ir.block_form(block), scope.waiting_units(block));
    for unit in &mut units {
        if let Some(&wait) = started.iter().find(|it| unit.stmt.span.contains(**it)) {
            unit.site = None;
            unit.barrier = Some(Blocker::new(Code::StartsAheadAlready, wait));
        }
    }
    let mut block = Block::new(scope, units, form, surroundings);
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
    let mut settled = proposals.settle();
    for index in (0..settled.len()).rev() {
        if scope.lower_where_open(&mut settled[index]) && is_taken_in(&settled, index) {
            settled.remove(index);
        }
    }
    settled
}

/// Whether a finding is a part of what another one does that is as sure.
fn is_taken_in(findings: &[Finding], index: usize) -> bool {
    let of = |it: &Finding| it.plan.as_ref().map(|plan| plan.span);
    let Some(span) = of(&findings[index]) else { return false };
    let takes_in = |it: &Finding| {
        it.level == findings[index].level && of(it).is_some_and(|other| other.contains(span))
    };
    findings.iter().enumerate().any(|(other, it)| other != index && takes_in(it))
}
