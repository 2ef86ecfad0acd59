//! Answering "why not?" for any await.

use headstart_effects::{Blocker, Code, Elsewhere, FileAnalysis, Summaries};
use headstart_ir::order;
use headstart_ir::{BlockId, FileIr, FunctionId, Inst, InstId, Span, Stmt, StmtKind};

use crate::block::Surroundings;
use crate::finding::Finding;
use crate::schedule::{BlockFacts, Planner};
use crate::search::{loops, of_loop};
use crate::site::{handed_to, location_text};
use crate::unit::{Scope, Unit};
use crate::walk::{blocks, ignored_spans};

/// What is known of one await. Sentences may hold `{}` for the source text of the span beside.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The await.
    pub span: Span,
    /// What it waits for, and what that reads and writes.
    pub effects: Vec<Sentence>,
    /// Why it overlaps nothing; empty where it can.
    pub reasons: Vec<Sentence>,
}

/// A sentence with the places that it speaks of.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The sentence, with `{}` where the source text of `span` belongs.
    pub text: String,
    /// What it is about.
    pub span: Span,
    /// What it is about elsewhere.
    pub elsewhere: Vec<Elsewhere>,
}

impl Sentence {
    fn new(text: impl Into<String>, span: Span) -> Self {
        Self { text: text.into(), span, elsewhere: Vec::new() }
    }
}

impl From<Blocker> for Sentence {
    fn from(blocker: Blocker) -> Self {
        let Blocker { reason, span, elsewhere } = blocker;
        Self { text: reason.text().into_owned(), span, elsewhere }
    }
}

/// Explains every await whose text touches the bytes of `line`. `findings` are those of the file.
#[must_use]
pub fn explain<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
    findings: &[&Finding],
    line: Span,
) -> Vec<Explanation> {
    let ir = analysis.ir;
    let mut explanations = Vec::new();
    for (index, function) in ir.functions.iter().enumerate() {
        let scope = Scope { analysis, summaries, function: FunctionId::new(index) };
        for inst in FileIr::range(function.first, function.end) {
            let span = ir.span(inst);
            let touches = span.start < line.end && line.start < span.end;
            if let (Inst::Await(value), true) = (ir.inst(inst), touches) {
                let effects = effects(scope, value);
                let reasons = reasons(scope, findings, inst);
                explanations.push(Explanation { span, effects, reasons });
            }
        }
    }
    order::sort_by_key(&mut explanations, |it| it.span.start);
    explanations
}

/// What the awaited operation reads and writes.
fn effects(scope: Scope<'_, '_>, value: InstId) -> Vec<Sentence> {
    let analysis = scope.analysis;
    let span = analysis.ir.span(value);
    let mut sentences = Vec::new();
    if let Ok(operation) = analysis.operation(value, &headstart_effects::Known::default()) {
        let model = format!("calls `{}` ({})", operation.name(), operation.documentation());
        sentences.push(Sentence::new(model, span));
    }
    let next = InstId::new(value.index() + 1);
    let steps = scope.summaries.steps(scope.at(), value, next);
    if steps.iter().any(|it| it.is_anything) {
        let mut known = analysis.stretch(value, next, &headstart_effects::Known::default());
        if let Err(blocker) = known.as_mut() {
            sentences.push(blocker.clone().into());
        }
        sentences.push(Sentence::new("MOD and REF: everything", span));
        return sentences;
    }
    let effects = scope.summaries.effects_of(scope.at(), value, next);
    for (set, locations) in [("REF", &effects.reads), ("MOD", &effects.writes)] {
        for location in locations {
            let text = format!("{set}: {}", location_text(analysis, location));
            sentences.push(Sentence::new(text, span));
        }
    }
    if effects.is_empty() {
        sentences.push(Sentence::new("MOD and REF: nothing", span));
    }
    sentences
}

/// Why the await at `suspension` overlaps nothing.
fn reasons(scope: Scope<'_, '_>, findings: &[&Finding], suspension: InstId) -> Vec<Sentence> {
    let ir = scope.analysis.ir;
    let span = ir.span(suspension);
    let is_part = |finding: &&&Finding| {
        finding.range.contains(span) || finding.overlaps.iter().any(|it| it.contains(span))
    };
    if let Some(finding) = findings.iter().find(is_part) {
        return finding.blockers.iter().cloned().map(Sentence::from).collect();
    }
    if let Some(&(ignored, why)) = ignored_spans(ir).iter().find(|it| it.0.contains(span)) {
        return vec![Sentence::new(why.text().replace("`{}`", "it"), ignored)];
    }
    let mut place: Option<BlockId> = None;
    let mut ahead: Option<Blocker> = None;
    blocks(ir, scope.function, &mut |block, context| {
        let holds = |stmt: &headstart_ir::StmtId| {
            let range = ir.stmt(*stmt);
            range.first <= suspension && suspension < range.end
        };
        if ir.block(block).iter().any(holds) {
            // What runs behind a test belongs to the block of that test.
            place = place.filter(|&around| is_guarded(scope, around, suspension)).or(Some(block));
        }
        let surroundings = Surroundings { context, is_exact: false, is_told_apart: false };
        let around = loops(scope, block, surroundings);
        for it in around.filter(|it| it.stmt.first <= suspension && suspension < it.stmt.end) {
            ahead = of_loop(&it).find_map(Result::err);
        }
    });
    match place {
        Some(block) => {
            let in_turn = ahead.map(|it| {
                let reason = Code::NotAheadOfItsTurn.with(&[&it.reason.text()]);
                Sentence::from(Blocker { reason, ..it })
            });
            let apart = in_turn.or_else(|| without_items(scope, suspension));
            let called = called_for_each(scope);
            in_block(scope, block, suspension).into_iter().chain(apart).chain(called).collect()
        }
        None => vec![Blocker::new(Code::StandsInAParameter, span).into()],
    }
}

