//! What is said of a trace, as it is printed. Times are in milliseconds.

use serde::Serialize;

use crate::file::Metadata;
use crate::measures::{
    BatchReport, BranchingReport, ChainReport, ConcurrencyReport, DurationReport, GapReport, Shapes,
};

/// All that is said of a trace.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The version of this form.
    pub version: u32,
    /// What the file says of itself.
    pub metadata: Metadata,
    /// What was read.
    pub extent: Extent,
    /// One entry for each thread, in the order in which they begin.
    pub threads: Vec<ThreadReport>,
    /// A continuation is an entry from the host, with the microtasks that follow it.
    pub macrotasks: ViewReport,
    /// A continuation is an entry from the host, or a microtask.
    pub microtasks: ViewReport,
    /// Microtasks that run with nothing of the host in between.
    pub batches: BatchReport,
    /// What is waited for at each place in the source, the longest first.
    pub places: Vec<PlaceReport>,
    /// The trees, with all that is alike made one. Parents come before their children.
    pub tree: Vec<TreeNode>,
    /// Sentences for the reader: what is missing, what is an estimate.
    pub notes: Vec<String>,
}

/// What was read of a file.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extent {
    /// Bytes of the file.
    pub bytes: u64,
    /// Events in it.
    pub events: u64,
    /// From the first event to the last, in milliseconds; of a page, in the run whose times hold.
    pub duration: f64,
    /// Whether the recorder closed the file.
    pub closed: bool,
    /// Bytes that belong to no chunk: a chunk that was being written when the recorder was killed.
    pub unread_bytes: u64,
    /// Places where chunks are missing or damaged.
    pub lost_chunks: u64,
}

/// A thread of the program.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ThreadReport {
    /// What it is.
    pub name: String,
    /// Events of it.
    pub events: u64,
    /// Continuations, microtasks included.
    pub continuations: u64,
}

/// All measures of one view.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewReport {
    /// Whether times hold; if not, curves and subtrees are empty.
    pub timed: bool,
    /// Runs of continuations in all.
    pub continuations: u64,
    /// Continuations that nothing has registered.
    pub roots: u64,
    /// Continuations that another thread has registered.
    pub remote: u64,
    /// How long they run.
    pub durations: DurationReport,
    /// How many others they register.
    pub branching: BranchingReport,
    /// How long it takes from the end of the parent to the begin.
    pub gaps: GapReport,
    /// How long chains take.
    pub chains: Vec<ChainReport>,
    /// How much else is registered.
    pub concurrency: ConcurrencyReport,
    /// Potentially atomic subtrees: each limit in milliseconds, with how many there are of each shape.
    pub subtrees: Vec<(f64, Shapes)>,
}

/// A place in the source.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlaceReport {
    /// The file, as an absolute path or an address.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// The function that it stands in, empty if that has no name.
    pub function: String,
    /// Whether it is the program's own: in the folder that was recorded, and not in a package.
    pub own: bool,
    /// What is registered there, such as `Timeout`.
    pub kind: String,
    /// Runs that were looked at.
    pub samples: u64,
    /// Runs in all, as far as the samples tell.
    pub runs: u64,
    /// Time between the end of the parent and the begin, over all runs but those of what recurs.
    pub waited: f64,
    /// Half of the gaps are at most this long.
    pub median_gap: f64,
    /// Half of the pairs of a continuation and its parent take at most this, from begin to end.
    pub median_pair: f64,
    /// Time that the runs took.
    pub ran: f64,
    /// Runs with a gap before them.
    pub gaps: u64,
    /// Those with something else in the gap, and with something of another tree.
    pub interrupted: u64,
    /// See `interrupted`.
    pub interrupted_by_other_tree: u64,
}

/// A node of the tree in which all that is alike is one.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TreeNode {
    /// The place of its parent in the list; the first is its own.
    pub parent: u32,
    /// What it is, such as `Timeout`.
    pub kind: String,
    /// Where it is registered, as `function file:line:column`, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// Continuations that it stands for.
    pub runs: u64,
    /// Time that they took.
    pub ran: f64,
    /// Time between the ends of their parents and their begins.
    pub waited: f64,
    /// How many of them had something else in that gap.
    pub interrupted: u64,
}
