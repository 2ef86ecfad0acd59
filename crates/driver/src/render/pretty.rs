//! `--format pretty`: the code with what waits for what, for a person at a terminal.

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level as Title, Renderer, Snippet};
use headstart_edit::SourceText;
use headstart_ir::Span;
use headstart_overlap::{Explanation, Level, Sentence};

use super::{Style, fill, rewrite, shortened};
use crate::analyse::{Analysis, Located};
use crate::paths::shown;
use crate::report::{FixReport, Stats};

/// The findings of `level` and surer, and a summary.
pub(crate) fn check(analysis: &Analysis, level: Level, base: &Path, style: Style) -> String {
    let mut text = String::new();
    let mut counts = [0usize; 3];
    let shown_findings = analysis.ordered(level);
    for (file, located) in &shown_findings {
        let name = shown(&file.path, base);
        counts[located.finding.level as usize] += 1;
        text.push_str(&finding(located, &file.source, (&name, false), style));
        text.push('\n');
    }
    let all: usize = analysis.found.iter().map(|file| file.findings.len()).sum();
    let hidden = all - shown_findings.len();
    text.push_str(&summary(counts, hidden, &analysis.stats));
    text
}

fn summary(counts: [usize; 3], hidden: usize, stats: &Stats) -> String {
    let total: usize = counts.iter().sum();
    let mut text = String::new();
    if total == 0 {
        let _ = write!(text, "No findings");
    } else {
        let named: Vec<String> = ["safe", "likely", "hint"]
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{count} {name}"))
            .collect();
        let _ = write!(text, "{} ({})", plural(total, "finding"), named.join(", "));
    }
    let _ = writeln!(
        text,
        " in {}, {}, {} ms; {}, {} of them on I/O that is known.",
        plural(stats.files, "file"),
        plural(usize::try_from(stats.lines).unwrap_or(usize::MAX), "line"),
        stats.elapsed_ms,
        plural(stats.awaits, "await"),
        stats.io_awaits,
    );
    if counts[0] > 0 {
        let _ = writeln!(text, "`headstart fix` applies what is safe.");
    }
    if hidden > 0 {
        let _ = writeln!(text, "{} below this level: --level hint shows all.", hidden);
    }
    text
}

/// One finding as rustc would show it.
pub(crate) fn finding(
    located: &Located,
    source: &SourceText,
    (name, is_whole): (&str, bool),
    style: Style,
) -> String {
    let finding = &located.finding;
    let window = Window::around(finding_spans(located), source);
    let waits = if finding.level == Level::Hint { "waits" } else { "waits needlessly" };
    let rule = headstart_overlap::rule(finding.rule).map(|it| it.1);
    let waits = rule.and_then(|it| it.here).unwrap_or(waits);
    let mut annotations =
        vec![window.annotation(finding.range, AnnotationKind::Primary).label(waits)];
    for &span in &finding.overlaps {
        let label = if span.start < finding.range.start {
            rule.map_or("for this to end", |it| it.waits_for)
        } else {
            "would start with it, too"
        };
        annotations.push(window.annotation(span, AnnotationKind::Context).label(label));
    }
    let level = Title::WARNING.with_name(finding.level.name());
    let mut group =
        Group::with_title(level.primary_title(finding.message.as_str()).id(finding.rule))
            .element(window.snippet(source, name).annotations(annotations));
    let (sentences, more) = shortened(finding, source, is_whole);
    for sentence in sentences {
        group = group.element(Title::NOTE.message(format!("assumes that {sentence}")));
    }
    if more > 0 {
        let line = source.line_of(finding.range.start);
        let text =
            format!("assumes {more} more things (`headstart explain {name}:{line}` lists them)");
        group = group.element(Title::NOTE.message(text));
    }
    if let Some(seen) = &located.seen {
        group = group.element(Title::NOTE.message(seen.sentence()));
    }
    if let Some(observed) = &located.observed {
        group = group.element(Title::NOTE.message(observed.sentence()));
    }
    for it in &finding.blockers {
        let text = format!("in the way: {}", fill(&it.reason.text(), it.span, source));
        group = group.element(Title::NOTE.message(text));
    }
    let mut groups = vec![group];
    if !located.edits.is_empty() {
        let command = match finding.level {
            Level::Safe => "headstart fix",
            _ => "headstart fix --level likely",
        };
        let remedy = rule.map_or("start them together", |it| it.remedy);
        let title = format!("{remedy} (`{command}` does it){}", estimate(finding.gain));
        groups.push(Group::with_title(Title::HELP.secondary_title(title)));
    }
    let mut text = renderer(style).render(&groups);
    text.push('\n');
    text.push_str(&rewrite::diff(&located.edits, source, style));
    text
}

