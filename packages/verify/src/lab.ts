import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Copy } from "./copies.js";
import { codeOf, messageOf, VerifyError } from "./errors.js";
import { type Ended, runCommand } from "./process.js";
import { readRecords, type Records } from "./records.js";
import {
  type Choice,
  type Runner,
  type RuntimeSettings,
  type Schedule,
  withRuntime,
} from "./runners/runner.js";

/** What is to be run in a copy. */
export interface Trial extends Choice {
  readonly mode: RuntimeSettings["mode"];
  readonly delayMs: number;
  readonly schedule?: Schedule;
  /** Less time than usual without a sign of life, in ms. */
  readonly timeoutMs?: number;
}

/** How a run went. */
export interface Outcome extends Records {
  readonly how: "done" | "hung" | "crashed";
  readonly ms: number;
  /** The end of what was printed, where the run did not come to its end. */
  readonly tail: string;
}

/** The two copies, and what runs in them. */
export class Lab {
  #runs = 0;

  constructor(
    readonly runner: Runner,
    readonly original: Copy,
    readonly rewritten: Copy,
    /** For records and what runners keep. */
    readonly scratch: string,
    readonly timeoutMs: number,
    readonly signal: AbortSignal,
  ) {}

  /** The copies, in the order in which they run. */
  get copies(): readonly [Copy, Copy] {
    return [this.original, this.rewritten];
  }

  /**
   * Runs tests in a copy.
   *
   * @throws an `AbortError` where the signal ended it, and a {@link VerifyError} where the runner
   * cannot be started.
   */
  async run(copy: Copy, trial: Trial): Promise<Outcome> {
    const records = join(this.scratch, `run-${++this.#runs}.jsonl`);
    // Each copy has a cache of its own: runners keep what they have compiled by path.
    const cache = join(this.scratch, copy.name);
    mkdirSync(cache, { recursive: true });
    const command = this.runner.command(trial, cache);
    const settings = { ...trial, records };
    try {
      const ended = await runCommand(withRuntime(command, settings), {
        cwd: copy.project,
        pulse: records,
        timeoutMs: trial.timeoutMs ?? this.timeoutMs,
        signal: this.signal,
        mark: JSON.stringify(records),
      });
      return this.#outcome(ended, readRecords(readText(records)));
    } catch (error) {
      if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EACCES") throw error;
      throw new VerifyError(`${command.program} cannot be started: ${messageOf(error)}`);
    } finally {
      rmSync(records, { force: true });
    }
  }

  #outcome(ended: Ended, records: Records): Outcome {
    const { hung, ms, tail } = ended;
    if (this.runner.name === "command")
      return { ...wholeCommand(this.runner.label, ended, records), ms };
    const how = hung ? "hung" : records.done ? "done" : "crashed";
    const isNormal = how === "done" && records.tests.length > 0;
    return { ...records, how, ms, tail: isNormal ? "" : tail };
  }
}

/** A command is one test: it passes where it ends with 0, and executes what anything in it does. */
function wholeCommand(label: string, ended: Ended, records: Records): Omit<Outcome, "ms"> {
  const passed = ended.code === 0 && !ended.hung;
  const how = `ended with ${ended.killedBy ?? `exit code ${ended.code ?? "?"}`}`;
  const test = {
    id: label,
    file: "",
    name: label,
    state: passed ? ("passed" as const) : ("failed" as const),
    ms: ended.ms,
    sites: records.outside,
    ...(passed ? {} : { message: `${how}\n${ended.tail.slice(-2000)}` }),
  };
  return {
    ...records,
    // What it makes of an error that nobody meets is its exit code.
    unhandled: [],
    tests: [test],
    operations: { [label]: records.loose },
    outside: [],
    open: ended.hung ? [label] : [],
    done: true,
    how: ended.hung ? "hung" : "done",
    tail: "",
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    // A run that never got as far as to write leaves none.
    if (codeOf(error) === "ENOENT") return "";
    throw error;
  }
}
