//! From the bytes of a thread's chunks to its events.

use std::io;

use crate::event::{Init, Key, Parent, Sink, Time};
use crate::file::{Chunk, TraceFile};
use crate::layout::{ESCAPE, extra, kind, meta, type_flag};

/// A type of continuations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Type {
    pub(crate) name: String,
    pub(crate) promise_space: bool,
    pub(crate) microtask: bool,
}

/// A place in the source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Site {
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// What a thread's chunks define.
#[derive(Debug, Default)]
pub(crate) struct Dictionary {
    pub(crate) name: String,
    pub(crate) types: Vec<Type>,
    pub(crate) sites: Vec<Site>,
    pub(crate) notes: Vec<String>,
}

/// Names and places as texts, by their numbers.
pub(crate) struct Definitions {
    names: Vec<String>,
    places: Vec<String>,
}

impl Definitions {
    pub(crate) fn new(dictionary: &Dictionary) -> Self {
        Self {
            names: dictionary.types.iter().map(|it| it.name.clone()).collect(),
            places: dictionary.sites.iter().map(Site::text).collect(),
        }
    }

    pub(crate) fn name(&self, kind: u32) -> &str {
        self.names.get(kind as usize).map_or("unknown", |it| it)
    }

    pub(crate) fn place(&self, site: u32) -> Option<&str> {
        self.places.get(site as usize).map(String::as_str)
    }
}

impl Site {
    /// It as people read it: `function file:line:column`.
    pub(crate) fn text(&self) -> String {
        let function = match self.function.as_str() {
            "" => "",
            name => &format!("{name} "),
        };
        format!("{function}{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What reading a thread has come to.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    pub(crate) dictionary: Dictionary,
    pub(crate) events: u64,
    /// Chunks that are missing, damaged, or stop making sense.
    pub(crate) lost: u64,
    /// The last time of all.
    pub(crate) end: Time,
}

/// The most definitions of one sort in a thread.
const DEFINITIONS: usize = 1 << 20;

/// A record that makes no sense.
struct Malformed;

/// Tells `sink` all events of a thread.
///
/// # Errors
///
/// If the file cannot be read any more.
pub(crate) fn decode(trace: &TraceFile, thread: u32, sink: &mut impl Sink) -> io::Result<Decoded> {
    let mut reader = trace.reader()?;
    let mut decoder = Decoder::default();
    let mut expected = 0;
    for chunk in trace.chunks.iter().filter(|it| it.thread == thread) {
        if chunk.sequence != expected {
            decoder.lose(sink);
        }
        expected = chunk.sequence.wrapping_add(1);
        let whole = match reader.read(chunk)? {
            Some(bytes) => decoder.chunk(chunk, bytes, sink).is_ok(),
            None => false,
        };
        if !whole {
            decoder.lose(sink);
        }
    }
    sink.finish();
    Ok(decoder.decoded)
}

#[derive(Default)]
struct Decoder {
    decoded: Decoded,
    last: [u64; 2],
    time: Time,
    next: Next,
}

/// What is said of the next registration.
#[derive(Default, Clone, Copy)]
struct Next {
    site: Option<(u32, u64)>,
    recurring: bool,
    parent: Option<Parent>,
}

struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.rest.split_first().ok_or(Malformed)?;
        self.rest = rest;
        Ok(first)
    }

    #[inline]
    fn varint(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        let mut shift = 0;
        loop {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
            shift += 7;
            // Numbers of JavaScript are below 2^53.
            if shift > 49 {
                return Err(Malformed);
            }
        }
    }

