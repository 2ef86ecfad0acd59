//! `headstart effects`

use std::path::Path;

use headstart_callgraph::FunctionRef;
use headstart_edit::SourceText;
use headstart_effects::{Session, Summary, Waiting};
use headstart_frontend::{Phase, Progress, irregular};
use headstart_ir::order::sort_by_key;
use headstart_ir::{FileIr, FunctionKind, Inst, InstId};
use headstart_models::Models;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::analyse::{read_again, skipped, warnings};
use crate::assume::assumed;
use crate::evidence::told;
use crate::names::function_name;
use crate::paths::{real, shown};
use crate::programs::{Loaded, Programs};
use crate::render::effects::Namer;
use crate::render::{Style, skipped_notices};
use crate::report::{Range, SkippedReport, VERSION, WarningReport};
use crate::request::{EffectsFormat, EffectsRequest};
use crate::respond::Response;

/// The result of `effects`.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EffectsReport {
    /// Of this form; a form that could break a reader gets a new number.
    #[cfg_attr(test, ts(type = "1"))]
    version: u32,
    functions: Vec<FunctionReport>,
    skipped: Vec<SkippedReport>,
    warnings: Vec<WarningReport>,
}

/// What is known about a function.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FunctionEffects"))]
pub(crate) struct FunctionReport {
    pub(crate) name: String,
    /// The name with the parameters.
    #[serde(skip)]
    pub(crate) header: String,
    pub(crate) file: String,
    pub(crate) range: Range,
    pub(crate) is_async: bool,
    /// What it does before it first waits.
    pub(crate) before: SetsReport,
    /// What it does after that; `null` if it never waits.
    pub(crate) after: Option<SetsReport>,
    pub(crate) awaits: Vec<AwaitReport>,
    /// Whether a call of it may throw.
    #[cfg_attr(test, ts(type = "\"never\" | \"may\""))]
    pub(crate) throws: &'static str,
    /// Whether the promise that it returns may be rejected.
    #[cfg_attr(test, ts(type = "\"never\" | \"may\""))]
    pub(crate) rejects: &'static str,
    /// Whether the promise that it returns certainly settles without the help of the program.
    pub(crate) settles: bool,
    pub(crate) unknown: Vec<UnknownReport>,
}

/// What is read and written.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Effects"))]
pub(crate) struct SetsReport {
    pub(crate) reads: Vec<String>,
    pub(crate) writes: Vec<String>,
}

/// An await in a function.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "AwaitEffects"))]
pub(crate) struct AwaitReport {
    /// Its code.
    pub(crate) text: String,
    /// Whether it is known what it waits for.
    pub(crate) understood: bool,
    /// Whether what it waits for certainly ends without the help of the program.
    pub(crate) settles: bool,
}

/// A part of a function that may do anything.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "UnknownEffect"))]
pub(crate) struct UnknownReport {
    pub(crate) reason: String,
    pub(crate) range: Range,
}

pub(crate) fn run(request: &EffectsRequest, progress: &Progress) -> Response {
    match effects(request, progress) {
        Ok(response) => response,
        Err(message) => Response::failed(&message),
    }
}

fn effects(request: &EffectsRequest, progress: &Progress) -> Result<Response, String> {
    let common = &request.common;
    let asked = &request.target.file;
    let path = real(&common.cwd.join(asked));
    let kind = std::fs::metadata(&path)
        .map_err(|_| format!("{}: no such file or folder; check the spelling", asked.display()))?;
    if let Some(reason) = irregular(&kind.file_type()) {
        return Err(format!("{}: {reason}", asked.display()));
    }
    let base = real(&common.cwd);
    let mut programs = Programs::of(common, std::slice::from_ref(&path))?;
    let mut report = EffectsReport { version: VERSION, ..EffectsReport::default() };
    let mut looked_at = 0;
    while let Some(loaded) = programs.next(progress)? {
        looked_at += loaded.program.files.iter().filter(|it| loaded.covers(it)).count();
        report.functions.extend(functions(request, &loaded, &programs.models, &base, progress)?);
        report.skipped.extend(skipped(&loaded.program.skipped, &base));
        report.warnings.extend(warnings(&loaded.program.warnings, &base));
    }
    if looked_at == 0 {
        let reason = report.skipped.first().map_or("was not looked at", |it| &it.reason);
        return Err(format!("{}: {reason}", shown(&path, &base)));
    }
    let style = Style { color: common.color, width: common.width };
    let (stdout, stderr) = match request.format {
        EffectsFormat::Pretty if report.functions.is_empty() => {
            (format!("{}: no functions with a name\n", shown(&path, &base)), String::new())
        }
        EffectsFormat::Pretty => (
            crate::render::effects::pretty(&report.functions),
            skipped_notices(&report.skipped, &report.warnings, style),
        ),
        EffectsFormat::Json => (String::new(), String::new()),
    };
    let report = serde_json::to_value(&report).unwrap_or_default();
    let stdout = match request.format {
        EffectsFormat::Json => format!("{report:#}\n"),
        EffectsFormat::Pretty => stdout,
    };
    Ok(Response { exit_code: 0, stdout, stderr, report })
}

