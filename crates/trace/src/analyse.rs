//! From a file to what is said of it.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::census::Census;
use crate::decode::{Decoded, decode};
use crate::file::{Metadata, TraceFile};
use crate::follow::Follow;
use crate::macrotasks::Macrotasks;
use crate::measures::Measures;
use crate::report::{Extent, Report, ThreadReport, ViewReport};
use crate::units::milliseconds;
use crate::{place_table, tree_table};

/// A page is recorded in two runs; what a thread is called begins with which one it is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Durations hold, and microtasks are not told apart.
    Timing,
    /// Who registered each microtask is known, at a cost that no duration survives.
    Topology,
    /// Both hold, as in Node.
    Both,
}

/// One thread of a trace, measured in both views.
pub(crate) struct Thread {
    /// Which of the traces it is of.
    trace: usize,
    /// The folder of the program.
    pub(crate) folder: Option<String>,
    pub(crate) decoded: Decoded,
    pub(crate) microtasks: Measures,
    pub(crate) macrotasks: Measures,
}

impl Thread {
    pub(crate) fn pass(&self) -> Pass {
        match self.decoded.dictionary.name.split_once(": ") {
            Some(("timing", _)) => Pass::Timing,
            Some(("topology", _)) => Pass::Topology,
            _ => Pass::Both,
        }
    }
}

/// Measures traces, all together.
///
/// # Errors
///
/// If a file cannot be read any more.
pub fn analyse(traces: &[TraceFile]) -> io::Result<Report> {
    // Both views of a thread take about as long, and most traces have one thread that matters.
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for (number, trace) in traces.iter().enumerate() {
        for thread in trace.threads() {
            jobs.extend([false, true].map(|coarse| Job { number, trace, thread, coarse }));
        }
    }
    let mut done = in_parallel(&jobs, Job::run)?.into_iter();
    let mut threads = Vec::new();
    for job in jobs.iter().step_by(2) {
        let (Some((decoded, microtasks)), Some((_, macrotasks))) = (done.next(), done.next())
        else {
            break;
        };
        let folder = job.trace.metadata.folder.clone();
        threads.push(Thread { trace: job.number, folder, decoded, microtasks, macrotasks });
    }
    Ok(report(traces, &threads))
}

/// One view of a thread.
struct Job<'a> {
    /// Of the trace.
    number: usize,
    trace: &'a TraceFile,
    thread: u32,
    /// Without microtasks.
    coarse: bool,
}

impl Job<'_> {
    fn run(&self) -> io::Result<(Decoded, Measures)> {
        if self.coarse {
            let mut census = Macrotasks::new(Census::default());
            decode(self.trace, self.thread, &mut census)?;
            let mut follow = Macrotasks::new(Follow::new(census.inner));
            let decoded = decode(self.trace, self.thread, &mut follow)?;
            return Ok((decoded, follow.inner.measures));
        }
        let mut census = Census::default();
        decode(self.trace, self.thread, &mut census)?;
        let mut follow = Follow::new(census);
        let decoded = decode(self.trace, self.thread, &mut follow)?;
        Ok((decoded, follow.measures))
    }
}

