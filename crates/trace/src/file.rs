//! The parts of a file: what it says of itself, and its chunks.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::layout::{
    CHUNK_HEADER, CHUNK_MAGIC, CHUNK_SIZE, FILE_MAGIC, INDEX_MAGIC, METADATA_LIMIT,
};

/// What the beginning of a file says of the recording.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// What recorded it, such as `node 24.21.0`.
    pub recorder: String,
    /// What was recorded: a command line, or an address.
    pub subject: String,
    /// When it began, in milliseconds since 1970.
    pub started: f64,
    /// The folder that the command ran in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// Where a chunk stands, and what its header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chunk {
    /// Of its header, in bytes from the beginning of the file.
    pub(crate) offset: u64,
    /// Bytes after the header.
    pub(crate) length: usize,
    pub(crate) thread: u32,
    pub(crate) sequence: u32,
    pub(crate) events: u32,
    pub(crate) checksum: u32,
    /// Units since the recording began.
    pub(crate) base: u64,
    /// The last id of each space before it.
    pub(crate) last: [u64; 2],
}

/// A trace whose chunks are known, but not yet what is in them.
#[derive(Debug)]
pub struct TraceFile {
    path: PathBuf,
    /// What it says of itself.
    pub metadata: Metadata,
    pub(crate) chunks: Vec<Chunk>,
    /// Bytes in all.
    pub size: u64,
    /// Bytes that belong to no chunk: what was being written when the recorder was ended, or is damaged.
    pub unread: u64,
    /// Whether the recorder closed it.
    pub closed: bool,
}

/// Why a file is no trace.
#[derive(Debug)]
pub enum OpenError {
    /// It cannot be read.
    Io(io::Error),
    /// It is something else.
    NotATrace,
    /// It was written by another version.
    Version(u8),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl std::fmt::Display for OpenError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(error) => write!(to, "{error}"),
            Self::NotATrace => write!(to, "this is no trace; \"headstart trace record\" makes one"),
            Self::Version(found) => write!(
                to,
                "this trace has format {}, and this version reads 1; record it again",
                char::from(*found)
            ),
        }
    }
}

impl TraceFile {
    /// Reads the headers of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no trace. A trace that is cut off or damaged is none: what can be read, is.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let (metadata, start) = read_metadata(&mut file)?;
        let mut scan = Scan { file, size, at: start, unread: 0, closed: false };
        let chunks = scan.chunks()?;
        Ok(Self {
            path: path.to_owned(),
            metadata,
            chunks,
            size,
            unread: scan.unread,
            closed: scan.closed,
        })
    }

    /// The numbers of its threads, in the order in which they begin.
    pub(crate) fn threads(&self) -> Vec<u32> {
        let mut threads: Vec<u32> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for chunk in &self.chunks {
            if seen.insert(chunk.thread) {
                threads.push(chunk.thread);
            }
        }
        threads
    }

    /// Opens the file again, to read chunks from.
    pub(crate) fn reader(&self) -> io::Result<ChunkReader> {
        Ok(ChunkReader { file: File::open(&self.path)?, bytes: Vec::with_capacity(CHUNK_SIZE) })
    }
}

/// Reads chunks, one at a time.
pub(crate) struct ChunkReader {
    file: File,
    bytes: Vec<u8>,
}

impl ChunkReader {
    /// The records of a chunk, or `None` if they are damaged.
    pub(crate) fn read(&mut self, chunk: &Chunk) -> io::Result<Option<&[u8]>> {
        self.file.seek(SeekFrom::Start(chunk.offset + CHUNK_HEADER as u64))?;
        self.bytes.resize(chunk.length, 0);
        self.file.read_exact(&mut self.bytes)?;
        let whole = crc32fast::hash(&self.bytes) == chunk.checksum;
        Ok(whole.then_some(&self.bytes))
    }
}

fn read_metadata(file: &mut File) -> Result<(Metadata, u64), OpenError> {
    let mut head = [0; 12];
    let mut text = Vec::new();
    let length = match file.read_exact(&mut head) {
        Ok(()) if head[..7] == FILE_MAGIC[..7] => number(&head[8..12]) as usize,
        Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error.into()),
        _ => return Err(OpenError::NotATrace),
    };
    if head[7] != FILE_MAGIC[7] {
        return Err(OpenError::Version(head[7]));
    }
    if length > METADATA_LIMIT {
        return Err(OpenError::NotATrace);
    }
    file.take(length as u64).read_to_end(&mut text)?;
    let metadata = serde_json::from_slice(&text).map_err(|_| OpenError::NotATrace)?;
    Ok((metadata, 12 + length as u64))
}

/// A walk over the headers of all chunks. Where there is none, it looks for the next.
struct Scan {
    file: File,
    size: u64,
    at: u64,
    unread: u64,
    closed: bool,
}

impl Scan {
    fn chunks(&mut self) -> io::Result<Vec<Chunk>> {
        let mut chunks = Vec::new();
        while self.at < self.size {
            match self.header()? {
                Some(chunk) => {
                    self.at = chunk.offset + (CHUNK_HEADER + chunk.length) as u64;
                    chunks.push(chunk);
                }
                None if self.index()? => self.closed = true,
                None => self.resynchronise()?,
            }
        }
        Ok(chunks)
    }

    /// The chunk that begins here, if all of it is there.
    fn header(&mut self) -> io::Result<Option<Chunk>> {
        let mut bytes = [0; CHUNK_HEADER];
        if self.at + CHUNK_HEADER as u64 > self.size {
            return Ok(None);
        }
        self.file.seek(SeekFrom::Start(self.at))?;
        self.file.read_exact(&mut bytes)?;
        let length = number(&bytes[4..8]) as usize;
        let end = self.at + (CHUNK_HEADER + length) as u64;
        if bytes[..4] != *CHUNK_MAGIC || length > CHUNK_SIZE || end > self.size {
            return Ok(None);
        }
        Ok(Some(Chunk {
            offset: self.at,
            length,
            thread: number(&bytes[8..12]) as u32,
            sequence: number(&bytes[12..16]) as u32,
            events: number(&bytes[16..20]) as u32,
            checksum: number(&bytes[20..24]) as u32,
            base: number(&bytes[24..32]),
            last: [number(&bytes[32..40]), number(&bytes[40..48])],
        }))
    }

    /// Whether an index begins here; goes behind it.
    fn index(&mut self) -> io::Result<bool> {
        let mut bytes = [0; 8];
        if self.at + 8 > self.size {
            return Ok(false);
        }
        self.file.seek(SeekFrom::Start(self.at))?;
        self.file.read_exact(&mut bytes)?;
        let end = self.at + 8 + number(&bytes[4..8]) * 24 + 16;
        if bytes[..4] != *INDEX_MAGIC || end > self.size {
            return Ok(false);
        }
        self.at = end;
        Ok(true)
    }

    /// Goes on to the next place that looks like a chunk.
    fn resynchronise(&mut self) -> io::Result<()> {
        let from = self.at;
        let mut block = Vec::new();
        let mut start = self.at + 1;
        self.at = self.size;
        while start < self.size {
            self.file.seek(SeekFrom::Start(start))?;
            block.clear();
            (&mut self.file).take(CHUNK_SIZE as u64).read_to_end(&mut block)?;
            if let Some(at) = block.windows(4).position(|it| it == CHUNK_MAGIC) {
                self.at = start + at as u64;
                break;
            }
            if block.len() < CHUNK_SIZE {
                break;
            }
            start += block.len() as u64 - 3;
        }
        self.unread += self.at - from;
        Ok(())
    }
}

/// A little-endian number of up to eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
