//! The file format of a trace (docs/trace-format.md): the numbers that `packages/trace/src/format/layout.ts`
//! has, too.

/// The first eight bytes of a file; the last of them is the version of the format.
pub(crate) const FILE_MAGIC: &[u8; 8] = b"HSTRACE1";
/// What a chunk of events of one thread begins with.
pub(crate) const CHUNK_MAGIC: &[u8; 4] = b"HSTC";
/// What the index begins with, the last thing of a file that was closed properly.
pub(crate) const INDEX_MAGIC: &[u8; 4] = b"HSTI";
/// Bytes of the header of a chunk.
pub(crate) const CHUNK_HEADER: usize = 48;
/// The most that a chunk holds, header included, in bytes.
pub(crate) const CHUNK_SIZE: usize = 1 << 20;
/// The most that the metadata of a file may take, in bytes: anything above that is no trace.
pub(crate) const METADATA_LIMIT: usize = 1 << 20;

/// Kinds of records: the low three bits of their first byte; the other five are their `small`.
pub(crate) mod kind {
    pub(crate) const META: u8 = 0;
    pub(crate) const INIT: u8 = 1;
    pub(crate) const INIT_TRIGGERED: u8 = 2;
    pub(crate) const BEGIN_RESOURCE: u8 = 3;
    pub(crate) const END: u8 = 4;
    pub(crate) const BEGIN_PROMISE: u8 = 5;
    pub(crate) const BEGIN_PROMISE_NOW: u8 = 6;
}

/// A `small` that does not fit: the rest follows as a varint.
pub(crate) const ESCAPE: u8 = 31;

/// Records of `kind::META`.
pub(crate) mod meta {
    pub(crate) const TYPE: u8 = 0;
    pub(crate) const SITE: u8 = 1;
    pub(crate) const CANCEL: u8 = 2;
    pub(crate) const SEND: u8 = 3;
    pub(crate) const DRAIN: u8 = 4;
    pub(crate) const THREAD: u8 = 5;
    pub(crate) const NOTE: u8 = 6;
    pub(crate) const TIME: u8 = 7;
}

/// Records of kind 7, which say more of the next registration.
pub(crate) mod extra {
    pub(crate) const SITE: u8 = 0;
    pub(crate) const RECURRING: u8 = 1;
    pub(crate) const SKIP: u8 = 2;
    pub(crate) const RECEIVE: u8 = 3;
    pub(crate) const ROOT: u8 = 4;
}

/// What a type is.
pub(crate) mod type_flag {
    pub(crate) const PROMISE_SPACE: u64 = 1;
    pub(crate) const MICROTASK: u64 = 2;
}
