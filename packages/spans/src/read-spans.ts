import { createReadStream, openSync, readSync, closeSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import { Fields } from "@headstart/trace/wire";

import { SpansError } from "./errors.js";
import { instead, insteadOfMessage } from "./instead.js";
import { Lines, LONGEST } from "./lines.js";
import { isMessage, readJson } from "./otlp-json.js";
import { readProtobuf } from "./otlp-protobuf.js";
import { Places } from "./places.js";
import type { Span } from "./span.js";

/** What was read of a file. */
export interface ReadResult {
  readonly spans: number;
  /** Parts that could not be read, such as a line that is cut off at the end. */
  readonly unread: number;
}

/** The most that one message may take: the collector's own limit is far below. */
const LARGEST = 256 * 1024 * 1024;

/** So many bytes of a file are read at once: lines are long, and few of them should lie in two parts. */
const AT_ONCE = 1024 * 1024;

/**
 * Reads a file of OpenTelemetry's collector (its file exporter writes a message in a line, or with its length in front), or one
 * message as it is: JSON or Protocol Buffers, also compressed with gzip. Messages that cannot be read are counted.
 *
 * @throws SpansError if it is none of these
 */
export async function readSpans(path: string, each: (span: Span) => void): Promise<ReadResult> {
  const begin = firstBytes(path);
  const isGzip = begin[0] === 0x1f && begin[1] === 0x8b;
  if (begin.length >= 4 && begin.readUInt32LE(0) === 0xfd2fb528) {
    throw new SpansError(`${path} is compressed with zstd; unpack it first: zstd -d ${path}`);
  }
  const file = createReadStream(path, { highWaterMark: AT_ONCE });
  const stream = isGzip ? file.pipe(createGunzip()) : file;
  const reader = new Reader(each);
  let first = begin;
  try {
    if (isGzip) first = await firstOf(path);
    if (/^(?:\xef\xbb\xbf)?\s*[{[]/.test(first.toString("latin1"))) await reader.json(stream);
    else await reader.protobuf(stream, isDelimited(first));
  } catch (error) {
    // A file that is cut off, or damaged: what was read until then counts.
    if (error instanceof SpansError || (error as NodeJS.ErrnoException).code === "ENOENT")
      throw error;
    reader.unread++;
  }
  if (reader.spans === 0) {
    const what = instead(first) ?? reader.instead;
    throw new SpansError(
      `${path} holds no spans of OTLP${what === undefined ? "" : `: ${what}`}; the file exporter of OpenTelemetry's collector writes such files`,
    );
  }
  return { spans: reader.spans, unread: reader.unread };
}

function firstBytes(path: string): Buffer {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new SpansError(`${path} is no file; name one that OpenTelemetry's collector has written`);
  }
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(64);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

async function firstOf(path: string): Promise<Buffer> {
  for await (const chunk of createReadStream(path).pipe(createGunzip())) return chunk as Buffer;
  return Buffer.alloc(0);
}

/** Whether messages have their lengths in front (four bytes, the highest first): a message by itself begins with its tag. */
function isDelimited(first: Buffer): boolean {
  return first[0] !== 0x0a;
}

/** Some write it in front of a text. */
const BYTE_ORDER_MARK = /^\ufeff/;

class Reader {
  spans = 0;
  unread = 0;
  /** What it is that has been read instead of spans. */
  instead: string | undefined;
  /** The first line that is no message, and all from there on. */
  private readonly kept: string[] = [];
  private readonly places = new Places();

  constructor(private readonly each: (span: Span) => void) {}

  /** One message in each line, or one over many lines. */
  async json(stream: Readable): Promise<void> {
    const lines = new Lines();
    for await (const chunk of stream) {
      for (const line of lines.of(chunk as Buffer)) this.line(line);
    }
    for (const line of lines.rest()) this.line(line);
    const { kept } = this;
    if (kept.length === 0) return;
    // A line that is none of its own: the whole file is one message, or it is cut off there.
    const length = kept.reduce((sum, line) => sum + line.length + 1, 0);
    if (length <= LONGEST && this.take(kept.join("\n"))) return;
    this.instead ??= "it is no JSON, or is cut off";
    // Some programs end lines with a carriage return by itself.
    for (const line of kept.flatMap((it) => it.split("\r"))) {
      if (line.trim() !== "" && !this.take(line)) this.unread++;
    }
  }

  private line(read: string | undefined): void {
    if (read === undefined) {
      this.instead ??= `a message is larger than ${Math.round(LONGEST / 2 ** 20)} MB`;
      this.unread++;
      return;
    }
    const line = read.replace(BYTE_ORDER_MARK, "");
    if (line.trim() === "") return;
    if (this.kept.length > 0 || !this.take(line)) this.kept.push(line);
  }

  private take(text: string): boolean {
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return false;
    }
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (isMessage(one)) readJson(one, this.places, this.count);
      else this.unread++;
      this.instead ??= insteadOfMessage(one);
    }
    return true;
  }

  async protobuf(stream: Readable, isDelimited: boolean): Promise<void> {
    let kept: Buffer = Buffer.alloc(0);
    for await (const chunk of stream) {
      kept = kept.length === 0 ? (chunk as Buffer) : Buffer.concat([kept, chunk as Buffer]);
      if (kept.length > LARGEST) throw new SpansError("a message is larger than 256 MB");
      while (isDelimited && kept.length >= 4 && kept.length - 4 >= kept.readUInt32BE(0)) {
        const end = 4 + kept.readUInt32BE(0);
        this.message(kept.subarray(4, end));
        kept = kept.subarray(end);
      }
    }
    if (kept.length === 0) return;
    if (isDelimited) this.unread++;
    else this.message(kept);
  }

  private message(bytes: Uint8Array): void {
    try {
      readProtobuf(new Fields(bytes), this.places, this.count);
    } catch {
      this.unread++;
    }
  }

  private readonly count = (span: Span): void => {
    this.spans++;
    this.each(span);
  };
}
