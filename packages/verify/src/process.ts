import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

/** How much of what a run prints is kept, from its end, in characters. */
const TAIL = 16_384;
const LOOK_MS = 250;
/** How long pipes may stay open that a killed process has passed on. */
const CLOSE_MS = 1000;

/** A command line with its surroundings. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where and how long a command runs. */
export interface Limits {
  readonly cwd: string;
  /** A file that grows as long as the run gets on, as its output does. */
  readonly pulse: string;
  /** How long neither may grow, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** What stands in the environment of all that belongs to the run, and of nothing else. */
  readonly mark: string;
}

/** How a command ended. */
export interface Ended {
  /** `null` where a signal ended it. */
  readonly code: number | null;
  readonly killedBy: string | null;
  readonly hung: boolean;
  readonly ms: number;
  /** The end of what it printed. */
  readonly tail: string;
}

const running = new Set<ChildProcess>();

/** Ends all that runs, at once: for somebody who has pressed Ctrl-C twice. */
export function killAll(): void {
  for (const child of running) killGroup(child);
}

/**
 * Runs a command in a process group of its own, and leaves nothing of it behind: what is still there
 * when it ends is killed.
 *
 * @throws where the program cannot be started, and an `AbortError` where the signal ended it.
 */
export async function runCommand(command: Command, limits: Limits): Promise<Ended> {
  limits.signal.throwIfAborted();
  const start = performance.now();
  const child = spawn(command.program, command.args, {
    cwd: limits.cwd,
    // That this tool itself may run in a test is nothing to the tests.
    // And `PWD` names the folder that it runs in, not the project that the folder is a copy of.
    env: { ...process.env, PWD: limits.cwd, NODE_TEST_CONTEXT: undefined, ...command.env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own, which can be killed as one.
    detached: true,
  });
  running.add(child);
  const kill = (): void => {
    killGroup(child);
  };
  limits.signal.addEventListener("abort", kill);
  const watch = watchOver(child, limits, kill);
  try {
    const [code, killedBy] = await exit(child);
    const ms = performance.now() - start;
    limits.signal.throwIfAborted();
    const tail = stripVTControlCharacters(watch.tail());
    return { code, killedBy, hung: watch.hung(), ms, tail };
  } finally {
    watch.stop();
    limits.signal.removeEventListener("abort", kill);
    kill();
    sweep(limits.mark);
    await closed(child);
    // What was just being started could not be seen.
    sweep(limits.mark);
    running.delete(child);
  }
}

function exit(child: ChildProcess): Promise<[number | null, string | null]> {
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("exit", (code, signal) => {
      done([code, signal]);
    });
  });
}

/** Waits for the pipes, but not for a process that has left the group with one in its hands. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, CLOSE_MS);
    function finish(): void {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      done();
    }
    if (child.pid === undefined || (child.stdout?.closed && child.stderr?.closed)) finish();
    else child.once("close", finish);
  });
}

function watchOver(child: ChildProcess, limits: Limits, kill: () => void) {
  let tail = "";
  let size = 0;
  let sign = performance.now();
  let hung = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      sign = performance.now();
      tail = (tail + text).slice(-TAIL);
    });
  }
  const timer = setInterval(() => {
    const now = statSync(limits.pulse, { throwIfNoEntry: false })?.size ?? 0;
    if (now !== size) sign = performance.now();
    size = now;
    if (performance.now() - sign < limits.timeoutMs) return;
    hung = true;
    kill();
  }, LOOK_MS);
  return {
    hung: () => hung,
    tail: () => tail,
    stop: () => {
      clearInterval(timer);
    },
  };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nothing of it is left.
  }
}

/**
 * Kills what has left the group of its run. Only Linux says what a process of somebody's has in its
 * environment; elsewhere, the group has to do.
 */
function sweep(mark: string): void {
  if (process.platform !== "linux") return;
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      if (readFileSync(`/proc/${entry}/environ`, "latin1").includes(mark)) {
        process.kill(Number(entry), "SIGKILL");
      }
    } catch {
      // It has ended, or is somebody else's.
    }
  }
}
