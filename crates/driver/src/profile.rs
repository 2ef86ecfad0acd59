//! What a trace of the running program says of findings: how long is really waited there (docs/trace.md).

use std::path::PathBuf;

use headstart_edit::SourceText;
use headstart_ir::Span;
use headstart_overlap::{ATOMICITY, Finding};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::analyse::Analysis;
use crate::paths::real;
use crate::render::pretty::duration;
use crate::report::Range;

/// What a trace says of one place; times in milliseconds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProfiledPlace {
    /// Absolute.
    pub(crate) file: PathBuf,
    /// Counted from one, as is the column, which counts UTF-16 units.
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) runs: f64,
    pub(crate) waited: f64,
    pub(crate) gaps: f64,
    pub(crate) interrupted: f64,
    pub(crate) interrupted_by_other_tree: f64,
    pub(crate) median_pair: f64,
}

/// How long is waited at a finding, as a trace of the running program says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Observed {
    /// How often what the statement registers has run.
    pub(crate) runs: f64,
    /// Milliseconds between the end of what registered it and its begin, over all runs.
    pub(crate) waited_ms: f64,
    /// The runs before which something was waited for.
    pub(crate) gaps: f64,
    /// Those of them that something else came in between.
    pub(crate) interrupted: f64,
    /// Those where it was something that has nothing to do with what waits.
    pub(crate) interrupted_by_other_tree: f64,
    /// Milliseconds from the begin of what registers to the end of what runs, half of the time at most; of several
    /// waits the longest.
    pub(crate) median_ms: f64,
}

impl Observed {
    /// It as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let share = if self.gaps > 0.0 { 100.0 * self.interrupted / self.gaps } else { 0.0 };
        let waited = duration(self.waited_ms);
        format!(
            "the trace has {} runs that waited {waited} in all; something else came in between in {share:.0}% of them",
            self.runs.round()
        )
    }
}

/// Places by their files, with links resolved, each once.
pub(crate) fn by_file<T>(
    places: impl Iterator<Item = T>,
    file: impl Fn(&T) -> &PathBuf,
) -> FxHashMap<PathBuf, Vec<T>> {
    let mut given: FxHashMap<PathBuf, Vec<T>> = FxHashMap::default();
    for place in places {
        given.entry(file(&place).clone()).or_default().push(place);
    }
    let mut files: FxHashMap<PathBuf, Vec<T>> = FxHashMap::default();
    for (path, places) in given {
        files.entry(real(&path)).or_default().extend(places);
    }
    files
}

/// Notes at each finding what the trace says of its statements.
pub(crate) fn observe(analysis: &mut Analysis, places: &[ProfiledPlace]) {
    let files = by_file(places.iter(), |it| &it.file);
    for file in &mut analysis.found {
        let Some(places) = files.get(&real(&file.path)) else {
            continue;
        };
        for located in &mut file.findings {
            located.observed = observed(&located.finding, &file.source, places);
        }
    }
}

/// What is known of the places inside a finding's statements; of a race, of those between the look and the write.
fn observed(finding: &Finding, source: &SourceText, places: &[&ProfiledPlace]) -> Option<Observed> {
    let spans = match finding.overlaps.iter().map(|it| it.start).min() {
        Some(look) if finding.rule == ATOMICITY => {
            vec![Span::new(look.min(finding.range.start), finding.range.start)]
        }
        _ => std::iter::once(finding.range).chain(finding.overlaps.iter().copied()).collect(),
    };
    let ranges: Vec<Range> = spans.iter().map(|it| Range::of(*it, source)).collect();
    let inside =
        places.iter().filter(|it| ranges.iter().any(|range| range.holds(it.line, it.column)));
    let mut sum: Option<Observed> = None;
    for place in inside {
        let sum = sum.get_or_insert_default();
        // Each of them runs once a turn.
        sum.runs = sum.runs.max(place.runs);
        sum.waited_ms += place.waited;
        sum.gaps = sum.gaps.max(place.gaps);
        sum.interrupted = sum.interrupted.max(place.interrupted);
        sum.interrupted_by_other_tree =
            sum.interrupted_by_other_tree.max(place.interrupted_by_other_tree);
        sum.median_ms = sum.median_ms.max(place.median_pair);
    }
    sum
}
