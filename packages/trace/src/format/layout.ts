/**
 * The file format of a trace (docs/trace-format.md): numbers that the writer here and the reader in `crates/trace`
 * both have to know.
 */

/** The first eight bytes of a file; the last of them is the version of the format. */
export const FILE_MAGIC = "HSTRACE1";
/** "HSTC" as a little-endian number: a chunk of events of one thread begins. */
export const CHUNK_MAGIC = 0x43545348;
/** "HSTI": the index, the last thing of a file that was closed properly. */
export const INDEX_MAGIC = 0x49545348;
/** The last eight bytes of a file with an index. */
export const END_MAGIC = "HSTREND1";

/** Bytes of the header of a chunk. */
export const CHUNK_HEADER = 48;
/** The most that a chunk holds, header included, in bytes. */
export const CHUNK_SIZE = 1 << 20;

/** The low three bits of the first byte of a record; the other five are its `small`. */
export const Kind = {
  /** What is rare; `small` is a {@link Meta}. */
  META: 0,
  /** A registration; `small` is the type. The parent is what runs, and so is the trigger. */
  INIT: 1,
  /** The same; the distance back to its trigger, of the same space, follows (0: not known). */
  INIT_TRIGGERED: 2,
  /** A continuation of space 0 begins; `small` is the distance back from the last id; the time follows. */
  BEGIN_RESOURCE: 3,
  /** The innermost continuation ends; `small` is the time since the last. */
  END: 4,
  /** As `BEGIN_RESOURCE`, of space 1. */
  BEGIN_PROMISE: 5,
  /** The same at the very time of the record before, so that no time follows. */
  BEGIN_PROMISE_NOW: 6,
  /** Says more of the next registration; `small` is an {@link Extra}. */
  EXTRA: 7,
} as const;

/** A `small` that does not fit: the rest follows as a varint. */
export const ESCAPE = 31;

/** The records of `Kind.META`. */
export const Meta = {
  /** A number, flags ({@link TypeFlag}) and a name: a type of this thread. */
  TYPE: 0,
  /** A number and a text: a source site of this thread, as function, file, line and column with NUL between. */
  SITE: 1,
  /** The distance back from the last id of space 0: that one will not run (again). */
  CANCEL: 2,
  /** A number: what runs has sent the message of that number, which another thread receives. */
  SEND: 3,
  /** A microtask checkpoint begins: 1 if of what ran before it, 0 if of nothing. Not all recorders know that. */
  DRAIN: 4,
  /** A text: what this thread is. */
  THREAD: 5,
  /** A text for people, such as what could not be recorded. */
  NOTE: 6,
  /** Time passes until the next record, as a varint: what is needed before something without a time. */
  TIME: 7,
} as const;

/** The records of `Kind.EXTRA`. */
export const Extra = {
  /** A site and how many registrations of the type it stands for. */
  SITE: 0,
  /** It may run more than once (an interval, a listener). */
  RECURRING: 1,
  /** So many ids of space 0 are skipped. */
  SKIP: 2,
  /** The number of the message that it is the receipt of: its parent is who sent that ({@link Meta.SEND}). */
  RECEIVE: 3,
  /** Nothing is its parent. */
  ROOT: 4,
} as const;

/** What a type is. */
export const TypeFlag = {
  /** Its ids are those of space 1. */
  PROMISE_SPACE: 1,
  /** It runs in a microtask checkpoint. */
  MICROTASK: 2,
} as const;

/** Units of time in a file for each millisecond: a unit is 100 ns. */
export const UNITS_PER_MS = 10_000;
