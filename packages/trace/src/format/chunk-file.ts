import { closeSync, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs";

import { CHUNK_HEADER, CHUNK_MAGIC, END_MAGIC, FILE_MAGIC, INDEX_MAGIC } from "./layout.js";

/** What the beginning of a file says of the recording. */
export interface TraceMetadata {
  /** What recorded it, such as `node 24.21.0`. */
  readonly recorder: string;
  /** What was recorded: a command line, or an address. */
  readonly subject: string;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** The folder that relative paths of a command are relative to. */
  readonly folder?: string;
  /** The process that writes its index in the end. */
  readonly writer?: number;
}

/** Begins a new file at `path`; what stands there is lost. */
export function createTraceFile(path: string, metadata: TraceMetadata): void {
  const text = Buffer.from(JSON.stringify({ ...metadata, writer: process.pid }));
  const header = Buffer.alloc(12);
  header.write(FILE_MAGIC, "latin1");
  header.writeUInt32LE(text.length, 8);
  const descriptor = openSync(path, "w");
  try {
    writeSync(descriptor, Buffer.concat([header, text]));
  } finally {
    closeSync(descriptor);
  }
}

/** How much is in a trace. */
export interface Summary {
  readonly chunks: number;
  readonly events: number;
  readonly threads: number;
  /** Bytes up to the end of the last whole chunk. */
  readonly bytes: number;
}

/** Counts what is in a trace from the headers of its chunks. */
export function summarise(path: string): Summary {
  const descriptor = openSync(path, "r");
  try {
    const { entries, end } = chunksOf(descriptor);
    return {
      chunks: entries.length,
      events: entries.reduce((sum, { events }) => sum + events, 0),
      threads: new Set(entries.map(({ thread }) => thread)).size,
      bytes: end,
    };
  } finally {
    closeSync(descriptor);
  }
}

/** The process that is recording the trace at `path`; nothing if that is complete, or nobody does any more. */
export function recordedBy(path: string): number | undefined {
  const descriptor = openSync(path, "r");
  try {
    const { writer } = metadataOf(descriptor);
    const end = Buffer.alloc(8);
    readSync(descriptor, end, 0, 8, Math.max(0, statSync(path).size - 8));
    if (end.toString("latin1") === END_MAGIC || writer === undefined) return undefined;
    process.kill(writer, 0);
    return writer;
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

function metadataOf(descriptor: number): Partial<TraceMetadata> {
  const header = Buffer.alloc(12);
  readSync(descriptor, header, 0, 12, 0);
  const text = Buffer.alloc(Math.min(header.readUInt32LE(8), 2 ** 20));
  readSync(descriptor, text, 0, text.length, 12);
  return JSON.parse(text.toString()) as Partial<TraceMetadata>;
}

/** Whether there is a trace at `path`, of whatever version. */
export function isTrace(path: string): boolean {
  return beginsWith(path, FILE_MAGIC.slice(0, -1));
}

/** Whether `path` is a file that begins with these letters. */
export function beginsWith(path: string, text: string): boolean {
  // To open a pipe would wait for who writes into it.
  if (!statSync(path).isFile()) return false;
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(text.length);
    readSync(descriptor, bytes, 0, bytes.length, 0);
    return bytes.toString("latin1") === text;
  } finally {
    closeSync(descriptor);
  }
}

/** Where a chunk is, whose it is, and when it begins. */
interface ChunkEntry {
  readonly offset: number;
  readonly thread: number;
  readonly events: number;
  readonly base: bigint;
}

/** The bytes of one chunk in the index. */
const ENTRY = 24;

/**
 * Writes the index at the end of the file, which readers may use and need not have. To be called when no thread
 * writes any more; a file that does not end with a whole chunk is left as it is, as is one on a disk that is full.
 */
export function writeIndex(path: string): void {
  const { size } = statSync(path);
  try {
    appendIndex(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    truncateSync(path, size);
  }
}

function appendIndex(path: string): void {
  const descriptor = openSync(path, "a+");
  try {
    const { entries, end } = chunksOf(descriptor);
    const index = Buffer.alloc(8 + entries.length * ENTRY + 16);
    index.writeUInt32LE(INDEX_MAGIC, 0);
    index.writeUInt32LE(entries.length, 4);
    entries.forEach((entry, at) => {
      const start = 8 + at * ENTRY;
      index.writeBigUInt64LE(BigInt(entry.offset), start);
      index.writeUInt32LE(entry.thread, start + 8);
      index.writeUInt32LE(entry.events, start + 12);
      index.writeBigUInt64LE(entry.base, start + 16);
    });
    index.writeBigUInt64LE(BigInt(end), index.length - 16);
    index.write(END_MAGIC, index.length - 8, "latin1");
    writeSync(descriptor, index);
  } finally {
    closeSync(descriptor);
  }
}

/** The chunks of a file from their headers, and where the last one ends. */
function chunksOf(descriptor: number): { entries: ChunkEntry[]; end: number } {
  const header = Buffer.alloc(CHUNK_HEADER);
  readSync(descriptor, header, 0, 12, 0);
  let end = 12 + header.readUInt32LE(8);
  const entries: ChunkEntry[] = [];
  while (readSync(descriptor, header, 0, CHUNK_HEADER, end) === CHUNK_HEADER) {
    if (header.readUInt32LE(0) !== CHUNK_MAGIC) break;
    entries.push({
      offset: end,
      thread: header.readUInt32LE(8),
      events: header.readUInt32LE(16),
      base: header.readBigUInt64LE(24),
    });
    end += CHUNK_HEADER + header.readUInt32LE(4);
  }
  return { entries, end };
}