/// The results of all jobs in their order, worked out on all processors.
fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    run: impl Fn(&J) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(place) else {
                return;
            };
            let result = run(job);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((place, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.min(jobs.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

fn report(traces: &[TraceFile], threads: &[Thread]) -> Report {
    let mut microtasks = Measures::default();
    let mut macrotasks = Measures::default();
    for thread in threads {
        match thread.pass() {
            Pass::Both => {
                microtasks.merge(&thread.microtasks);
                macrotasks.merge(&thread.macrotasks);
            }
            Pass::Timing => {
                macrotasks.merge(&thread.macrotasks);
                microtasks.batches.merge_times(&thread.microtasks.batches);
            }
            Pass::Topology => microtasks.merge_untimed(&thread.microtasks),
        }
    }
    let timed = threads.iter().all(|it| it.pass() != Pass::Topology);
    Report {
        version: 1,
        metadata: together(traces),
        extent: extent(traces, threads),
        threads: threads.iter().map(thread_report).collect(),
        macrotasks: view(&macrotasks, true),
        microtasks: view(&microtasks, timed),
        batches: microtasks.batches.report(),
        places: place_table::places(threads),
        tree: tree_table::tree(threads),
        notes: notes(traces, threads),
    }
}

fn extent(traces: &[TraceFile], threads: &[Thread]) -> Extent {
    let recorded = traces.iter().enumerate().map(|(number, trace)| {
        let begins = trace.chunks.iter().map(|it| it.base);
        let own = threads.iter().filter(|it| it.trace == number);
        // The second run of a page comes after the first, and shows no times.
        let (later, first): (Vec<_>, Vec<_>) = own.partition(|it| it.pass() == Pass::Topology);
        let shown = if first.is_empty() { later } else { first };
        let ends = shown.iter().map(|it| it.decoded.end);
        ends.max().unwrap_or(0).saturating_sub(begins.min().unwrap_or(0))
    });
    Extent {
        bytes: traces.iter().map(|it| it.size).sum(),
        events: threads.iter().map(|it| it.decoded.events).sum(),
        duration: milliseconds(recorded.map(u128::from).sum()),
        closed: traces.iter().all(|it| it.closed),
        unread_bytes: traces.iter().map(|it| it.unread).sum(),
        lost_chunks: threads.iter().map(|it| it.decoded.lost).sum(),
    }
}

/// What several traces say of themselves.
fn together(traces: &[TraceFile]) -> Metadata {
    let [first, others @ ..] = traces else {
        return Metadata::default();
    };
    let mut metadata = first.metadata.clone();
    if !others.is_empty() {
        metadata.subject = format!("{} traces", traces.len());
    }
    for Metadata { recorder, folder, started, .. } in others.iter().map(|it| &it.metadata) {
        if !metadata.recorder.split(", ").any(|it| it == recorder) {
            metadata.recorder = format!("{}, {recorder}", metadata.recorder);
        }
        metadata.folder = metadata.folder.filter(|it| Some(it) == folder.as_ref());
        metadata.started = metadata.started.min(*started);
    }
    metadata
}

fn thread_report(thread: &Thread) -> ThreadReport {
    ThreadReport {
        name: thread.decoded.dictionary.name.clone(),
        events: thread.decoded.events,
        continuations: thread.microtasks.continuations,
    }
}

fn view(measures: &Measures, timed: bool) -> ViewReport {
    ViewReport {
        timed,
        continuations: measures.continuations,
        roots: measures.roots,
        remote: measures.remote,
        durations: measures.durations.report(),
        branching: measures.branching.report(),
        gaps: measures.gaps.report(),
        chains: measures.chains.report(),
        concurrency: measures.concurrency.report(),
        subtrees: measures.subtrees.report(),
    }
}

/// What a reader has to know of the numbers.
fn notes(traces: &[TraceFile], threads: &[Thread]) -> Vec<String> {
    let mut notes = Vec::new();
    if traces.iter().any(|it| !it.closed) {
        notes.push("The recorder did not close this trace: what it had not written when it ended is missing.".to_owned());
    }
    let lost: u64 = threads.iter().map(|it| it.decoded.lost).sum();
    let unread: u64 = traces.iter().map(|it| it.unread).sum();
    if lost > 0 || unread > 0 {
        notes.push(format!(
            "Chunks that are missing or damaged: {lost}; bytes that belong to none: {unread}. What runs across such a place is not measured."
        ));
    }
    if threads.iter().any(|it| it.pass() == Pass::Topology) {
        notes.push("Pages are recorded in two runs: times are those of a run without microtasks, and what is said of microtasks is from a run whose times say nothing.".to_owned());
    }
    let forced: u64 = threads.iter().map(|it| it.microtasks.subtrees.forced).sum();
    if forced > 0 {
        notes.push(format!(
            "{forced} continuations stood too close together in time to see all that they lead to: the table of subtrees is an estimate."
        ));
    }
    for thread in threads {
        notes.extend(thread.decoded.dictionary.notes.iter().cloned());
    }
    notes
}
