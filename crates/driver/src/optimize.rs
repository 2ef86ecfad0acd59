//! `optimize` of one text in memory.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use headstart_atomicity::{Ungated, UngatedKind};
use headstart_edit::{Position, SourceText};
use headstart_frontend::{fits_worker, thread_pool, without_bom};
use headstart_overhead::{
    FunctionReport, Functions, Known, Optimized, Options, Outside, Sampled, Ticks, optimize,
};
use memchr::memmem;
use rayon::ThreadPool;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What `optimize` may do, as requests say it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct OptimizeOptions {
    ticks: TicksName,
    functions: FunctionsName,
    keep_frames: bool,
    source_map: bool,
    /// Restores what was down-levelled unless it is `false`.
    restore: Option<bool>,
    /// What a TypeScript file exports keeps its types unless it is `false`.
    keep_types: Option<bool>,
    commonjs: Option<bool>,
    atomic: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TicksName {
    #[default]
    Relaxed,
    Exact,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FunctionsName {
    #[default]
    All,
    Directives,
}

impl From<OptimizeOptions> for Options {
    fn from(options: OptimizeOptions) -> Self {
        let ticks = match options.ticks {
            TicksName::Relaxed => Ticks::Relaxed,
            TicksName::Exact => Ticks::Exact,
        };
        let functions = match options.functions {
            FunctionsName::All => Functions::All,
            FunctionsName::Directives => Functions::Directives,
        };
        Self {
            ticks,
            functions,
            keep_frames: options.keep_frames,
            source_map: options.source_map,
            restore: options.restore.unwrap_or(true),
            keep_types: options.keep_types.unwrap_or(true),
            commonjs: options.commonjs,
            atomic: options.atomic,
        }
    }
}

/// How to optimise a text.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextRequest {
    /// The name of the text says which language it is in.
    file: PathBuf,
    options: OptimizeOptions,
    /// The functions that may be converted, by their start positions; all where it is not there.
    #[serde(default)]
    only: Option<Vec<StartPosition>>,
    /// What the answer to [`crate::request::WholeRequest`] says of it, where that was asked for.
    #[serde(default)]
    known: Option<Known>,
}

/// Where V8 says that a function begins, as editors count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
struct StartPosition {
    line: u32,
    column: u32,
}

impl StartPosition {
    fn of(source: &SourceText, offset: u32) -> Self {
        let Position { line, column } = source.position(offset);
        Self { line, column }
    }

    /// Its place in bytes; nothing if the text has no such place.
    fn offset(self, source: &SourceText) -> Option<u32> {
        let units = self.column.checked_sub(1)? as usize;
        let line = source.line_text(self.line);
        let mut before = 0;
        let column = line.char_indices().find(|(_, it)| {
            let is_there = before == units;
            before += it.len_utf16();
            is_there
        })?;
        Some(source.line_start(self.line) + u32::try_from(column.0).ok()?)
    }
}

/// What became of a text. Texts are as long as files, and JSON of them costs as much as to parse them.
#[derive(Debug, Default)]
pub struct Answer {
    /// The new text; `None` where nothing changed.
    pub code: Option<String>,
    /// Its source map as JSON, where one was asked for.
    pub map: Option<String>,
    /// What became of its functions, or why nothing did, as JSON.
    pub report: String,
}

/// What the report of an answer says.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct TextReport {
    functions: Vec<Function>,
    /// Where the gate of atomic blocks is passed by.
    ungated: Vec<Place>,
    error: Option<TextError>,
}

/// Code that resumes or is called back outside of the gate.
#[derive(Debug, Serialize)]
struct Place {
    kind: &'static str,
    line: u32,
    column: u32,
}

/// What kept a text from being optimised.
#[derive(Debug, Serialize)]
struct TextError {
    message: String,
    /// From 1; 0 where the request itself is wrong.
    line: u32,
    column: u32,
}

/// An async function, with its place as editors count.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Function {
    line: u32,
    column: u32,
    start_position: StartPosition,
    length: u32,
    callees: Vec<String>,
    #[serde(flatten)]
    report: FunctionReport,
}

