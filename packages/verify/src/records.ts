import { groupBy } from "./group.js";

/** What a test said. */
export type State = "passed" | "failed" | "skipped";

/** A test in one run. */
export interface TestRun {
  /** Names the test among all of the project. */
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly state: State;
  /** How long it took with the hooks around it; `null` where it did not begin. */
  readonly ms: number | null;
  /** The sites that it executed, in a run with probes. */
  readonly sites: readonly number[];
  /** What the runner said of a failure. */
  readonly message?: string;
}

/** An operation that was under way, in ms of one clock. */
export interface OperationRun {
  readonly site: number;
  readonly op: number;
  readonly start: number;
  readonly end: number;
}

/** Something that went wrong outside of what a test says. */
export interface Trouble {
  /** The test that was running, or the file; empty where neither is known. */
  readonly where: string;
  readonly message: string;
}

/** What the records of a run say. */
export interface Records {
  readonly tests: readonly TestRun[];
  /** Sites that ran while no test did. */
  readonly outside: readonly number[];
  /** Rejections and exceptions that nobody met. */
  readonly unhandled: readonly Trouble[];
  /** Files that could not be run as a whole. */
  readonly files: readonly Trouble[];
  /** Tests that began and did not end. */
  readonly open: readonly string[];
  /** What was measured, by test. */
  readonly operations: Readonly<Record<string, readonly OperationRun[]>>;
  /** What was measured while no test ran. */
  readonly loose: readonly OperationRun[];
  /** The tests in which an operation was made to fail; empty for outside of any. */
  readonly failing: readonly string[];
  /** Whether the runner came to its end. */
  readonly done: boolean;
}

type Line =
  | { k: "begin"; id: string }
  | { k: "end"; id: string; ms: number }
  | { k: "hit"; site: number }
  | { k: "op"; site: number; op: number; start: number; end: number }
  | { k: "failing" }
  | { k: "unhandled"; message: string }
  | { k: "file"; file: string; message: string }
  | { k: "result"; id: string; file: string; name: string; state: State; message?: string }
  | { k: "done" };

type ResultLine = Extract<Line, { k: "result" }>;

/** One time that a test ran. */
interface Attempt {
  ms: number | null;
  readonly sites: Set<number>;
  readonly operations: OperationRun[];
}

/** Reads the records of a run. What belongs to a test stands between its begin and its end. */
export function readRecords(text: string): Records {
  const reader = new Reader();
  for (const line of text.split("\n")) {
    const parsed = parseLine(line);
    if (parsed !== undefined) reader.take(parsed);
  }
  return reader.finish();
}

/** A line that a killed process has begun is none. */
function parseLine(line: string): Line | undefined {
  if (line === "") return undefined;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #attempts = new Map<string, Attempt[]>();
  readonly #open = new Map<string, Attempt>();
  readonly #results: ResultLine[] = [];
  readonly #outside = new Set<number>();
  readonly #loose: OperationRun[] = [];
  readonly #failing = new Set<string>();
  readonly #unhandled: Trouble[] = [];
  readonly #files: Trouble[] = [];
  #done = false;

  take(line: Line): void {
    switch (line.k) {
      case "begin":
        this.#begin(line.id);
        return;
      case "end":
        this.#end(line.id, line.ms);
        return;
      case "hit":
        if (this.#open.size === 0) this.#outside.add(line.site);
        for (const attempt of this.#open.values()) attempt.sites.add(line.site);
        return;
      case "op":
        if (this.#open.size === 0) this.#loose.push(line);
        for (const attempt of this.#open.values()) attempt.operations.push(line);
        return;
      case "failing":
        this.#failing.add(this.#last);
        return;
      case "unhandled":
        this.#unhandled.push({ where: this.#last, message: line.message });
        return;
      case "file":
        this.#files.push({ where: line.file, message: line.message });
        return;
      case "result":
        this.#results.push(line);
        return;
      case "done":
        this.#done = true;
    }
  }

  /** The test that began last of those that have not ended. */
  get #last(): string {
    return [...this.#open.keys()].at(-1) ?? "";
  }

  #begin(id: string): void {
    const attempt: Attempt = { ms: null, sites: new Set(), operations: [] };
    this.#attempts.set(id, [...(this.#attempts.get(id) ?? []), attempt]);
    this.#open.set(id, attempt);
  }

  #end(id: string, ms: number): void {
    const attempt = this.#open.get(id);
    if (attempt !== undefined) attempt.ms = ms;
    this.#open.delete(id);
  }

  finish(): Records {
    const operations: Record<string, OperationRun[]> = {};
    const tests = [...groupBy(this.#results, ({ id }) => id)].flatMap(([id, results]) => {
      const attempts = this.#attempts.get(id) ?? [];
      return results.map((result, index) => {
        // More attempts than results are repetitions, of which the last one counts.
        const attempt = results.length === 1 ? attempts.at(-1) : attempts[index];
        // Tests may have the same name: the order tells them apart.
        const name = index === 0 ? result.name : `${result.name} (${index + 1})`;
        const test = testRun(result, name, index === 0 ? id : `${id} (${index + 1})`, attempt);
        if (attempt !== undefined && attempt.operations.length > 0) {
          operations[test.id] = attempt.operations;
        }
        return test;
      });
    });
    return {
      tests,
      outside: [...this.#outside],
      unhandled: this.#unhandled,
      files: this.#files,
      open: [...this.#open.keys()],
      operations,
      loose: this.#loose,
      failing: [...this.#failing],
      done: this.#done,
    };
  }
}

function testRun(result: ResultLine, name: string, id: string, attempt?: Attempt): TestRun {
  const { file, state, message } = result;
  const sites = [...(attempt?.sites ?? [])].sort((a, b) => a - b);
  const base = { id, file, name, state, ms: attempt?.ms ?? null, sites };
  return message === undefined ? base : { ...base, message };
}
