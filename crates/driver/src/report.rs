//! The reports as data: what `--format json` prints and the API returns.

use headstart_edit::{Position, SourceText};
use headstart_frontend::WarningKind;
use headstart_ir::Span;
use serde::Serialize;

use crate::evidence::Seen;
use crate::profile::Observed;

/// The version of the format of all reports; a form that could break a reader gets a new number.
pub(crate) const VERSION: u32 = 1;

/// The result of `check`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CheckReport {
    /// Of this form; a form that could break a reader gets a new number.
    #[cfg_attr(test, ts(type = "1"))]
    pub(crate) version: u32,
    pub(crate) findings: Vec<FindingReport>,
    pub(crate) skipped: Vec<SkippedReport>,
    pub(crate) warnings: Vec<WarningReport>,
    pub(crate) stats: Stats,
}

/// The result of `fix`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FixReport {
    /// Of this form; a form that could break a reader gets a new number.
    #[cfg_attr(test, ts(type = "1"))]
    pub(crate) version: u32,
    pub(crate) fixed: Vec<FixedReport>,
    pub(crate) failed: Vec<FailedReport>,
    /// Whether the run was stopped before all files were written.
    pub(crate) interrupted: bool,
    /// The changes as a patch where the options asked for it, else `null`.
    pub(crate) diff: Option<String>,
    pub(crate) skipped: Vec<SkippedReport>,
    pub(crate) warnings: Vec<WarningReport>,
    pub(crate) stats: Stats,
}

/// An await that waits needlessly.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Finding"))]
pub(crate) struct FindingReport {
    /// Names the finding for `only` of `fix`, as long as the file does not change.
    pub(crate) id: String,
    /// The rule that found it.
    pub(crate) rule: &'static str,
    #[cfg_attr(test, ts(type = "Level"))]
    pub(crate) level: &'static str,
    /// Relative to `cwd`; absolute where it lies outside of it.
    pub(crate) file: String,
    /// The statement that waits needlessly.
    pub(crate) range: Range,
    /// One sentence.
    pub(crate) message: String,
    /// The statements whose operations would run at the same time as this one.
    pub(crate) overlaps: Vec<Range>,
    /// The awaits this one would no longer wait for.
    pub(crate) crosses: Vec<Range>,
    /// What has to hold for the rewrite to keep the behaviour.
    pub(crate) assumptions: Vec<String>,
    /// The code of each of `assumptions`, in their order: `docs/reasons.md` lists all of them.
    pub(crate) assumption_codes: Vec<&'static str>,
    /// What stands in the way of a rewrite.
    pub(crate) blockers: Vec<BlockerReport>,
    /// The edits of the rewrite, or `null` when there is none to offer. What several findings insert at one
    /// place with the same text, as a function at the end of the file, is to be put there once.
    pub(crate) replacement: Option<Vec<Replacement>>,
    /// Whether `fix` applies it, at the level that `applied` of the options names; findings may
    /// contradict one another. Only with that option.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) applied: Option<bool>,
    /// What the trace of `profile` of the options says of the statements; only where it says anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) observed: Option<Observed>,
    /// How long its waits were in what `headstart observe` has recorded; only where it has seen them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) seen: Option<Seen>,
    /// Milliseconds that the rewrite saves each time, by typical costs: an estimate, to order by.
    pub(crate) estimated_gain_ms: f64,
    /// The finding as the command prints it; only with `rendered` of the options.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) rendered: Option<String>,
}

/// A reason why an await cannot be moved.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Blocker"))]
pub(crate) struct BlockerReport {
    /// What `reason` says, by a name that stays the same: `docs/reasons.md` lists all of them.
    pub(crate) code: &'static str,
    /// One sentence.
    pub(crate) reason: String,
    /// Where in the file of the finding the reason lies.
    pub(crate) range: Range,
}

/// One edit of a rewrite.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Replacement {
    /// What is replaced.
    pub(crate) range: Range,
    /// What takes its place.
    pub(crate) text: String,
}

/// A file that was rewritten.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FixedFile"))]
pub(crate) struct FixedReport {
    pub(crate) file: String,
    /// The ids of the findings that were applied.
    pub(crate) findings: Vec<String>,
}

/// A file that could not be rewritten, and was left as it was.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "FailedFile"))]
pub(crate) struct FailedReport {
    pub(crate) file: String,
    pub(crate) reason: String,
}

/// A part of a file, or a file, that was not looked at.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Skipped"))]
pub(crate) struct SkippedReport {
    pub(crate) file: String,
    pub(crate) reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub(crate) column: Option<u32>,
}

/// A file that was looked at with less knowledge than usual.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Warning"))]
pub(crate) struct WarningReport {
    pub(crate) file: String,
    pub(crate) reason: String,
    /// For printing alike ones together.
    #[serde(skip)]
    pub(crate) kind: Option<WarningKind>,
}

/// What a run looked at.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Stats {
    pub(crate) files: usize,
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) lines: u64,
    pub(crate) functions: usize,
    pub(crate) awaits: usize,
    /// Awaits that wait for input or output.
    pub(crate) io_awaits: usize,
    #[cfg_attr(test, ts(type = "number"))]
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

/// A stretch of a file; `end` is the first place after it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Range {
    pub(crate) start: Place,
    pub(crate) end: Place,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Position"))]
pub(crate) struct Place {
    /// Counted from one.
    pub(crate) line: u32,
    /// Counted from one, in UTF-16 units as in editors.
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

    /// Whether a place is in it; both numbers count from one, columns in UTF-16 units.
    pub(crate) fn holds(&self, line: u32, column: u32) -> bool {
        let at = (line, column);
        (self.start.line, self.start.column) <= at && at < (self.end.line, self.end.column)
    }
}