/// What is to be said of one program.
fn functions(
    request: &EffectsRequest,
    loaded: &Loaded,
    models: &Models,
    base: &Path,
    progress: &Progress,
) -> Result<Vec<FunctionReport>, String> {
    let program = &loaded.program;
    progress.begin(Phase::Analysing, program.files.len());
    let irs: Vec<&FileIr> = program.files.iter().map(|file| &file.ir).collect();
    let answers = assumed(&request.common, loaded).answers;
    let told = told(&request.common, loaded, answers);
    let session = Session::new(&irs, models, told, progress.cancelled())?;
    let mut functions: Vec<FunctionReport> = Vec::new();
    for (index, file) in (0..).zip(&program.files).filter(|(_, file)| loaded.covers(file)) {
        let name = shown(&file.path, base);
        let source = read_again(file).map_err(|reason| format!("{name}: {reason}"))?;
        let wanted = wanted(&file.ir, &source, request.target.line)
            .map_err(|message| format!("{name}{message}"))?;
        let namer = Namer { program, summaries: &session.summaries, base, source: &source };
        let at = |id| FunctionRef { file: index, function: id };
        functions.extend(wanted.into_iter().map(|id| report(&namer, at(id), &name)));
    }
    Ok(functions)
}

/// The functions that are asked for, in source order: those with a name, or the innermost one at a
/// line.
fn wanted(
    ir: &FileIr,
    source: &SourceText,
    line: Option<u32>,
) -> Result<Vec<headstart_ir::FunctionId>, String> {
    let ids = (0..ir.functions.len()).map(headstart_ir::FunctionId::new);
    let is_code = |id: &headstart_ir::FunctionId| {
        !matches!(ir.function(*id).kind, FunctionKind::FieldInit | FunctionKind::StaticInit)
    };
    let Some(line) = line else {
        let mut named: Vec<_> = ids
            .filter(is_code)
            .filter(|&id| ir.function(id).name.is_some() || is_member(ir, id))
            .collect();
        sort_by_key(&mut named, |&id| ir.function(id).span.start);
        return Ok(named);
    };
    if line == 0 || line > source.line_count() {
        let count = source.line_count();
        return Err(format!(":{line}: the file has {count} lines; name one of them"));
    }
    let holds = |id: &headstart_ir::FunctionId| {
        let span = ir.function(*id).span;
        id.index() > 0
            && source.line_of(span.start) <= line
            && line <= source.line_of(span.end.saturating_sub(1).max(span.start))
    };
    let innermost = ids.filter(is_code).filter(holds).min_by_key(|&id| {
        let span = ir.function(id).span;
        span.end - span.start
    });
    match innermost {
        Some(function) => Ok(vec![function]),
        None => Err(format!(":{line}: there is no function on this line")),
    }
}

/// Whether a function is a method, constructor or accessor of a class.
fn is_member(ir: &FileIr, function: headstart_ir::FunctionId) -> bool {
    ir.classes.iter().any(|class| class.members.iter().any(|it| it.function == function))
}

fn report(namer: &Namer<'_, '_>, function: FunctionRef, file: &str) -> FunctionReport {
    let ir = &namer.program.files[function.file as usize].ir;
    let data = ir.function(function.function);
    let summary = namer.summaries.of(function);
    let name = function_name(ir, function.function);
    let parameters = namer.parameters(function);
    let is_quiet = summary.after.is_empty() && !summary.waits;
    let replaced: Vec<InstId> = namer.summaries.replaced_within(function).collect();
    FunctionReport {
        header: format!("{name}({})", parameters.join(", ")),
        name,
        file: file.to_owned(),
        range: Range::of(data.span, namer.source),
        is_async: data.is_async,
        before: namer.sets(function, &summary.before),
        after: (!is_quiet).then(|| namer.sets(function, &summary.after)),
        awaits: awaits(ir, namer.source, summary),
        throws: if summary.throws { "may" } else { "never" },
        rejects: if summary.rejects { "may" } else { "never" },
        settles: summary.settling == Waiting::Settles,
        unknown: unknown(ir, namer.source, summary, (data.span, &replaced)),
    }
}

fn awaits(ir: &FileIr, source: &SourceText, summary: &Summary) -> Vec<AwaitReport> {
    summary
        .awaits
        .iter()
        .filter_map(|&(id, waiting)| {
            let (Inst::Await(value) | Inst::IterateAsync(value)) = ir.inst(id) else {
                return None;
            };
            Some(AwaitReport {
                text: one_line(ir.span(value).text(source.text())),
                understood: waiting != Waiting::Unknown,
                settles: waiting == Waiting::Settles,
            })
        })
        .collect()
}

fn unknown(
    ir: &FileIr,
    source: &SourceText,
    summary: &Summary,
    (function, replaced): (headstart_ir::Span, &[InstId]),
) -> Vec<UnknownReport> {
    let of_call = |&id: &InstId| {
        let callee = match ir.inst(id) {
            Inst::Call { callee, .. } | Inst::New { callee, .. } => callee,
            Inst::CallMethod { method, .. } => method,
            _ => id,
        };
        let text = one_line(ir.span(callee).text(source.text()));
        UnknownReport { reason: format!("calls `{text}`"), range: Range::of(ir.span(id), source) }
    };
    let mut found: Vec<UnknownReport> = summary.anything.iter().map(of_call).collect();
    found.extend(replaced.iter().map(|id| {
        let UnknownReport { reason, range } = of_call(id);
        let reason = format!("{reason}, in whose place the program puts something");
        UnknownReport { reason, range }
    }));
    let mut seen = FxHashSet::default();
    found.retain(|it| seen.insert(it.reason.clone()));
    if summary.is_too_much {
        let reason = "does too much to tell apart".to_owned();
        found.push(UnknownReport { reason, range: Range::of(function, source) });
    }
    found
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
