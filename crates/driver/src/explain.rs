//! `headstart explain`

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use headstart_edit::SourceText;
use headstart_frontend::{Progress, irregular};
use headstart_ir::Span;
use headstart_ir::order::sort_by_key;
use headstart_overhead::{Options, show};
use serde_json::json;

use crate::analyse::{Analysis, Answer, Question, analyse, line_span};
use crate::evidence::sentences;
use crate::paths::{real, shown};
use crate::render::{self, Style};
use crate::request::{Common, ExplainRequest};
use crate::respond::Response;

pub(crate) fn run(request: &ExplainRequest, progress: &Progress) -> Response {
    let common = &request.common;
    let target = &request.target;
    let text = named_file(&common.cwd, &target.file)
        .and_then(|path| explain(common, &path, target.line, progress));
    match text {
        Ok(text) => {
            let report = json!({ "text": text });
            Response { exit_code: 0, stdout: text, stderr: String::new(), report }
        }
        Err(message) => Response::failed(&message),
    }
}

/// The file that is named, with links resolved.
fn named_file(cwd: &Path, name: &Path) -> Result<PathBuf, String> {
    let path = cwd.join(name);
    let shown = name.display();
    let kind = std::fs::metadata(&path)
        .map_err(|_| format!("{shown}: no such file; check the spelling"))?
        .file_type();
    if kind.is_dir() {
        return Err(format!("{shown}: is a folder; name a file in it"));
    }
    match irregular(&kind) {
        Some(reason) => Err(format!("{shown}: {reason}")),
        None => Ok(real(&path)),
    }
}

fn explain(common: &Common, path: &Path, line: u32, progress: &Progress) -> Result<String, String> {
    let paths = [path.to_path_buf()];
    let question = Question { path, line };
    let analysis = analyse(common, &paths, progress, Some(&question))?;
    let name = shown(path, &real(&common.cwd));
    let Some(answer) = &analysis.answer else {
        let reason = analysis.skipped.iter().find(|it| it.path == path);
        let reason = reason.map_or("was not looked at", |it| it.reason.as_str());
        return Err(format!("{name}: {reason}"));
    };
    let source = &answer.source;
    let Some(span) = line_span(source, line) else {
        let count = source.line_count();
        return Err(format!("{name}:{line}: the file has {count} lines; name one of them"));
    };
    let style = Style { color: common.color, width: common.width };
    let functions = compiled(path, source, span, &name, style);
    if answer.explanations.is_empty() && functions.is_empty() {
        return Err(no_await(answer, &name, line));
    }
    let mut text = String::new();
    for explanation in &answer.explanations {
        let seen = sentences(common, path, source, explanation.span);
        text.push_str(&render::pretty::explanation(explanation, &seen, source, &name, style));
    }
    text.push_str(&findings_at(&analysis, path, span, &name, style));
    if !text.is_empty() && !functions.is_empty() {
        text.push('\n');
    }
    Ok(text + &functions)
}

/// What `optimize` makes of the async functions that begin on the line.
fn compiled(path: &Path, source: &SourceText, line: Span, name: &str, style: Style) -> String {
    let place = line.start..line.end;
    // The analysis has read the file: it parses.
    let shown = show(path, source.text(), Options::default(), &place).unwrap_or_default();
    let all: Vec<String> =
        shown.iter().map(|it| render::compiled::compiled(it, source, name, style)).collect();
    all.join("\n")
}

/// The findings whose statements touch the line.
fn findings_at(analysis: &Analysis, path: &Path, line: Span, name: &str, style: Style) -> String {
    let mut text = String::new();
    let touches = |span: &Span| span.start < line.end && line.start < span.end;
    for file in analysis.found.iter().filter(|it| it.path == path) {
        for located in &file.findings {
            let finding = &located.finding;
            if touches(&finding.range) || finding.overlaps.iter().any(touches) {
                let _ = writeln!(text);
                text.push_str(&render::pretty::finding(located, &file.source, (name, true), style));
            }
        }
    }
    text
}

fn no_await(answer: &Answer, name: &str, line: u32) -> String {
    let starts = answer.awaits.iter().map(|span| answer.source.line_of(span.start));
    let mut lines: Vec<u32> = starts.collect();
    sort_by_key(&mut lines, |it| it.abs_diff(line));
    lines.dedup();
    lines.truncate(3);
    let nearest: Vec<String> = lines.iter().map(u32::to_string).collect();
    if nearest.is_empty() {
        format!("{name}:{line}: there is no await in this file")
    } else {
        format!(
            "{name}:{line}: there is no await on this line, and no async function begins here; the nearest awaits are on lines {}",
            nearest.join(", ")
        )
    }
}
