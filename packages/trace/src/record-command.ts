import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

import { TraceError } from "./errors.js";
import { createTraceFile, summarise, type Summary, writeIndex } from "./format/chunk-file.js";
import type { ThreadOptions } from "./node/record-thread.js";
import type { SiteMode } from "./node/sites.js";

/** What {@link recordCommand} is told. */
export interface CommandOptions {
  /** The command and its arguments. */
  readonly command: readonly string[];
  /** The trace to write. */
  readonly file: string;
  readonly sites: SiteMode;
  /** After so many seconds the command is asked to end. */
  readonly seconds?: number;
  /** The script that all processes load first: the bundle of `node/setup.ts`. */
  readonly setup: string;
  /** Asks to stop. */
  readonly signal: AbortSignal;
  /** The signal to hand on then; none if the command has it already, as with Ctrl-C in a terminal. */
  readonly handOn: () => NodeJS.Signals | undefined;
}

/** What came of it. */
export interface Recorded extends Summary {
  /** The exit code of the command; 128 and the number of the signal that ended it. */
  readonly exitCode: number;
  /** Whether it was ended by us. */
  readonly stopped: boolean;
}

/** How long a command may take to end when asked to, in milliseconds. */
const GRACE = 5000;

/**
 * Runs a command and records all Node processes and threads of it.
 *
 * @throws {TraceError} if the command cannot be started, or nothing of it is Node
 */
export async function recordCommand(options: CommandOptions): Promise<Recorded> {
  const started = Date.now();
  const { command, file } = options;
  createTraceFile(file, {
    recorder: "node",
    subject: command.join(" "),
    started,
    folder: process.cwd(),
  });
  const isGroup = hasGroup(options);
  const child = start(options, started, isGroup);
  const stop = new Stop(child, isGroup);
  const timer = options.seconds === undefined ? undefined : stop.after(options.seconds);
  const onAbort = (): void => {
    stop.now(options.handOn());
  };
  options.signal.addEventListener("abort", onAbort);
  try {
    const exitCode = await ended(child, command);
    await stop.allEnded();
    writeIndex(file);
    const summary = summarise(file);
    if (summary.chunks === 0) throw new TraceError(nothing(command));
    return { ...summary, exitCode, stopped: stop.asked };
  } finally {
    clearTimeout(timer);
    stop.dispose();
    options.signal.removeEventListener("abort", onAbort);
  }
}

function nothing(command: readonly string[]): string {
  return (
    `nothing was recorded: no process of "${command.join(" ")}" was Node 20 or newer, may write files, and ` +
    "had the environment that it was given (NODE_OPTIONS set anew, or left out, keeps the recorder away)"
  );
}

/**
 * Whether the command gets a process group of its own: what it starts in turn (a shell, its servers) has to end with it
 * after its time. Without a time it stays in that of the terminal, from which it may read.
 */
function hasGroup({ seconds }: CommandOptions): boolean {
  return seconds !== undefined && process.platform !== "win32";
}

function start(
  { command, file, sites, setup }: CommandOptions,
  started: number,
  detached: boolean,
): ChildProcess {
  const [program = "", ...rest] = command;
  const told: ThreadOptions = { file, started, sites };
  return spawn(program, rest, {
    stdio: "inherit",
    detached,
    // What npm installs as commands is a script of the shell there.
    shell: process.platform === "win32",
    env: {
      ...process.env,
      NODE_OPTIONS: nodeOptions(setup, process.env["NODE_OPTIONS"]),
      HEADSTART_TRACE: JSON.stringify(told),
    },
  });
}

/** Node splits this at spaces, but for what stands in quotation marks. */
function nodeOptions(setup: string, given: string | undefined): string {
  const quoted = `"${setup.replace(/["\\]/g, "\\$&")}"`;
  return [`--require ${quoted}`, given ?? ""].join(" ").trim();
}

async function ended(child: ChildProcess, command: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const name = command[0] ?? "";
      const reason = error.code === "ENOENT" ? "there is no such program" : error.message;
      reject(new TraceError(`cannot run "${name}": ${reason}`));
    });
    child.once("close", (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Whether a process of a group runs: those that nobody has waited for count to it, too, for as long as they like. */
function runsInGroup(group: number): boolean {
  if (process.platform !== "linux") return true;
  return readdirSync("/proc").some((name) => /^\d+$/.test(name) && isOf(group, name));
}

function isOf(group: number, process: string): boolean {
  try {
    // Behind the name, which may have anything in it: the state, the parent, the group (proc_pid_stat(5)).
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    const [state, , owner] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state !== "Z" && Number(owner) === group;
  } catch {
    return false;
  }
}

/** Asks a process to end, and ends it if that takes too long. */
class Stop {
  asked = false;
  private deadline: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    /** Whether it has a process group of its own, which no key press of a terminal reaches. */
    private readonly isGroup: boolean,
  ) {}

  after(seconds: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.now("SIGTERM");
    }, seconds * 1000);
  }

  /** @param signal the one to send, if the process does not have it already */
  now(signal: NodeJS.Signals | undefined): void {
    this.asked = true;
    if (signal !== undefined) this.kill(signal);
    else if (this.isGroup) this.kill("SIGINT");
    this.deadline ??= setTimeout(() => {
      this.kill("SIGKILL");
    }, GRACE);
  }

  /** Settles when all that was asked to end has done so, or has had the time to. */
  async allEnded(): Promise<void> {
    const latest = Date.now() + GRACE;
    while (this.asked && this.isGroup && this.isThere() && Date.now() < latest) await sleep(20);
  }

  private isThere(): boolean {
    return this.child.pid !== undefined && this.kill(0) && runsInGroup(this.child.pid);
  }

  /** Returns whether there is anything left of it. */
  private kill(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.child;
    if (!this.isGroup || pid === undefined) return this.child.kill(signal);
    try {
      return process.kill(-pid, signal);
    } catch {
      return false;
    }
  }

  dispose(): void {
    clearTimeout(this.deadline);
  }
}