/// Why nothing of the next turns of a loop could start ahead which goes over no items.
fn without_items(scope: Scope<'_, '_>, suspension: InstId) -> Option<Sentence> {
    let ir = scope.analysis.ir;
    let function = ir.function(scope.function);
    let is_around = |it: &&Stmt| {
        let is_loop = matches!(it.kind, StmtKind::Loop { .. });
        let is_own = function.first <= it.first && it.end <= function.end;
        is_loop && is_own && it.first <= suspension && suspension < it.end
    };
    let innermost = ir.stmts.iter().filter(is_around).max_by_key(|it| it.first)?;
    let StmtKind::Loop { head: None, .. } = innermost.kind else { return None };
    Some(Blocker::new(Code::NoItems, innermost.span).into())
}

/// What is said of a function that is called for each item of a list: its calls overlap already, or hand one
/// promise on to the next.
fn called_for_each(scope: Scope<'_, '_>) -> Option<Sentence> {
    let ir = scope.analysis.ir;
    if !ir.function(scope.function).is_async {
        return None;
    }
    handed_to(ir, scope.function).find_map(|(call, method, _)| {
        let code = match method.as_str() {
            "forEach" | "map" | "flatMap" => Code::CalledForAllAtOnce,
            "reduce" | "reduceRight" => Code::HandsPromisesOn,
            _ => return None,
        };
        Some(Blocker::new(code, ir.span(call)).into())
    })
}

/// Whether an await in a statement of a block runs behind a test that may be asked early with it.
fn is_guarded(scope: Scope<'_, '_>, block: BlockId, suspension: InstId) -> bool {
    let units = scope.units(block);
    let mut sites = units.iter().filter_map(|it| it.site.as_ref());
    sites.any(|it| it.suspension == suspension && it.guard.is_some())
}

/// Why each await that has another before it in its block overlaps nothing: the await and the first
/// reason; none where it can overlap.
pub(crate) fn census<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
) -> Vec<(Span, Option<Sentence>)> {
    let ir = analysis.ir;
    let mut found = Vec::new();
    for index in 0..ir.functions.len() {
        let scope = Scope { analysis, summaries, function: FunctionId::new(index) };
        blocks(ir, scope.function, &mut |block, _| {
            let units = scope.units(block);
            let waiting = units.iter().filter(|it| it.suspends).skip(1);
            for suspension in waiting.filter_map(|it| Some(it.site.as_ref()?.suspension)) {
                let reason = in_block(scope, block, suspension).into_iter().next();
                found.push((ir.span(suspension), reason));
            }
        });
    }
    found
}

fn in_block(scope: Scope<'_, '_>, block: BlockId, suspension: InstId) -> Vec<Sentence> {
    let units = scope.units(block);
    let span = scope.analysis.ir.span(suspension);
    let holds = |unit: &Unit<'_>| unit.stmt.first <= suspension && suspension < unit.stmt.end;
    let Some(index) = units.iter().position(holds) else { return Vec::new() };
    let unit = &units[index];
    let Some(site) = unit.site.as_ref().filter(|it| it.suspension == suspension) else {
        return vec![Blocker::new(Code::WaitsOnlySometimes, span).into()];
    };
    if let Some(blocker) = &site.fixed {
        return vec![blocker.clone().into()];
    }
    let planner = Planner {
        scope,
        units: &units,
        is_strict: false,
        may_wait: true,
        is_eager: false,
        facts: &BlockFacts::default(),
    };
    let Some(before) = (0..index).rev().find(|&it| units[it].suspends) else {
        return vec![Blocker::new(Code::NothingBeforeIt, unit.stmt.span).into()];
    };
    if let Some(obstacle) = planner.obstacle(index, before) {
        return vec![obstacle.into_blocker().into()];
    }
    match &units[before].barrier {
        Some(blocker) => vec![blocker.of_operation("it").into()],
        None => {
            vec![Blocker::new(Code::WaitsForNothingOutside, units[before].stmt.span).into()]
        }
    }
}
