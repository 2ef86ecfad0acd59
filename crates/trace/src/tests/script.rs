//! Writes traces: what a recorder would, from a list of events.

use std::io::Write;

use tempfile::NamedTempFile;

use crate::layout::{CHUNK_MAGIC, FILE_MAGIC};
use crate::report::Report;
use crate::{TraceFile, analyse};

/// The types that tests use, with their numbers, names and flags.
pub(crate) const TIMER: u32 = 0;
pub(crate) const TICK: u32 = 1;
pub(crate) const REACTION: u32 = 2;
const TYPES: [(&str, u8); 3] = [("timer", 0), ("tick", 2), ("reaction", 3)];

/// One event; ids are those of the space of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// The next id of the type's space is registered.
    Init {
        kind: u32,
        recurring: bool,
        root: bool,
        /// The line that it stands in, if that is known.
        line: Option<u32>,
    },
    /// It begins, so many units after the event before.
    Begin { kind: u32, id: u64, after: u64 },
    /// The innermost ends.
    End { after: u64 },
    /// A checkpoint begins that belongs to nothing.
    Drain,
}

/// A registration with nothing special.
pub(crate) fn init(kind: u32) -> Event {
    Event::Init { kind, recurring: false, root: false, line: None }
}

pub(crate) fn begin(kind: u32, id: u64, after: u64) -> Event {
    Event::Begin { kind, id, after }
}

pub(crate) fn end(after: u64) -> Event {
    Event::End { after }
}

/// The space of a type.
pub(crate) fn space(kind: u32) -> usize {
    usize::from(kind == REACTION)
}

/// What a trace of one thread with these events is measured as, with a new chunk after each number of events.
pub(crate) fn measured(events: &[Event], chunk: usize) -> Report {
    let file = written(events, chunk);
    let trace = TraceFile::open(file.path()).unwrap_or_else(|it| unreachable!("{it}"));
    analyse(&[trace]).unwrap_or_else(|it| unreachable!("{it}"))
}

/// A file with these events.
pub(crate) fn written(events: &[Event], chunk: usize) -> NamedTempFile {
    let mut writer = Writer::default();
    let mut bytes = FILE_MAGIC.to_vec();
    let metadata = br#"{"recorder":"test","subject":"test","started":0}"#;
    bytes.extend((metadata.len() as u32).to_le_bytes());
    bytes.extend(metadata);
    for (number, part) in events.chunks(chunk.max(1)).enumerate() {
        bytes.extend(writer.chunk(number as u32, part));
    }
    let mut file = NamedTempFile::new().unwrap_or_else(|it| unreachable!("{it}"));
    file.write_all(&bytes).unwrap_or_else(|it| unreachable!("{it}"));
    file
}

#[derive(Default)]
struct Writer {
    last: [u64; 2],
    time: u64,
    sites: u32,
}

impl Writer {
    fn chunk(&mut self, sequence: u32, events: &[Event]) -> Vec<u8> {
        let (base, last) = (self.time, self.last);
        let mut records = Vec::new();
        if sequence == 0 {
            for (number, (name, flags)) in TYPES.iter().enumerate() {
                records.extend([0, number as u8, *flags, name.len() as u8]);
                records.extend(name.as_bytes());
            }
        }
        for event in events {
            self.record(event, &mut records);
        }
        let mut bytes = CHUNK_MAGIC.to_vec();
        for number in [records.len() as u32, 7, sequence, events.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&records).to_le_bytes());
        for number in [base, last[0], last[1]] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(records);
        bytes
    }

    fn record(&mut self, event: &Event, to: &mut Vec<u8>) {
        match *event {
            Event::Init { kind, recurring, root, line } => {
                if let Some(line) = line {
                    let site = self.site(line, to);
                    to.push(7);
                    varint(site.into(), to);
                    varint(1, to);
                }
                to.extend(recurring.then_some(7 | 1 << 3));
                to.extend(root.then_some(7 | 4 << 3));
                self.last[space(kind)] += 1;
                small(1, kind.into(), to);
            }
            Event::Begin { kind, id, after } => {
                self.time += after;
                let space = space(kind);
                small(if space == 0 { 3 } else { 5 }, self.last[space] - id, to);
                varint(after, to);
            }
            Event::End { after } => {
                self.time += after;
                small(4, after, to);
            }
            Event::Drain => to.extend([4 << 3, 0]),
        }
    }

    fn site(&mut self, line: u32, to: &mut Vec<u8>) -> u32 {
        let text = format!("f\0file.js\0{line}\x001");
        to.push(1 << 3);
        varint(self.sites.into(), to);
        varint(text.len() as u64, to);
        to.extend(text.as_bytes());
        self.sites += 1;
        self.sites - 1
    }
}

fn small(kind: u8, number: u64, to: &mut Vec<u8>) {
    if number < 31 {
        to.push(kind | (number as u8) << 3);
    } else {
        to.push(kind | 31 << 3);
        varint(number - 31, to);
    }
}

fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number > 127 {
        to.push(number as u8 | 128);
        number >>= 7;
    }
    to.push(number as u8);
}
