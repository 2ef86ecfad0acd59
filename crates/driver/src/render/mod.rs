//! Findings and effects as text: one file a format; what functions compile to.

pub(crate) mod compiled;
pub(crate) mod effects;
pub(crate) mod github;
pub(crate) mod pretty;
mod rewrite;
pub(crate) mod sarif;

use std::fmt::Write as _;
use std::path::PathBuf;

use headstart_edit::SourceText;
use headstart_effects::{Assumption, Topic};
use headstart_ir::Span;
use headstart_ir::order::sort_by_key;
use headstart_overlap::Finding;

use crate::report::{CheckReport, SkippedReport, WarningReport};

/// The longest piece of source that a sentence quotes, in characters.
const LONGEST_QUOTE: usize = 60;

/// How many skipped files are printed before the rest is only counted.
const MOST_NOTICES: usize = 10;

/// How many warnings of one kind are printed before the rest is only counted.
const MOST_ALIKE: usize = 2;

/// How to print.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    pub(crate) color: bool,
    /// Columns.
    pub(crate) width: usize,
}

/// Puts the source text of `span`, shortened to one line, in place of `{}`.
pub(crate) fn fill(text: &str, span: Span, source: &SourceText) -> String {
    let words: Vec<&str> = span.text(source.text()).split_whitespace().collect();
    let mut quote = words.join(" ");
    if quote.chars().count() > LONGEST_QUOTE {
        quote = quote.chars().take(LONGEST_QUOTE - 1).collect();
        quote.push('…');
    }
    text.replace("{}", &quote)
}

/// How many sentences about what a finding takes for granted are printed where not all are asked for.
const MOST_SENTENCES: usize = 3;

/// What a finding takes for granted, in few sentences, and how many more there are: what nearly always holds
/// comes last. All of them where `is_whole`.
pub(crate) fn shortened(
    finding: &Finding,
    source: &SourceText,
    is_whole: bool,
) -> (Vec<String>, usize) {
    let is_minor = |it: &&Assumption| it.topic.as_ref().is_some_and(Topic::is_minor);
    let texts = |told: Vec<Told>| told.into_iter().map(|it| it.sentence).collect();
    let told = assumptions(finding, source);
    if is_whole || told.len() <= MOST_SENTENCES + 1 {
        return (texts(told), 0);
    }
    let mut all: Vec<&Assumption> = finding.assumptions.iter().collect();
    sort_by_key(&mut all, is_minor);
    let mut ordered = sentences(all.into_iter(), source);
    let more = ordered.len() - MOST_SENTENCES;
    ordered.truncate(MOST_SENTENCES);
    (texts(ordered), more)
}

/// A sentence, and the code of what it says.
pub(crate) struct Told {
    pub(crate) code: &'static str,
    pub(crate) sentence: String,
}

/// What a finding takes for granted, each sentence once.
pub(crate) fn assumptions(finding: &Finding, source: &SourceText) -> Vec<Told> {
    sentences(finding.assumptions.iter(), source)
}

fn sentences<'a>(
    assumptions: impl Iterator<Item = &'a Assumption>,
    source: &SourceText,
) -> Vec<Told> {
    let mut sentences: Vec<Told> = Vec::new();
    for it in assumptions {
        let sentence = fill(&it.reason.text(), it.span, source);
        if !sentences.iter().any(|it| it.sentence == sentence) {
            sentences.push(Told { code: it.reason.code.id(), sentence });
        }
    }
    sentences
}

/// The report as `--format json` prints it.
pub(crate) fn json(report: &CheckReport) -> String {
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

/// Why there was nothing to look at below the paths that were named.
pub(crate) fn nothing_read(paths: &[PathBuf], skipped: &[SkippedReport]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    let paths = if paths.is_empty() { ".".to_owned() } else { paths.join(", ") };
    if skipped.is_empty() {
        format!(
            "error: {paths}: no JavaScript or TypeScript files; name another folder, or use \
             --include-tests to look at tests\n"
        )
    } else {
        format!("error: {paths}: none of the files could be looked at\n")
    }
}

/// What was left out and what to know, for standard error.
pub(crate) fn notices(report: &CheckReport, style: Style) -> String {
    skipped_notices(&report.skipped, &report.warnings, style)
}

/// As [`notices`], for any report.
pub(crate) fn skipped_notices(
    skipped: &[SkippedReport],
    warnings: &[WarningReport],
    style: Style,
) -> String {
    let mut text = String::new();
    let (label, plain) = if style.color { ("\u{1b}[33m", "\u{1b}[0m") } else { ("", "") };
    for it in skipped.iter().take(MOST_NOTICES) {
        let place = match (it.line, it.column) {
            (Some(line), Some(column)) => format!(":{line}:{column}"),
            _ => String::new(),
        };
        let _ = writeln!(text, "{label}skipped{plain}: {}{place}: {}", it.file, it.reason);
    }
    count_rest(&mut text, skipped.len(), "files were skipped; --format json lists them");
    for alike in warnings.chunk_by(|a, b| a.kind == b.kind) {
        for it in alike.iter().take(MOST_ALIKE) {
            let _ = writeln!(text, "{label}warning{plain}: {}: {}", it.file, it.reason);
        }
        if alike.len() > MOST_ALIKE {
            let more = alike.len() - MOST_ALIKE;
            let _ = writeln!(text, "         … and {more} more like it; --format json lists them");
        }
    }
    text
}

fn count_rest(text: &mut String, count: usize, what: &str) {
    if count > MOST_NOTICES {
        let _ = writeln!(text, "… and {} more {what}", count - MOST_NOTICES);
    }
}
