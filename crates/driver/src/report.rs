//! The reports as data: what `--format json` prints and the API returns.

use headstart_edit::{Position, SourceText};
use headstart_frontend::WarningKind;
use headstart_ir::Span;
use serde::Serialize;

/// The version of the format of [`CheckReport`] and [`FixReport`].
pub(crate) const VERSION: u32 = 1;

#[derive(Debug, Serialize)]
pub(crate) struct CheckReport {
    pub(crate) version: u32,
    pub(crate) findings: Vec<FindingReport>,
    pub(crate) skipped: Vec<SkippedReport>,
    pub(crate) warnings: Vec<WarningReport>,
    pub(crate) stats: Stats,
}

#[derive(Debug, Serialize)]
pub(crate) struct FixReport {
    pub(crate) version: u32,
    pub(crate) fixed: Vec<FixedReport>,
    pub(crate) failed: Vec<WarningReport>,
    /// Whether the run was stopped before all files were written.
    pub(crate) interrupted: bool,
    pub(crate) diff: Option<String>,
    pub(crate) skipped: Vec<SkippedReport>,
    pub(crate) warnings: Vec<WarningReport>,
    pub(crate) stats: Stats,
}

#[derive(Debug, Serialize)]
pub(crate) struct FindingReport {
    pub(crate) id: String,
    pub(crate) rule: &'static str,
    pub(crate) level: &'static str,
    pub(crate) file: String,
    pub(crate) range: Range,
    pub(crate) message: String,
    pub(crate) overlaps: Vec<Range>,
    pub(crate) crosses: Vec<Range>,
    pub(crate) assumptions: Vec<String>,
    pub(crate) blockers: Vec<BlockerReport>,
    pub(crate) replacement: Option<Vec<Replacement>>,
    /// What the rewrite saves each time, by typical costs: an estimate, to order findings by.
    #[serde(rename = "estimatedGainMs")]
    pub(crate) estimated_gain_ms: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rendered: Option<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct BlockerReport {
    pub(crate) reason: String,
    pub(crate) range: Range,
}

#[derive(Debug, Serialize)]
pub(crate) struct Replacement {
    pub(crate) range: Range,
    pub(crate) text: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct FixedReport {
    pub(crate) file: String,
    pub(crate) findings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct SkippedReport {
    pub(crate) file: String,
    pub(crate) reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) column: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct WarningReport {
    pub(crate) file: String,
    pub(crate) reason: String,
    /// For printing alike ones together.
    #[serde(skip)]
    pub(crate) kind: Option<WarningKind>,
}

#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Stats {
    pub(crate) files: usize,
    pub(crate) lines: u64,
    pub(crate) functions: usize,
    pub(crate) awaits: usize,
    pub(crate) io_awaits: usize,
    pub(crate) elapsed_ms: u64,
}

impl Stats {
    /// Adds the size of another program; the time is the caller's.
    pub(crate) fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.lines += other.lines;
        self.functions += other.functions;
        self.awaits += other.awaits;
        self.io_awaits += other.io_awaits;
    }
}

/// Lines and columns are 1-based; columns count UTF-16 units, as editors do.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Range {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl From<Position> for Place {
    fn from(position: Position) -> Self {
        Self { line: position.line, column: position.column }
    }
}

impl Range {
    pub(crate) fn of(span: Span, source: &SourceText) -> Self {
        Self { start: source.position(span.start).into(), end: source.position(span.end).into() }
    }
}
