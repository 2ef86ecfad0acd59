//! Perfetto's trace format (protos/perfetto/trace/trace.proto of that project): packets with times in nanoseconds.

use std::io::{self, Write};

use rustc_hash::FxHashMap;

use super::{Form, Slice};
use crate::event::Time;

/// Fields of the messages that are written, by their numbers there.
mod field {
    pub(super) const TRACE_PACKET: u32 = 1;
    pub(super) mod packet {
        pub(in super::super) const TIMESTAMP: u32 = 8;
        pub(in super::super) const SEQUENCE: u32 = 10;
        pub(in super::super) const TRACK_EVENT: u32 = 11;
        pub(in super::super) const INTERNED: u32 = 12;
        pub(in super::super) const SEQUENCE_FLAGS: u32 = 13;
        pub(in super::super) const TRACK_DESCRIPTOR: u32 = 60;
    }
    pub(super) mod descriptor {
        pub(in super::super) const UUID: u32 = 1;
        pub(in super::super) const THREAD: u32 = 4;
        pub(in super::super) const PROCESS_ID: u32 = 1;
        pub(in super::super) const THREAD_ID: u32 = 2;
        pub(in super::super) const THREAD_NAME: u32 = 5;
    }
    pub(super) mod event {
        pub(in super::super) const ANNOTATION: u32 = 4;
        pub(in super::super) const TYPE: u32 = 9;
        pub(in super::super) const NAME: u32 = 10;
        pub(in super::super) const TRACK: u32 = 11;
        pub(in super::super) const FLOW: u32 = 47;
        pub(in super::super) const FLOW_END: u32 = 48;
    }
    pub(super) mod interned {
        pub(in super::super) const EVENT_NAME: u32 = 2;
        pub(in super::super) const ANNOTATION_NAME: u32 = 3;
        pub(in super::super) const TEXT: u32 = 29;
        pub(in super::super) const ID: u32 = 1;
        pub(in super::super) const VALUE: u32 = 2;
    }
    pub(super) mod annotation {
        pub(in super::super) const NAME: u32 = 1;
        pub(in super::super) const TEXT: u32 = 17;
    }
}

const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;
const INSTANT: u64 = 3;
/// Nothing that was interned before holds any more; what is interned here does.
const STATE_CLEARED: u64 = 1;
const NEEDS_STATE: u64 = 2;
/// The one writer of all packets.
const SEQUENCE: u64 = 1;
/// Numbers of names.
const REGISTERS: u64 = 1;
const REGISTERED_AT: u64 = 1;

/// Writes packets.
pub(super) struct Perfetto<W> {
    to: W,
    names: FxHashMap<String, u64>,
    places: FxHashMap<String, u64>,
}

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value > 127 {
            self.0.push(value as u8 | 128);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn number(mut self, field: u32, value: u64) -> Self {
        self.varint(u64::from(field) << 3);
        self.varint(value);
        self
    }

    fn fixed(mut self, field: u32, value: u64) -> Self {
        self.varint(u64::from(field) << 3 | 1);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u32, bytes: &[u8]) -> Self {
        self.varint(u64::from(field) << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn message(self, field: u32, inner: &Self) -> Self {
        self.bytes(field, &inner.0)
    }
}

impl<W: Write> Perfetto<W> {
    pub(super) fn new(to: W) -> Self {
        Self { to, names: FxHashMap::default(), places: FxHashMap::default() }
    }

    fn packet(&mut self, packet: Message) -> io::Result<()> {
        let packet = packet.number(field::packet::SEQUENCE, SEQUENCE);
        let trace = Message::default().message(field::TRACE_PACKET, &packet);
        self.to.write_all(&trace.0)
    }

    fn event(&mut self, time: Time, event: &Message, interned: &Message) -> io::Result<()> {
        let mut packet = Message::default()
            .number(field::packet::TIMESTAMP, time.saturating_mul(100))
            .number(field::packet::SEQUENCE_FLAGS, NEEDS_STATE)
            .message(field::packet::TRACK_EVENT, event);
        if !interned.0.is_empty() {
            packet = packet.message(field::packet::INTERNED, interned);
        }
        self.packet(packet)
    }
}

/// The number of a text, and what introduces it if it is new.
fn intern(
    texts: &mut FxHashMap<String, u64>,
    text: &str,
    field: u32,
    to: Message,
) -> (u64, Message) {
    if let Some(id) = texts.get(text) {
        return (*id, to);
    }
    // The first number is that of a name that is always there.
    let id = texts.len() as u64 + 2;
    texts.insert(text.to_owned(), id);
    (id, to.message(field, &entry(id, text)))
}

fn entry(id: u64, text: &str) -> Message {
    Message::default()
        .number(field::interned::ID, id)
        .bytes(field::interned::VALUE, text.as_bytes())
}

fn event(kind: u64, thread: u32) -> Message {
    Message::default()
        .number(field::event::TYPE, kind)
        .number(field::event::TRACK, u64::from(thread) + 1)
}

impl<W: Write> Form for Perfetto<W> {
    fn open(&mut self) -> io::Result<()> {
        let interned = Message::default()
            .message(field::interned::EVENT_NAME, &entry(REGISTERS, "registers"))
            .message(field::interned::ANNOTATION_NAME, &entry(REGISTERED_AT, "registered at"));
        let packet = Message::default()
            .number(field::packet::SEQUENCE_FLAGS, STATE_CLEARED)
            .message(field::packet::INTERNED, &interned);
        self.packet(packet)
    }

    fn thread(&mut self, thread: u32, name: &str) -> io::Result<()> {
        let about = Message::default()
            .number(field::descriptor::PROCESS_ID, 1)
            .number(field::descriptor::THREAD_ID, u64::from(thread & 0x7fff_ffff))
            .bytes(field::descriptor::THREAD_NAME, name.as_bytes());
        let descriptor = Message::default()
            .number(field::descriptor::UUID, u64::from(thread) + 1)
            .message(field::descriptor::THREAD, &about);
        self.packet(Message::default().message(field::packet::TRACK_DESCRIPTOR, &descriptor))
    }

    fn register(&mut self, thread: u32, time: Time, flow: u64) -> io::Result<()> {
        let event = event(INSTANT, thread)
            .number(field::event::NAME, REGISTERS)
            .fixed(field::event::FLOW, flow);
        self.event(time, &event, &Message::default())
    }

    fn begin(&mut self, thread: u32, time: Time, slice: &Slice<'_>) -> io::Result<()> {
        let interned = Message::default();
        let (name, mut interned) =
            intern(&mut self.names, slice.name, field::interned::EVENT_NAME, interned);
        let mut event = event(SLICE_BEGIN, thread).number(field::event::NAME, name);
        if let Some(place) = slice.place {
            let id;
            (id, interned) = intern(&mut self.places, place, field::interned::TEXT, interned);
            let annotation = Message::default()
                .number(field::annotation::NAME, REGISTERED_AT)
                .number(field::annotation::TEXT, id);
            event = event.message(field::event::ANNOTATION, &annotation);
        }
        if let Some(flow) = slice.flow {
            event = event.fixed(field::event::FLOW_END, flow);
        }
        self.event(time, &event, &interned)
    }

    fn end(&mut self, thread: u32, time: Time) -> io::Result<()> {
        self.event(time, &event(SLICE_END, thread), &Message::default())
    }

    fn close(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
