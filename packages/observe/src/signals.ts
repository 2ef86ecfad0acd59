import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

import { removeTemporary } from "@headstart/verify/scratch";

/** What asks a command to end. */
const ASKING = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"] as const;
type Asking = (typeof ASKING)[number];

/** How long a command may take to end after it was asked to, and what it has left behind after that, in milliseconds. */
const [GRACE_MS, REST_MS, LOOK_MS] = [5000, 500, 20];
/**
 * A key press reaches a whole group of processes, and npx hands it on once more: what follows that closely is the same one.
 */
const SAME_PRESS_MS = 150;

/** Is thrown where a signal came before the command was started. */
export class Interrupted extends Error {
  constructor(readonly exitCode: number) {
    super("was interrupted before the command was started");
  }
}

/**
 * Hands on to a command what asks this process to end. The command is in a session of its own, so that it can be ended with all that
 * it has started: the keys of a terminal do not reach it by themselves, and it gets each once.
 */
export class Signals {
  /** Whether the command had to be killed: it did not end when it was asked to, or there was a second signal. */
  hasKilled = false;
  #child: ChildProcess | undefined;
  /** When the first signal came, and the exit code that it stands for. */
  #since: number | undefined;
  #code = 0;
  #deadline: NodeJS.Timeout | undefined;
  readonly #first = new AbortController();

  constructor() {
    for (const name of ASKING) process.on(name, this.#receive);
  }

  /** Is aborted by the first signal, with an {@link Interrupted}. */
  get signal(): AbortSignal {
    return this.#first.signal;
  }

  /**
   * Hands signals on until a command has ended, and all that it has started; returns its exit code.
   *
   * @param mark stands in the environment of all that the command starts, and of nothing else
   */
  async during(child: ChildProcess, mark: string): Promise<number> {
    this.#child = child;
    try {
      return await new Promise((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code, killedBy) => {
          resolve(this.hasKilled ? this.#code : (code ?? codeOf(killedBy)));
        });
      });
    } finally {
      clearTimeout(this.#deadline);
      // What it has left behind would write into a folder that is gone.
      await endGroup(child.pid);
      sweep(mark);
      this.#child = undefined;
      this.#since = undefined;
    }
  }

  /** Gives the signals back to Node. */
  dispose(): void {
    for (const name of ASKING) process.off(name, this.#receive);
  }

  readonly #receive = (name: Asking): void => {
    const now = performance.now();
    const isFirst = this.#since === undefined;
    if (this.#since !== undefined && now - this.#since <= SAME_PRESS_MS) return;
    this.#since ??= now;
    if (isFirst) this.#ask(name);
    else if (this.#child !== undefined) this.#kill();
    else {
      removeTemporary();
      process.exit(codeOf(name));
    }
  };

  #ask(name: Asking): void {
    this.#code = codeOf(name);
    this.#first.abort(new Interrupted(this.#code));
    if (this.#child === undefined) return;
    // What is done with the keys of a terminal is told to all that stands in it, `kill` asks one process.
    if (name === "SIGTERM") this.#child.kill(name);
    else if (process.platform !== "win32") send(this.#child.pid, name);
    this.#deadline = setTimeout(() => {
      this.#kill();
    }, GRACE_MS);
  }

  #kill(): void {
    this.hasKilled = true;
    send(this.#child?.pid, "SIGKILL");
  }
}

function codeOf(signal: NodeJS.Signals | null): number {
  return 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Ends what is left of a group of processes: it may write what it has seen. */
async function endGroup(group: number | undefined): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (!send(group, signal)) return;
    for (let waited = 0; waited < REST_MS && send(group, 0); waited += LOOK_MS)
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Kills what has left the group of the command: on Linux, which says what a process has in its environment. */
function sweep(mark: string): void {
  if (process.platform !== "linux") return;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const isMarked = readFileSync(`/proc/${entry}/environ`).includes(mark);
      if (isMarked) process.kill(Number(entry), "SIGKILL");
    } catch {
      // It has ended, or is somebody else's.
    }
  }
}

/** Sends a signal to a group of processes; says whether there is any in it. */
function send(group: number | undefined, signal: NodeJS.Signals | 0): boolean {
  if (group === undefined) return false;
  try {
    return process.kill(process.platform === "win32" ? group : -group, signal);
  } catch {
    // All of it has ended.
    return false;
  }
}
