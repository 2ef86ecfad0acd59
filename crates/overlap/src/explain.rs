//! Answering "why not?" for any await.

use headstart_effects::{FileAnalysis, Known, Region};
use headstart_ir::{FileIr, FunctionId, Inst, InstId, Span, StmtId};
use headstart_models::Resource;

use crate::finding::Finding;
use crate::group::{Verdict, joins};
use crate::site::{Site, site};
use crate::walk::{blocks, ignored_spans};

/// What is known of one await. Sentences may hold `{}` for the source text of the span beside.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The await.
    pub span: Span,
    /// What it waits for, and what that reads and writes.
    pub effects: Vec<(String, Span)>,
    /// Why it overlaps nothing; empty where it can.
    pub reasons: Vec<(String, Span)>,
}

/// Explains every await whose text touches the bytes of `line`. `findings` are those of the file.
#[must_use]
pub fn explain(analysis: &FileAnalysis<'_>, findings: &[&Finding], line: Span) -> Vec<Explanation> {
    let ir = analysis.ir;
    let mut explanations = Vec::new();
    for (index, function) in ir.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        for inst in FileIr::range(function.first, function.end) {
            let span = ir.span(inst);
            let touches = span.start < line.end && line.start < span.end;
            if let (Inst::Await(value), true) = (ir.inst(inst), touches) {
                let mut explanation = explain_effects(analysis, id, inst, value);
                explanation.reasons = reasons(analysis, findings, id, inst);
                explanations.push(explanation);
            }
        }
    }
    explanations.sort_by_key(|it| it.span.start);
    explanations
}

fn explain_effects(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    suspension: InstId,
    value: InstId,
) -> Explanation {
    let ir = analysis.ir;
    let known = Known::at(analysis, function, suspension);
    let mut explanation =
        Explanation { span: ir.span(suspension), effects: Vec::new(), reasons: Vec::new() };
    match analysis.operation(value, &known) {
        Ok(operation) => {
            let model = format!("calls `{}` ({})", operation.name(), operation.documentation());
            explanation.effects.push((model, ir.span(value)));
            let lists = [("REF", &operation.reads), ("MOD", &operation.writes)];
            for (set, regions) in lists {
                explanation.effects.extend(regions.iter().map(|it| describe(ir, set, *it)));
            }
        }
        Err(blocker) => {
            explanation.effects.push((blocker.text.to_owned(), blocker.span));
            explanation.effects.push(("MOD and REF: everything".to_owned(), ir.span(value)));
        }
    }
    explanation
}

fn describe(ir: &FileIr, set: &str, region: Region) -> (String, Span) {
    let what = match region.resource {
        Resource::File(_) => "the file or folder at",
        Resource::AnyFile => "any file",
        Resource::Handle(_) => "what is open behind",
        Resource::Network(_) => "the host",
        Resource::AnyNetwork => "any host",
        Resource::Process(_) => "the process started by",
        Resource::AnyProcess => "other processes",
        Resource::WorkingDirectory => "the working directory",
        Resource::Environment => "the environment",
        Resource::Clock => "the clock",
        Resource::Randomness => "randomness",
        Resource::Output => "what the user sees",
        Resource::Input => "standard input",
        Resource::Connection => "what it is connected to",
        Resource::Storage => "what the browser stores",
        Resource::Timers => "timers",
        Resource::ProcessState => "the process itself",
        Resource::ModuleState => "the module's own state",
    };
    match region.which {
        Some(which) => (format!("{set}: {what} `{{}}`"), ir.span(which)),
        None => (format!("{set}: {what}"), Span::default()),
    }
}

/// Why the await at `suspension` overlaps nothing.
fn reasons(
    analysis: &FileAnalysis<'_>,
    findings: &[&Finding],
    function: FunctionId,
    suspension: InstId,
) -> Vec<(String, Span)> {
    let ir = analysis.ir;
    let span = ir.span(suspension);
    let is_part = |finding: &&&Finding| {
        finding.range.contains(span) || finding.overlaps.iter().any(|it| it.contains(span))
    };
    if let Some(finding) = findings.iter().find(is_part) {
        return finding.blockers.iter().map(|it| (it.text.to_owned(), it.span)).collect();
    }
    if let Some(&ignored) = ignored_spans(ir).iter().find(|it| it.contains(span)) {
        return vec![("a `headstart-ignore` comment stands above it".to_owned(), ignored)];
    }
    let mut place: Option<(Option<StmtId>, StmtId)> = None;
    blocks(ir, function, &mut |block, _| {
        let mut before = None;
        for &stmt in ir.block(block) {
            let range = ir.stmt(stmt);
            if range.first <= suspension && suspension < range.end {
                place = Some((before, stmt));
            }
            before = Some(stmt);
        }
    });
    match place {
        Some((before, stmt)) => neighbour_reasons(analysis, function, before, stmt),
        None => vec![("it stands in a parameter".to_owned(), span)],
    }
}

fn neighbour_reasons(
    analysis: &FileAnalysis<'_>,
    function: FunctionId,
    before: Option<StmtId>,
    stmt: StmtId,
) -> Vec<(String, Span)> {
    let ir = analysis.ir;
    let found = |id: StmtId| -> Result<Site<'_>, (String, Span)> {
        let known = Known::at(analysis, function, ir.stmt(id).first);
        site(analysis, id, &known).map_err(|blocker| (blocker.text.to_owned(), blocker.span))
    };
    let this = match found(stmt) {
        Ok(this) => this,
        Err(reason) => return vec![reason],
    };
    let Some(before) = before else {
        let text = "nothing stands before it in its block that it could overlap";
        return vec![(text.to_owned(), ir.stmt(stmt).span)];
    };
    let earlier = match found(before) {
        Ok(earlier) => earlier,
        Err((reason, span)) => return vec![(format!("the statement before it: {reason}"), span)],
    };
    let known = Known::at(analysis, function, ir.stmt(stmt).first);
    match joins(analysis, function, &[earlier], &this, &known) {
        Verdict::Joins(_) => {
            let text = "it would overlap others of its group only on an assumption that they do \
                        not need";
            vec![(text.to_owned(), ir.stmt(stmt).span)]
        }
        Verdict::Depends(blocker) | Verdict::Blocked(blocker) => {
            vec![(blocker.text.to_owned(), blocker.span)]
        }
    }
}
