//! Files that are cut off, damaged, or something else.

use std::fs;
use std::io::Write;

use tempfile::NamedTempFile;

use crate::tests::script::{Event, REACTION, TIMER, begin, end, init, written};
use crate::{OpenError, TraceFile, analyse};

/// Timers that each register the next, with a reaction after each.
fn events() -> Vec<Event> {
    let mut events = vec![init(TIMER)];
    for number in 1..40 {
        events.extend([
            begin(TIMER, number, 1000),
            init(TIMER),
            init(REACTION),
            end(10),
            begin(REACTION, number, 1),
            end(2),
        ]);
    }
    events
}

fn file(bytes: &[u8]) -> NamedTempFile {
    let mut file = NamedTempFile::new().unwrap_or_else(|it| unreachable!("{it}"));
    file.write_all(bytes).unwrap_or_else(|it| unreachable!("{it}"));
    file
}

fn bytes() -> Vec<u8> {
    let file = written(&events(), 12);
    fs::read(file.path()).unwrap_or_else(|it| unreachable!("{it}"))
}

#[test]
fn a_file_that_is_cut_off_reads_up_to_there() {
    let bytes = bytes();
    let mut most = 0;
    for length in 0..bytes.len() {
        let file = file(&bytes[..length]);
        let Ok(trace) = TraceFile::open(file.path()) else {
            assert!(length < 200, "cut off at {length}");
            continue;
        };
        let report = analyse(&[trace]).unwrap_or_else(|it| unreachable!("{it}"));
        assert!(report.extent.events >= most, "cut off at {length}");
        most = report.extent.events;
    }
    assert!(most > 200);
}

#[test]
fn a_byte_that_is_wrong_costs_no_more_than_its_chunk() {
    let bytes = bytes();
    for place in 64..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x55;
        let file = file(&damaged);
        let trace = TraceFile::open(file.path()).unwrap_or_else(|it| unreachable!("{it}"));
        let report = analyse(&[trace]).unwrap_or_else(|it| unreachable!("{it}"));
        assert!(report.extent.events <= 235, "byte {place}");
        let whole = report.extent.lost_chunks == 0 && report.extent.unread_bytes == 0;
        assert!(report.extent.events >= 200 || !whole || place < 200, "byte {place}");
    }
}

#[test]
fn something_else_is_said_to_be_no_trace() {
    for text in
        ["", "HSTRACE", "PK\u{3}\u{4}", "{\"traceEvents\":[]}", "HSTRACE1\u{ff}\u{ff}\u{ff}\u{ff}"]
    {
        let opened = TraceFile::open(file(text.as_bytes()).path());
        assert!(matches!(opened, Err(OpenError::NotATrace)), "{text}");
    }
    let later = TraceFile::open(file(b"HSTRACE2\0\0\0\0").path());
    assert!(matches!(later, Err(OpenError::Version(b'2'))));
}

#[test]
fn random_records_do_no_harm() {
    let mut random = fastrand::Rng::with_seed(1);
    let head = bytes();
    for _ in 0..2000 {
        let mut bytes = head[..head.len().min(400)].to_vec();
        let start = bytes.len();
        bytes.extend(b"HSTC");
        let records: Vec<u8> = (0..random.usize(0..300)).map(|_| random.u8(..)).collect();
        for number in [records.len() as u32, 7, random.u32(0..40), 1] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&records).to_le_bytes());
        bytes.extend([0; 24]);
        bytes.extend(records);
        assert!(bytes.len() > start);
        let file = file(&bytes);
        if let Ok(trace) = TraceFile::open(file.path()) {
            analyse(&[trace]).unwrap_or_else(|it| unreachable!("{it}"));
        }
    }
}