/// Optimises a text as a request given as JSON says.
///
/// The work is done on threads with stack enough for deeply nested text, whoever calls.
#[must_use]
pub fn optimize_text(request: &str, code: &str) -> Answer {
    let answer = match serde_json::from_str::<TextRequest>(request) {
        Ok(request) => POOL
            .as_ref()
            .map_err(|error| failed(error, (0, 0)))
            .and_then(|pool| pool.install(|| answer(&request, code))),
        Err(error) => Err(failed(unreadable(&error), (0, 0))),
    };
    answer.unwrap_or_else(|error| {
        let report = TextReport { error: Some(error), ..TextReport::default() };
        Answer { report: json(&report), ..Answer::default() }
    })
}

/// Whether a file may have something in it that [`optimize_text`] does anything about: it has the word `async` or `await`,
/// or cannot be read here.
#[must_use]
pub fn may_be_optimizable(file: &Path) -> bool {
    let has = |text: &[u8]| {
        ["async", "await"].iter().any(|it| memmem::find(text, it.as_bytes()).is_some())
    };
    std::fs::read(file).map_or(true, |text| has(&text))
}

fn json(report: &TextReport) -> String {
    serde_json::to_string(report).unwrap_or_default()
}

/// What is wrong with the options of a request, without the place in JSON that nobody sees.
fn unreadable(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or_default();
    format!("the options of optimize are wrong: {reason}")
}

/// One pool for the whole process: bundlers ask for thousands of texts.
static POOL: LazyLock<Result<ThreadPool, String>> =
    LazyLock::new(|| thread_pool(None).map_err(|error| error.to_string()));

fn answer(request: &TextRequest, code: &str) -> Result<Answer, TextError> {
    let text = without_bom(code);
    if !fits_worker(text) {
        return Err(failed("nested too deeply to be parsed", (1, 1)));
    }
    let only = request.only.as_ref().map(|only| offsets(text, only));
    let outside = Outside { known: request.known.as_ref(), only: only.as_ref() };
    match optimize(&request.file, text, request.options.into(), outside) {
        Ok(Optimized { code, map, functions, ungated }) => {
            let code = (code != text).then_some(code);
            let map = map.filter(|_| code.is_some());
            let functions = placed(text, functions);
            let ungated = ungated.iter().map(|it| passed_by(text, *it)).collect();
            let report = json(&TextReport { functions, ungated, error: None });
            Ok(Answer { code, map, report })
        }
        Err(error) => Err(failed(error.message, place(text, error.offset))),
    }
}

fn passed_by(text: &str, it: Ungated) -> Place {
    let kind = match it.kind {
        UngatedKind::Handler => "handler",
        UngatedKind::Callback => "callback",
        UngatedKind::Disposal => "disposal",
        UngatedKind::Delegation => "delegation",
        UngatedKind::Function => "function",
        UngatedKind::Pattern => "pattern",
    };
    let (line, column) = place(text, it.offset);
    Place { kind, line, column }
}

fn failed(message: impl Into<String>, (line, column): (u32, u32)) -> TextError {
    TextError { message: message.into(), line, column }
}

/// Functions with their places.
fn placed(text: &str, functions: Vec<FunctionReport>) -> Vec<Function> {
    let Ok(source) = SourceText::from_bytes(text.as_bytes().to_vec()) else { return Vec::new() };
    functions
        .into_iter()
        .map(|mut report| {
            let Position { line, column } = source.position(report.offset);
            let sampled = std::mem::take(&mut report.sampled);
            let start_position = StartPosition::of(&source, sampled.start_position);
            let Sampled { length, callees, .. } = sampled;
            Function { line, column, start_position, length, callees, report }
        })
        .collect()
}

/// Where functions begin, in bytes; those that are not there are left out.
fn offsets(text: &str, positions: &[StartPosition]) -> FxHashSet<u32> {
    let Ok(source) = SourceText::from_bytes(text.as_bytes().to_vec()) else {
        return FxHashSet::default();
    };
    positions.iter().filter_map(|it| it.offset(&source)).collect()
}

/// 1-based line and column of a place.
fn place(text: &str, offset: u32) -> (u32, u32) {
    SourceText::from_bytes(text.as_bytes().to_vec())
        .map(|it| it.position(offset))
        .map_or((1, 1), |it| (it.line, it.column))
}
