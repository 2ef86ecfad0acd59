//! `headstart check`

use headstart_frontend::Progress;
use headstart_overlap::Level;

use crate::analyse::{Analysis, analyse, skipped, warnings};
use crate::paths::{real, report_base, shown};
use crate::render::{self, Style};
use crate::report::{BlockerReport, CheckReport, FindingReport, Range, Replacement, VERSION};
use crate::request::{CheckRequest, Format};
use crate::respond::Response;

pub(crate) fn run(request: &CheckRequest, progress: &Progress) -> Response {
    let common = &request.common;
    let analysis = match analyse(common, &request.paths, progress, None) {
        Ok(analysis) => analysis,
        Err(message) => return Response::failed(&message),
    };
    // What makes the run fail is shown.
    let deny = request.deny.level();
    let level = Level::from(request.level).max(deny.unwrap_or(Level::Safe));
    let style = Style { color: common.color, width: common.width };
    let base = match request.format {
        Format::Json => report_base(&common.cwd, &request.paths),
        _ => real(&common.cwd),
    };
    let rendered = (request.rendered).then_some(style);
    let report = report(&analysis, level, &base, rendered);
    let denied = analysis
        .found
        .iter()
        .flat_map(|file| &file.findings)
        .any(|located| deny.is_some_and(|deny| located.finding.level <= deny));
    let nothing_read = analysis.stats.files == 0;
    let exit_code = if nothing_read { 2 } else { u8::from(denied) };
    let (stdout, mut stderr) = match request.format {
        Format::Pretty => {
            (render::pretty::check(&analysis, level, &base, style), render::notices(&report, style))
        }
        Format::Json => (render::json(&report), String::new()),
        Format::Sarif => (render::sarif::check(&report), render::notices(&report, style)),
        Format::Github => (render::github::check(&report), render::notices(&report, style)),
    };
    if nothing_read {
        stderr.push_str(&render::nothing_read(&request.paths, &report.skipped));
    }
    let report = serde_json::to_value(&report).unwrap_or_default();
    Response { exit_code, stdout, stderr, report }
}

/// The findings of `level` and surer, with paths relative to `base`.
pub(crate) fn report(
    analysis: &Analysis,
    level: Level,
    base: &std::path::Path,
    rendered: Option<Style>,
) -> CheckReport {
    let mut findings = Vec::new();
    for file in &analysis.found {
        let name = shown(&analysis.program.files[file.file].path, base);
        let range = |span| Range::of(span, &file.source);
        for located in file.findings.iter().filter(|it| it.finding.level <= level) {
            let finding = &located.finding;
            let fill = |text, span| render::fill(text, span, &file.source);
            findings.push(FindingReport {
                id: located.id.clone(),
                rule: finding.rule,
                level: finding.level.name(),
                file: name.clone(),
                range: range(finding.range),
                message: finding.message.clone(),
                overlaps: finding.overlaps.iter().map(|&span| range(span)).collect(),
                crosses: finding.crosses.iter().map(|&span| range(span)).collect(),
                assumptions: render::assumptions(finding, &file.source),
                blockers: finding
                    .blockers
                    .iter()
                    .map(|it| BlockerReport {
                        reason: fill(&it.text, it.span),
                        range: range(it.span),
                    })
                    .collect(),
                replacement: finding.plan.is_some().then(|| {
                    located
                        .edits
                        .iter()
                        .map(|edit| Replacement {
                            range: range(headstart_ir::Span::new(edit.start, edit.end)),
                            text: edit.text.clone(),
                        })
                        .collect()
                }),
                rendered: rendered
                    .map(|style| render::pretty::finding(located, &file.source, &name, style)),
            });
        }
    }
    CheckReport {
        version: VERSION,
        findings,
        skipped: skipped(&analysis.program, base),
        warnings: warnings(&analysis.program, base),
        stats: analysis.stats,
    }
}