/// What a finding saves, by typical costs of what it waits for.
fn estimate(microseconds: u64) -> String {
    match microseconds {
        0 => String::new(),
        1..1000 => {
            format!("; by typical costs, that is 0.{} ms less waiting", microseconds.div_ceil(100))
        }
        _ => format!("; by typical costs, that is {} ms less waiting", microseconds / 1000),
    }
}

fn finding_spans(located: &Located) -> impl Iterator<Item = Span> {
    let finding = &located.finding;
    std::iter::once(finding.range).chain(finding.overlaps.iter().copied())
}

/// What is known of one await.
pub(crate) fn explanation(
    explanation: &Explanation,
    seen: &[String],
    source: &SourceText,
    name: &str,
    style: Style,
) -> String {
    let window = Window::around(std::iter::once(explanation.span), source);
    let annotation = window.annotation(explanation.span, AnnotationKind::Primary);
    let title = Title::INFO.with_name("await").primary_title(if explanation.reasons.is_empty() {
        "it can overlap operations beside it"
    } else {
        "it overlaps nothing"
    });
    let mut group =
        Group::with_title(title).element(window.snippet(source, name).annotation(annotation));
    for Sentence { text, span, .. } in &explanation.effects {
        group = group.element(Title::NOTE.with_name("effects").message(fill(text, *span, source)));
    }
    for seen in seen {
        group = group.element(Title::NOTE.with_name("observed").message(seen.clone()));
    }
    for Sentence { text, span, .. } in &explanation.reasons {
        let line = source.line_of(span.start);
        let text = format!("{} (line {line})", fill(text, *span, source));
        group = group.element(Title::NOTE.with_name("why not").message(text));
    }
    let mut text = renderer(style).render(&[group]);
    text.push('\n');
    text
}

/// What `fix` did, in a few lines.
pub(crate) fn fixed(report: &FixReport) -> String {
    let mut text = String::new();
    let count: usize = report.fixed.iter().map(|it| it.findings.len()).sum();
    let verb = if report.diff.is_some() { "would be rewritten" } else { "rewritten" };
    for file in &report.fixed {
        let _ = writeln!(text, "{verb}: {} ({})", file.file, plural(file.findings.len(), "place"));
    }
    let _ = writeln!(
        text,
        "{} in {} {verb}; {} looked at in {} ms.",
        plural(count, "place"),
        plural(report.fixed.len(), "file"),
        plural(report.stats.files, "file"),
        report.stats.elapsed_ms
    );
    text
}

/// Milliseconds as a person reads them.
pub(crate) fn duration(ms: f64) -> String {
    if ms >= 1000.0 { format!("{:.1} s", ms / 1000.0) } else { format!("{ms:.1} ms") }
}

pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn renderer(style: Style) -> Renderer {
    let renderer = if style.color { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Unicode).term_width(style.width)
}

/// The lines of a file that are shown.
struct Window {
    /// Byte offset of the first line shown.
    start: u32,
    /// Byte offset behind the last line shown.
    end: u32,
    first_line: u32,
}

impl Window {
    fn around(spans: impl Iterator<Item = Span>, source: &SourceText) -> Self {
        let (mut start, mut end) = (u32::MAX, 0);
        for span in spans {
            start = start.min(span.start);
            end = end.max(span.end);
        }
        let first_line = source.line_of(start.min(end));
        let last_line = source.line_of(end);
        Self {
            start: source.line_start(first_line),
            end: source.line_start(last_line + 1),
            first_line,
        }
    }

    fn snippet<'a, A: Clone>(&self, source: &'a SourceText, name: &'a str) -> Snippet<'a, A> {
        let text = Span::new(self.start, self.end).text(source.text());
        Snippet::source(text).line_start(self.first_line as usize).path(name)
    }

    fn annotation<'a>(&self, span: Span, kind: AnnotationKind) -> Annotation<'a> {
        let start = span.start.saturating_sub(self.start) as usize;
        let end = span.end.min(self.end).saturating_sub(self.start) as usize;
        let range: Range<usize> = start..end.max(start);
        kind.span(range)
    }
}
