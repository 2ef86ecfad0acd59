//! Traces in the formats of other tools: a slice for each continuation, an arrow from who registered it.

mod chrome;
mod perfetto;

use std::io::{self, BufWriter};
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::census::Census;
use crate::decode::{Definitions, decode};
use crate::event::{Init, Key, Parent, Sink, Time};
use crate::file::TraceFile;

/// A format to write a trace in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// JSON, which Chrome's and Perfetto's viewers open.
    Chrome,
    /// Perfetto's own, a tenth of the size.
    Perfetto,
}

/// What is written of a thread; times are in units of 100 ns.
trait Form {
    /// What comes before all threads.
    fn open(&mut self) -> io::Result<()>;
    fn thread(&mut self, thread: u32, name: &str) -> io::Result<()>;
    /// What runs registers something that runs later.
    fn register(&mut self, thread: u32, time: Time, flow: u64) -> io::Result<()>;
    fn begin(&mut self, thread: u32, time: Time, slice: &Slice<'_>) -> io::Result<()>;
    fn end(&mut self, thread: u32, time: Time) -> io::Result<()>;
    /// What comes after all threads.
    fn close(&mut self) -> io::Result<()>;
}

/// A run of a continuation.
struct Slice<'a> {
    name: &'a str,
    /// The file and the line that registered it, if that is known.
    place: Option<&'a str>,
    /// The arrow that leads to it.
    flow: Option<u64>,
}

/// Writes a trace to `path` in another format.
///
/// # Errors
///
/// If the trace cannot be read any more, or the file not be written.
pub fn export(trace: &TraceFile, format: ExportFormat, path: &Path) -> io::Result<()> {
    let file = BufWriter::with_capacity(1 << 20, std::fs::File::create(path)?);
    match format {
        ExportFormat::Chrome => write(trace, chrome::Chrome::new(file)),
        ExportFormat::Perfetto => write(trace, perfetto::Perfetto::new(file)),
    }
}

fn write(trace: &TraceFile, mut form: impl Form) -> io::Result<()> {
    form.open()?;
    let mut flows = 0;
    for thread in trace.threads() {
        let mut census = Census::default();
        let decoded = decode(trace, thread, &mut census)?;
        form.thread(thread, &decoded.dictionary.name)?;
        let mut writer = Writer {
            form: &mut form,
            definitions: Definitions::new(&decoded.dictionary),
            thread,
            census,
            arrows: FxHashMap::default(),
            flows,
            time: 0,
            running: 0,
            failed: Ok(()),
        };
        decode(trace, thread, &mut writer)?;
        flows = writer.flows;
        writer.failed?;
    }
    form.close()
}

/// Writes one thread.
struct Writer<'a, F> {
    form: &'a mut F,
    definitions: Definitions,
    thread: u32,
    census: Census,
    /// What will run: its type and site, its arrow, and how often it still runs.
    arrows: FxHashMap<Key, Arrow>,
    flows: u64,
    time: Time,
    running: u32,
    failed: io::Result<()>,
}

#[derive(Clone, Copy)]
struct Arrow {
    kind: u32,
    site: Option<u32>,
    flow: Option<u64>,
    left: u64,
}

impl<F: Form> Writer<'_, F> {
    fn keep(&mut self, result: io::Result<()>) {
        if self.failed.is_ok() {
            self.failed = result;
        }
    }

    fn arrow(&mut self, key: Key) -> Option<Arrow> {
        let arrow = self.arrows.get_mut(&key)?;
        arrow.left -= 1;
        let found = *arrow;
        // An arrow leads to one place only.
        arrow.flow = None;
        if found.left == 0 {
            self.arrows.remove(&key);
        }
        Some(found)
    }
}

impl<F: Form> Sink for Writer<'_, F> {
    fn init(&mut self, init: &Init) {
        let left = self.census.runs(init.key);
        if left == 0 || self.failed.is_err() {
            return;
        }
        let mut flow = None;
        if self.running > 0 && init.parent == Parent::Running {
            self.flows += 1;
            flow = Some(self.flows);
            let written = self.form.register(self.thread, self.time, self.flows);
            self.keep(written);
        }
        let site = init.site.map(|(site, _)| site);
        let kind = init.kind;
        self.arrows.insert(init.key, Arrow { kind, site, flow, left });
    }

    fn begin(&mut self, key: Key, time: Time) {
        self.time = time;
        self.running += 1;
        let arrow = self.arrow(key);
        if self.failed.is_err() {
            return;
        }
        let written = self.form.begin(
            self.thread,
            time,
            &Slice {
                name: arrow
                    .map_or("registered before the recording", |it| self.definitions.name(it.kind)),
                place: arrow.and_then(|it| self.definitions.place(it.site?)),
                flow: arrow.and_then(|it| it.flow),
            },
        );
        self.keep(written);
    }

    fn end(&mut self, time: Time) {
        self.time = time;
        if self.running == 0 || self.failed.is_err() {
            return;
        }
        self.running -= 1;
        let written = self.form.end(self.thread, time);
        self.keep(written);
    }

    fn lost(&mut self) {
        // What runs ends here as far as anybody knows.
        while self.running > 0 && self.failed.is_ok() {
            self.end(self.time);
        }
    }

    fn finish(&mut self) {
        self.lost();
    }
}
