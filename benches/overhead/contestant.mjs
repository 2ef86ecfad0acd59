/** A process that runs one variant of one program, on one core where `taskset` is there. */
import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { clearTimeout, setTimeout } from "node:timers";
import { fileURLToPath } from "node:url";
import { write } from "./workspace.mjs";

const WORKER = path.join(path.dirname(fileURLToPath(import.meta.url)), "worker.mjs");

/** The last core: the first ones get most of what the system does itself. */
const CORE = String(availableParallelism() - 1);
const pins = spawnSync("taskset", ["-c", CORE, "true"]).status === 0;

/** How the processes are pinned, for the heading of the tables. */
export const pinning = pins ? `pinned to core ${CORE}` : "not pinned (no taskset)";

/** A peer that does not get through its program in this time is taken to hang. */
const PATIENCE_MS = 20_000;

export class Contestant {
  /**
   * @param {object} job what the worker runs: `module`, `input`, `expected`
   * @param {{name: string, node?: string, patience?: number, pin?: boolean}} options a name for files,
   *   the Node to run, milliseconds to wait for any answer, whether to pin the process
   */
  constructor(job, { name, node = process.execPath, patience = PATIENCE_MS, pin = pins }) {
    this.patience = patience;
    this.samples = [];
    const command = [node, WORKER, write("jobs", `${name}.json`, JSON.stringify(job))];
    const [program, ...args] = pin ? ["taskset", "-c", CORE, ...command] : command;
    this.child = spawn(program, args, { stdio: ["ignore", "inherit", "pipe", "ipc"] });
    this.errors = "";
    this.child.stderr.on("data", (chunk) => (this.errors += chunk));
    this.ready = this.answer();
  }

  /** The next answer of the process. Rejects with what the tables print instead of a number. */
  answer() {
    return new Promise((resolve, reject) => {
      const finish = (settle, value) => {
        clearTimeout(timer);
        this.child.removeListener("message", onMessage);
        this.child.removeListener("exit", onExit);
        settle(value);
      };
      const onMessage = ({ value, fault }) =>
        fault ? finish(reject, new Error(fault)) : finish(resolve, value);
      const onExit = () => finish(reject, new Error(firstError(this.errors)));
      const timer = setTimeout(() => finish(reject, new Error("does not end")), this.patience);
      this.child.on("message", onMessage);
      this.child.on("exit", onExit);
    });
  }

  ask(message) {
    const answer = this.answer();
    this.child.send(message);
    return answer;
  }

  async sample(ms) {
    this.samples.push(await this.ask({ sample: ms }));
  }

  stop() {
    this.child.kill("SIGKILL");
  }
}

function firstError(text) {
  return text.split("\n").find((line) => /^\w*Error/.test(line)) ?? "ended early";
}
