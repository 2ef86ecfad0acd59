import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";

/** A function that a CPU profile has found running. */
export interface SampledFrame {
  /** What the engine says that the code was loaded from. */
  readonly url: string;
  /** Where V8 says that the function begins; counted from one. */
  readonly line: number;
  /** Counted from one, in UTF-16 code units. */
  readonly column: number;
  /** How long the function itself ran, without those that it called. */
  readonly microseconds: number;
  readonly samples: number;
}

/** A CPU profile, as far as it matters here: each function once for each way that led to it. */
export interface CpuProfile {
  readonly frames: readonly SampledFrame[];
}

/** What records a profile, for messages. */
export const RECORD =
  'record one with "node --cpu-prof", or by the DevTools protocol ("Profiler.stop")';

/** What the profiler calls the time in which nothing runs. */
const IDLE = "(idle)";

/** How far samples are apart where the profile does not say it: as V8 takes them by default. */
const INTERVAL_US = 1000;

/** What is read of a node of the tree of calls. */
interface Node {
  readonly id: number;
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
  readonly hitCount: number;
}

/** How much of a profile is a node's own. */
interface Own {
  microseconds: number;
  samples: number;
}

/**
 * Reads the text of a CPU profile, as `node --cpu-prof` and Chromium write it.
 *
 * @throws {HeadstartError} that names the file, the place in it and what to do, where it is none
 */
export function parseCpuProfile(text: string, file: string): CpuProfile {
  const reader = new Reader(file);
  const profile = reader.object(reader.json(text), "");
  const nodes = reader
    .array(profile["nodes"], "nodes")
    .map((it, index) => nodeOf(reader, it, `nodes[${String(index)}]`));
  const own = ownTimes(reader, profile, nodes);
  const frames = nodes.flatMap((node) => {
    const of = own.get(node.id);
    if (of === undefined || node.functionName === IDLE) return [];
    const { url, lineNumber, columnNumber } = node;
    return [{ url, line: lineNumber + 1, column: columnNumber + 1, ...of }];
  });
  if (own.size === 0) throw reader.failure("", `it has no samples; ${RECORD}`);
  return { frames };
}

function nodeOf(reader: Reader, value: unknown, at: string): Node {
  const node = reader.object(value, at);
  const frame = reader.object(node["callFrame"], `${at}.callFrame`);
  const inFrame = (name: string) => `${at}.callFrame.${name}`;
  return {
    id: reader.number(node["id"], `${at}.id`),
    functionName: reader.string(frame["functionName"], inFrame("functionName")),
    url: reader.string(frame["url"], inFrame("url")),
    lineNumber: reader.number(frame["lineNumber"], inFrame("lineNumber")),
    columnNumber: reader.number(frame["columnNumber"], inFrame("columnNumber")),
    hitCount:
      node["hitCount"] === undefined ? 0 : reader.number(node["hitCount"], `${at}.hitCount`),
  };
}

/** What each node that was met has to itself: by its samples, or by how often it was hit where there are none. */
function ownTimes(
  reader: Reader,
  profile: Readonly<Record<string, unknown>>,
  nodes: readonly Node[],
): Map<number, Own> {
  const samples = samplesOf(reader, profile, nodes);
  if (samples.length === 0) {
    const hit = nodes.filter(({ hitCount }) => hitCount > 0);
    const all = hit.reduce((sum, { hitCount }) => sum + hitCount, 0);
    const each = intervalOf(profile, all);
    return new Map(
      hit.map((it) => [it.id, { microseconds: it.hitCount * each, samples: it.hitCount }]),
    );
  }
  const lasting = durationsOf(reader, profile, samples.length);
  const own = new Map<number, Own>();
  samples.forEach((id, index) => {
    const of = own.get(id) ?? { microseconds: 0, samples: 0 };
    of.microseconds += lasting[index] ?? 0;
    of.samples += 1;
    own.set(id, of);
  });
  return own;
}

/** The nodes of the samples, in order. */
function samplesOf(
  reader: Reader,
  profile: Readonly<Record<string, unknown>>,
  nodes: readonly Node[],
): readonly number[] {
  if (profile["samples"] === undefined) return [];
  const ids = new Set(nodes.map(({ id }) => id));
  return reader.array(profile["samples"], "samples").map((it, index) => {
    const at = `samples[${String(index)}]`;
    const id = reader.number(it, at);
    if (!ids.has(id)) throw reader.failure(at, `there is no node ${String(id)}; ${RECORD}`);
    return id;
  });
}

/** How long each sample stands for, in microseconds: until the next one. */
function durationsOf(
  reader: Reader,
  profile: Readonly<Record<string, unknown>>,
  count: number,
): readonly number[] {
  const given =
    profile["timeDeltas"] === undefined ? [] : reader.array(profile["timeDeltas"], "timeDeltas");
  const deltas = given.map((it, index) => reader.number(it, `timeDeltas[${String(index)}]`));
  if (deltas.length > 0 && deltas.length !== count) {
    const counts = `there are ${String(deltas.length)} for ${String(count)} samples`;
    throw reader.failure("timeDeltas", `${counts}; ${RECORD}`);
  }
  // Samples of several threads may come in another order than they were taken.
  const lasting = deltas.map((it, index) => Math.max(0, deltas[index + 1] ?? it));
  if (lasting.some((it) => it > 0)) return lasting;
  return new Array<number>(count).fill(intervalOf(profile, count));
}

/** How far samples are apart, by the time that all of them took. */
function intervalOf(
  { startTime, endTime }: Readonly<Record<string, unknown>>,
  count: number,
): number {
  const isTimed =
    typeof startTime === "number" && typeof endTime === "number" && endTime > startTime;
  return isTimed ? (endTime - startTime) / Math.max(1, count) : INTERVAL_US;
}

/** Checks what a file has in it. */
class Reader {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** What is wrong at a place of the file. */
  failure(at: string, what: string): HeadstartError {
    return new HeadstartError(`${this.#file}: ${at === "" ? "" : `${at}: `}${what}`);
  }

  json(text: string): unknown {
    if (text.trim() === "") throw this.failure("", `it is empty; ${RECORD}`);
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      const place = placeOf(text, messageOf(error));
      throw new HeadstartError(
        `${this.#file}${place}: it is no JSON, and so no CPU profile; ${RECORD}`,
      );
    }
  }

  object(value: unknown, at: string): Readonly<Record<string, unknown>> {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Readonly<Record<string, unknown>>;
    }
    throw this.#unlike(at, "an object");
  }

  array(value: unknown, at: string): readonly unknown[] {
    if (Array.isArray(value)) return value;
    throw this.#unlike(at, "an array");
  }

  number(value: unknown, at: string): number {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw this.#unlike(at, "a number");
  }

  string(value: unknown, at: string): string {
    if (typeof value === "string") return value;
    throw this.#unlike(at, "a string");
  }

  #unlike(at: string, expected: string): HeadstartError {
    return this.failure(at, `it is no CPU profile, where ${expected} is expected; ${RECORD}`);
  }
}

/** Where a text stops being JSON, as engines say it: a number of characters, its end, or nothing in a short text. */
function placeOf(text: string, message: string): string {
  const given = /at position (\d+)/.exec(message)?.[1];
  if (given === undefined && !message.includes("end of JSON")) return "";
  const before = text.slice(0, given === undefined ? text.length : Number(given)).split("\n");
  return `:${String(before.length)}:${String((before.at(-1)?.length ?? 0) + 1)}`;
}
