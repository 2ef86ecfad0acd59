//! `headstart explain`

use std::fmt::Write as _;
use std::path::Path;

use headstart_edit::SourceText;
use headstart_frontend::Progress;
use headstart_ir::{FileIr, Inst, Span};
use headstart_overhead::{Options, show};
use serde_json::json;

use crate::analyse::{Analysis, Question, analyse, read_again};
use crate::paths::{real, shown};
use crate::render::{self, Style};
use crate::request::{Common, ExplainRequest};
use crate::respond::Response;

pub(crate) fn run(request: &ExplainRequest, progress: &Progress) -> Response {
    let common = &request.common;
    let path = common.cwd.join(&request.target.file);
    if !path.is_file() {
        let shown = request.target.file.display();
        return Response::failed(&format!("{shown}: no such file; check the spelling"));
    }
    match explain(common, &real(&path), request.target.line, progress) {
        Ok(text) => {
            let report = json!({ "text": text });
            Response { exit_code: 0, stdout: text, stderr: String::new(), report }
        }
        Err(message) => Response::failed(&message),
    }
}

fn explain(common: &Common, path: &Path, line: u32, progress: &Progress) -> Result<String, String> {
    let paths = [path.to_path_buf()];
    let question = Question { path, line };
    let analysis = analyse(common, &paths, progress, Some(&question))?;
    let index = analysis.program.files.iter().position(|file| file.path == path);
    let Some(index) = index else {
        let reason = analysis.program.skipped.iter().find(|it| it.path == path);
        let reason = reason.map_or("was not looked at", |it| it.reason.as_str());
        return Err(format!("{}: {reason}", path.display()));
    };
    let file = &analysis.program.files[index];
    let name = shown(path, &real(&common.cwd));
    let source = read_again(file).map_err(|reason| format!("{name}: {reason}"))?;
    if line == 0 || line > source.line_count() {
        let count = source.line_count();
        return Err(format!("{name}:{line}: the file has {count} lines; name one of them"));
    }
    let span = Span::new(source.line_start(line), source.line_start(line + 1));
    let explanations = &analysis.explanations;
    let style = Style { color: common.color, width: common.width };
    let functions = compiled(path, &source, span, &name, style);
    if explanations.is_empty() && functions.is_empty() {
        return Err(no_await(&file.ir, &source, &name, line));
    }
    let mut text = String::new();
    for explanation in explanations {
        text.push_str(&render::pretty::explanation(explanation, &source, &name, style));
    }
    text.push_str(&findings_at(&analysis, index, span, &name, style));
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
fn findings_at(analysis: &Analysis, index: usize, line: Span, name: &str, style: Style) -> String {
    let mut text = String::new();
    let touches = |span: &Span| span.start < line.end && line.start < span.end;
    for file in analysis.found.iter().filter(|it| it.file == index) {
        for located in &file.findings {
            let finding = &located.finding;
            if touches(&finding.range) || finding.overlaps.iter().any(touches) {
                let _ = writeln!(text);
                text.push_str(&render::pretty::finding(located, &file.source, name, style));
            }
        }
    }
    text
}

fn no_await(ir: &FileIr, source: &SourceText, name: &str, line: u32) -> String {
    let mut lines: Vec<u32> = ir
        .insts
        .iter()
        .zip(&ir.spans)
        .filter(|(inst, _)| matches!(inst, Inst::Await(_)))
        .map(|(_, span)| source.line_of(span.start))
        .collect();
    lines.sort_by_key(|it| it.abs_diff(line));
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
