//! Chrome's trace event format: JSON, with times in microseconds.

use std::io::{self, Write};

use serde_json::json;

use super::{Form, Slice};
use crate::event::Time;

/// Writes JSON.
pub(super) struct Chrome<W> {
    to: W,
    first: bool,
}

impl<W: Write> Chrome<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, first: true }
    }

    fn event(&mut self, event: &serde_json::Value) -> io::Result<()> {
        let separator: &[u8] = if self.first { b"\n" } else { b",\n" };
        self.first = false;
        self.to.write_all(separator)?;
        serde_json::to_writer(&mut self.to, event)?;
        Ok(())
    }
}

/// All threads stand in one process: numbers of threads differ between processes, too.
const PROCESS: u32 = 1;

fn microseconds(time: Time) -> f64 {
    time as f64 / 10.0
}

impl<W: Write> Form for Chrome<W> {
    fn open(&mut self) -> io::Result<()> {
        self.to.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")
    }

    fn thread(&mut self, thread: u32, name: &str) -> io::Result<()> {
        self.event(&json!({
            "ph": "M", "name": "thread_name", "pid": PROCESS, "tid": thread, "args": { "name": name },
        }))
    }

    fn register(&mut self, thread: u32, time: Time, flow: u64) -> io::Result<()> {
        self.event(&json!({
            "ph": "s", "name": "registers", "cat": "registers", "id": flow,
            "pid": PROCESS, "tid": thread, "ts": microseconds(time),
        }))
    }

    fn begin(&mut self, thread: u32, time: Time, slice: &Slice<'_>) -> io::Result<()> {
        let args = match slice.place {
            Some(place) => json!({ "registered at": place }),
            None => json!({}),
        };
        self.event(&json!({
            "ph": "B", "name": slice.name, "cat": "continuation",
            "pid": PROCESS, "tid": thread, "ts": microseconds(time), "args": args,
        }))?;
        match slice.flow {
            Some(flow) => self.event(&json!({
                "ph": "f", "bp": "e", "name": "registers", "cat": "registers", "id": flow,
                "pid": PROCESS, "tid": thread, "ts": microseconds(time),
            })),
            None => Ok(()),
        }
    }

    fn end(&mut self, thread: u32, time: Time) -> io::Result<()> {
        self.event(&json!({ "ph": "E", "pid": PROCESS, "tid": thread, "ts": microseconds(time) }))
    }

    fn close(&mut self) -> io::Result<()> {
        self.to.write_all(b"\n]}\n")?;
        self.to.flush()
    }
}