    fn text(&mut self) -> Result<String, Malformed> {
        let length = usize::try_from(self.varint()?).map_err(|_| Malformed)?;
        let bytes: &'a [u8] = self.rest.get(..length).ok_or(Malformed)?;
        self.rest = &self.rest[length..];
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

impl Decoder {
    fn lose(&mut self, sink: &mut impl Sink) {
        self.decoded.lost += 1;
        self.next = Next::default();
        sink.lost();
    }

    fn chunk(
        &mut self,
        chunk: &Chunk,
        bytes: &[u8],
        sink: &mut impl Sink,
    ) -> Result<(), Malformed> {
        self.last = chunk.last;
        // Threads of one recording share a clock, and no chunk begins before the one before it.
        self.time = self.time.max(chunk.base);
        let mut bytes = Bytes { rest: bytes };
        while !bytes.rest.is_empty() {
            self.record(&mut bytes, sink)?;
        }
        self.decoded.end = self.time;
        Ok(())
    }

    #[inline]
    fn record(&mut self, bytes: &mut Bytes<'_>, sink: &mut impl Sink) -> Result<(), Malformed> {
        let first = bytes.byte()?;
        let record = first & 7;
        if record == kind::META {
            return self.meta(first >> 3, bytes, sink);
        }
        if record > kind::BEGIN_PROMISE_NOW {
            return self.extra(first >> 3, bytes);
        }
        let mut small = u64::from(first >> 3);
        if small == u64::from(ESCAPE) {
            small += bytes.varint()?;
        }
        self.decoded.events += 1;
        match record {
            kind::INIT => self.init(small, sink)?,
            kind::INIT_TRIGGERED => {
                // What triggered it is for other readers: measures go by the parent.
                bytes.varint()?;
                self.init(small, sink)?;
            }
            kind::END => {
                self.time = self.time.saturating_add(small);
                sink.end(self.time);
            }
            kind::BEGIN_RESOURCE => {
                self.time = self.time.saturating_add(bytes.varint()?);
                let id = self.last[0].checked_sub(small).ok_or(Malformed)?;
                self.begin(Key::resource(id), sink);
            }
            _ => {
                if record == kind::BEGIN_PROMISE {
                    self.time = self.time.saturating_add(bytes.varint()?);
                }
                let id = self.last[1].checked_sub(small).ok_or(Malformed)?;
                self.begin(Key::promise(id), sink);
            }
        }
        Ok(())
    }

    #[inline]
    fn begin(&mut self, key: Key, sink: &mut impl Sink) {
        sink.begin(key, self.time);
    }

    #[inline]
    fn init(&mut self, number: u64, sink: &mut impl Sink) -> Result<(), Malformed> {
        let number = u32::try_from(number).map_err(|_| Malformed)?;
        let types = &self.decoded.dictionary.types;
        let of = types.get(number as usize).ok_or(Malformed)?;
        let space = usize::from(of.promise_space);
        self.last[space] = self.last[space].saturating_add(1);
        let id = self.last[space];
        let next = std::mem::take(&mut self.next);
        sink.init(&Init {
            key: if space == 0 { Key::resource(id) } else { Key::promise(id) },
            kind: number,
            microtask: of.microtask,
            parent: next.parent.unwrap_or(Parent::Running),
            site: next.site,
            recurring: next.recurring,
        });
        Ok(())
    }

    fn meta(
        &mut self,
        record: u8,
        bytes: &mut Bytes<'_>,
        sink: &mut impl Sink,
    ) -> Result<(), Malformed> {
        match record {
            meta::TYPE => {
                let number = bytes.varint()?;
                let flags = bytes.varint()?;
                let defined = Type {
                    name: bytes.text()?,
                    promise_space: flags & type_flag::PROMISE_SPACE != 0,
                    microtask: flags & type_flag::MICROTASK != 0,
                };
                define(&mut self.decoded.dictionary.types, number, defined)?;
            }
            meta::SITE => {
                let number = bytes.varint()?;
                let defined = site(&bytes.text()?);
                define(&mut self.decoded.dictionary.sites, number, defined)?;
            }
            // What never runs is known without, and measures are those of one thread.
            meta::CANCEL if bytes.varint()? > self.last[0] => return Err(Malformed),
            meta::CANCEL => (),
            meta::SEND => {
                bytes.varint()?;
            }
            meta::DRAIN => sink.drain(bytes.varint()? != 0),
            meta::THREAD => self.decoded.dictionary.name = bytes.text()?,
            meta::NOTE => self.decoded.dictionary.notes.push(bytes.text()?),
            meta::TIME => self.time = self.time.saturating_add(bytes.varint()?),
            _ => return Err(Malformed),
        }
        Ok(())
    }

    fn extra(&mut self, record: u8, bytes: &mut Bytes<'_>) -> Result<(), Malformed> {
        let next = &mut self.next;
        match record {
            extra::SITE => {
                let site = u32::try_from(bytes.varint()?).map_err(|_| Malformed)?;
                let weight = bytes.varint()?;
                if site as usize >= self.decoded.dictionary.sites.len() {
                    return Err(Malformed);
                }
                next.site = Some((site, weight));
            }
            extra::RECURRING => next.recurring = true,
            extra::SKIP => self.last[0] = self.last[0].saturating_add(bytes.varint()?),
            extra::RECEIVE => {
                bytes.varint()?;
                next.parent = Some(Parent::Message);
            }
            extra::ROOT => next.parent = Some(Parent::None),
            _ => return Err(Malformed),
        }
        Ok(())
    }
}

/// Puts a definition where it belongs. Those that are missing stood in a chunk that is lost.
fn define<T: Default + Clone>(
    definitions: &mut Vec<T>,
    number: u64,
    defined: T,
) -> Result<(), Malformed> {
    let number = usize::try_from(number).map_err(|_| Malformed)?;
    if number >= DEFINITIONS {
        return Err(Malformed);
    }
    if number >= definitions.len() {
        definitions.resize(number + 1, T::default());
    }
    definitions[number] = defined;
    Ok(())
}

/// A site from its text: function, file, line and column with NUL between.
fn site(text: &str) -> Site {
    let mut parts = text.split('\0');
    let mut part = || parts.next().unwrap_or_default();
    Site {
        function: part().to_owned(),
        file: part().to_owned(),
        line: part().parse().unwrap_or(0),
        column: part().parse().unwrap_or(0),
    }
}
