//! `optimize`: of one text in memory, and of files and folders.

use std::path::PathBuf;

use headstart_edit::SourceText;
use headstart_frontend::without_bom;
use headstart_overhead::{FunctionReport, Functions, Optimized, Options, Ticks, optimize};
use serde::{Deserialize, Serialize};

/// What `optimize` may do, as requests say it.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct OptimizeOptions {
    ticks: TicksName,
    functions: FunctionsName,
    keep_frames: bool,
    source_map: bool,
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
        let OptimizeOptions { keep_frames, source_map, .. } = options;
        Self { ticks, functions, keep_frames, source_map }
    }
}

/// A text to optimise.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TextRequest {
    /// Its name says which language it is in.
    file: PathBuf,
    code: String,
    #[serde(flatten)]
    options: OptimizeOptions,
}

/// What became of a text, or why nothing did.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct TextResponse {
    code: String,
    map: Option<String>,
    functions: Vec<Function>,
    error: Option<String>,
}

/// An async function, with its place as editors count.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Function {
    line: u32,
    column: u32,
    #[serde(flatten)]
    report: FunctionReport,
}

/// Optimises the text of a request given as JSON; returns the response as JSON.
#[must_use]
pub fn optimize_text(request: &str) -> String {
    let response = match serde_json::from_str::<TextRequest>(request) {
        Ok(request) => text_response(&request),
        Err(error) => TextResponse {
            error: Some(format!("the request cannot be read: {error}")),
            ..TextResponse::default()
        },
    };
    serde_json::to_string(&response).unwrap_or_default()
}

fn text_response(request: &TextRequest) -> TextResponse {
    let text = without_bom(&request.code);
    match optimize(&request.file, text, request.options.into()) {
        Ok(Optimized { code, map, functions }) => {
            TextResponse { code, map, functions: placed(text, functions), error: None }
        }
        Err(error) => {
            let (line, column) = place(text, error.offset);
            let file = request.file.display();
            let message = format!("{file}:{line}:{column}: {}", error.message);
            TextResponse { error: Some(message), ..TextResponse::default() }
        }
    }
}

/// Functions with their places.
pub(crate) fn placed(text: &str, functions: Vec<FunctionReport>) -> Vec<Function> {
    functions
        .into_iter()
        .map(|report| {
            let (line, column) = place(text, report.offset);
            Function { line, column, report }
        })
        .collect()
}

/// 1-based line and column of a place.
fn place(text: &str, offset: u32) -> (u32, u32) {
    SourceText::from_bytes(text.as_bytes().to_vec())
        .map(|it| it.position(offset))
        .map_or((1, 1), |it| (it.line, it.column))
}
