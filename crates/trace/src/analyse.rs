//! From a file to what is said of it.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::census::Census;
use crate::decode::{Decoded, decode};
use crate::file::TraceFile;
use crate::follow::Follow;
use crate::macrotasks::Macrotasks;
use crate::measures::Measures;
use crate::report::{Extent, Report, ThreadReport, ViewReport};
use crate::units::milliseconds;
use crate::{place_table, tree_table};

/// One thread of a trace, measured in both views.
pub(crate) struct Thread {
    pub(crate) decoded: Decoded,
    pub(crate) microtasks: Measures,
    pub(crate) macrotasks: Measures,
}

/// Measures a trace.
///
/// # Errors
///
/// If the file cannot be read any more.
pub fn analyse(trace: &TraceFile) -> io::Result<Report> {
    let numbers = trace.threads();
    // Both views of a thread take about as long, and most traces have one thread that matters.
    let jobs: Vec<Job> = numbers
        .iter()
        .flat_map(|thread| [Job::Microtasks(*thread), Job::Macrotasks(*thread)])
        .collect();
    let mut done = in_parallel(&jobs, |job| job.run(trace))?.into_iter();
    let mut threads = Vec::new();
    while let (Some((decoded, microtasks)), Some((_, macrotasks))) = (done.next(), done.next()) {
        threads.push(Thread { decoded, microtasks, macrotasks });
    }
    Ok(report(trace, &threads))
}

/// One view of the thread of a number.
#[derive(Clone, Copy)]
enum Job {
    Microtasks(u32),
    Macrotasks(u32),
}

impl Job {
    fn run(self, trace: &TraceFile) -> io::Result<(Decoded, Measures)> {
        match self {
            Self::Microtasks(thread) => {
                let mut census = Census::default();
                decode(trace, thread, &mut census)?;
                let mut follow = Follow::new(census);
                let decoded = decode(trace, thread, &mut follow)?;
                Ok((decoded, follow.measures))
            }
            Self::Macrotasks(thread) => {
                let mut census = Macrotasks::new(Census::default());
                decode(trace, thread, &mut census)?;
                let mut follow = Macrotasks::new(Follow::new(census.inner));
                let decoded = decode(trace, thread, &mut follow)?;
                Ok((decoded, follow.inner.measures))
            }
        }
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

fn report(trace: &TraceFile, threads: &[Thread]) -> Report {
    let mut microtasks = Measures::default();
    let mut macrotasks = Measures::default();
    for thread in threads {
        microtasks.merge(&thread.microtasks);
        macrotasks.merge(&thread.macrotasks);
    }
    let ends = threads.iter().map(|it| it.decoded.end);
    let begins = trace.chunks.iter().map(|it| it.base);
    let duration = ends.max().unwrap_or(0).saturating_sub(begins.min().unwrap_or(0));
    Report {
        version: 1,
        metadata: trace.metadata.clone(),
        extent: Extent {
            bytes: trace.size,
            events: threads.iter().map(|it| it.decoded.events).sum(),
            duration: milliseconds(duration.into()),
            closed: trace.closed,
            unread_bytes: trace.unread,
            lost_chunks: threads.iter().map(|it| it.decoded.lost).sum(),
        },
        threads: threads.iter().map(thread_report).collect(),
        macrotasks: view(&macrotasks),
        microtasks: view(&microtasks),
        batches: microtasks.batches.report(),
        places: place_table::places(threads, trace.metadata.folder.as_deref()),
        tree: tree_table::tree(threads),
        notes: notes(trace, threads),
    }
}

fn thread_report(thread: &Thread) -> ThreadReport {
    ThreadReport {
        name: thread.decoded.dictionary.name.clone(),
        events: thread.decoded.events,
        continuations: thread.microtasks.continuations,
    }
}

fn view(measures: &Measures) -> ViewReport {
    ViewReport {
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
fn notes(trace: &TraceFile, threads: &[Thread]) -> Vec<String> {
    let mut notes = Vec::new();
    if !trace.closed {
        notes.push("The recorder did not close this trace: what it had not written when it ended is missing.".to_owned());
    }
    let lost: u64 = threads.iter().map(|it| it.decoded.lost).sum();
    if lost > 0 || trace.unread > 0 {
        notes.push(format!(
            "{lost} chunks are missing or damaged, and {} bytes belong to none: what runs across such a place is not measured.",
            trace.unread
        ));
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
