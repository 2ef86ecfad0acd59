//! `headstart check`

use headstart_edit::{Edit, SourceText};
use headstart_effects::Blocker;
use headstart_frontend::Progress;
use headstart_ir::Span;
use headstart_overlap::Level;
use rustc_hash::FxHashSet;

use crate::analyse::{Analysis, FileFindings, Located, analyse, skipped, warnings};
use crate::paths::{real, shown};
use crate::profile;
use crate::render::{self, Style};
use crate::report::{BlockerReport, CheckReport, FindingReport, Range, Replacement, VERSION};
use crate::request::{CheckRequest, Format};
use crate::respond::Response;

pub(crate) fn run(request: &CheckRequest, progress: &Progress) -> Response {
    let common = &request.common;
    let mut analysis = match analyse(common, &request.paths, progress, None) {
        Ok(analysis) => analysis,
        Err(message) => return Response::failed(&message),
    };
    profile::observe(&mut analysis, &request.profile);
    // What makes the run fail is shown.
    let deny = request.deny.level();
    let level = Level::from(request.level).max(deny.unwrap_or(Level::Safe));
    let style = Style { color: common.color, width: common.width };
    let base = real(&common.cwd);
    let rendered = (request.rendered).then_some(style);
    let mut report = report(&analysis, level, &base, rendered);
    if let Some(level) = request.applied {
        let applied = applied(&analysis, level.into());
        for finding in &mut report.findings {
            finding.applied = Some(applied.contains(finding.id.as_str()));
        }
    }
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
        Format::Sarif => (render::sarif::check(&report, &base), render::notices(&report, style)),
        Format::Github => (render::github::check(&report), render::notices(&report, style)),
    };
    if nothing_read {
        stderr.push_str(&render::nothing_read(&request.paths, &report.skipped));
    }
    let report = serde_json::to_value(&report).unwrap_or_default();
    Response { exit_code, stdout, stderr, report }
}

/// The findings that `fix` applies at a level, by their ids: findings may contradict one another.
fn applied(analysis: &Analysis, level: Level) -> FxHashSet<&str> {
    let of_file = |file: &'_ FileFindings| {
        let all: Vec<&Located> = file.findings.iter().collect();
        file.apply(&all, level).applied
    };
    let files = analysis.found.iter();
    files
        .flat_map(|file| of_file(file).into_iter().map(|it| file.findings[it].id.as_str()))
        .collect()
}

/// The findings of `level` and surer, with paths relative to `base`.
pub(crate) fn report(
    analysis: &Analysis,
    level: Level,
    base: &std::path::Path,
    rendered: Option<Style>,
) -> CheckReport {
    let findings = analysis
        .ordered(level)
        .into_iter()
        .map(|(file, located)| {
            let name = shown(&file.path, base);
            finding_report(located, &file.source, name, rendered)
        })
        .collect();
    CheckReport {
        version: VERSION,
        findings,
        skipped: skipped(&analysis.skipped, base),
        warnings: warnings(&analysis.warnings, base),
        stats: analysis.stats,
    }
}

fn finding_report(
    located: &Located,
    source: &SourceText,
    file: String,
    rendered: Option<Style>,
) -> FindingReport {
    let finding = &located.finding;
    let range = |span| Range::of(span, source);
    let blocker = |it: &Blocker| BlockerReport {
        code: it.reason.code.id(),
        reason: render::fill(&it.reason.text(), it.span, source),
        range: range(it.span),
    };
    let replacement = |edit: &Edit| Replacement {
        range: range(Span::new(edit.start, edit.end)),
        text: edit.text.clone(),
    };
    let granted = render::assumptions(finding, source);
    FindingReport {
        id: located.id.clone(),
        rule: finding.rule,
        level: finding.level.name(),
        range: range(finding.range),
        message: finding.message.clone(),
        overlaps: finding.overlaps.iter().map(|&span| range(span)).collect(),
        crosses: finding.crosses.iter().map(|&span| range(span)).collect(),
        assumption_codes: granted.iter().map(|it| it.code).collect(),
        assumptions: granted.into_iter().map(|it| it.sentence).collect(),
        blockers: finding.blockers.iter().map(blocker).collect(),
        replacement: finding
            .plan
            .is_some()
            .then(|| located.edits.iter().map(replacement).collect()),
        applied: None,
        observed: located.observed,
        seen: located.seen,
        estimated_gain_ms: milliseconds(finding.gain),
        rendered: rendered
            .map(|style| render::pretty::finding(located, source, (&file, false), style)),
        file,
    }
}

/// Microseconds as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "estimates are far below 2^52")]
fn milliseconds(microseconds: u64) -> f64 {
    microseconds as f64 / 1000.0
}
