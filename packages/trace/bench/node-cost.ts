// What recording costs a server, side by side: node --import tsx bench/node-cost.ts ROUNDS [NODE...]
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createTraceFile, summarise } from "../src/format/chunk-file.js";
import { setup } from "../test/node.js";

const CONNECTIONS = 20;
const WARM_UP = 3000;
const REQUESTS = 8000;

const [rounds = "7", ...given] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "headstart-trace-cost-"));
const server = fileURLToPath(new URL("server.mjs", import.meta.url));

interface Usage {
  /** Microseconds of CPU time. */
  readonly cpu: number;
  /** Bytes resident. */
  readonly memory: number;
}

async function answer<T>(child: ChildProcess): Promise<T> {
  return ((await once(child, "message")) as [T])[0];
}

async function usage(child: ChildProcess): Promise<Usage> {
  const reply = answer<Usage>(child);
  child.send("usage");
  return reply;
}

async function load(port: number, requests: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let left = requests;
  const one = async (): Promise<void> => {
    const [response] = (await once(http.get({ port, agent }), "response")) as [
      http.IncomingMessage,
    ];
    response.resume();
    await once(response, "end");
  };
  const connection = async (): Promise<void> => {
    while (left-- > 0) await one();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
}

/** CPU time of a request in microseconds, and the memory afterwards. */
async function measured(node: string, trace: string | undefined): Promise<Usage> {
  const started = Date.now();
  if (trace !== undefined) createTraceFile(trace, { recorder: "node", subject: "cost", started });
  const child = fork(server, {
    execPath: node,
    execArgv: trace === undefined ? [] : ["--require", setup()],
    env: {
      ...process.env,
      ...(trace !== undefined && {
        HEADSTART_TRACE: JSON.stringify({ file: trace, started, sites: "sampled" }),
      }),
    },
  });
  const { port } = await answer<{ port: number }>(child);
  await load(port, WARM_UP);
  const before = await usage(child);
  await load(port, REQUESTS);
  const after = await usage(child);
  child.send("exit");
  await once(child, "exit");
  return { cpu: (after.cpu - before.cpu) / REQUESTS, memory: after.memory };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}

for (const node of given.length > 0 ? given : [process.execPath]) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const ratios: number[] = [];
  const memory: number[] = [];
  const trace = join(folder, `${version}.trace`);
  for (let round = 0; round < Number(rounds); round++) {
    // Which comes first changes.
    const order = round % 2 === 0 ? [undefined, trace] : [trace, undefined];
    const results = new Map<string | undefined, Usage>();
    for (const file of order) results.set(file, await measured(node, file));
    const [plain, recorded] = [results.get(undefined), results.get(trace)];
    if (plain === undefined || recorded === undefined) continue;
    ratios.push(recorded.cpu / plain.cpu);
    memory.push((recorded.memory - plain.memory) / 2 ** 20);
  }
  const { events, bytes } = summarise(trace);
  console.log(
    `${version}: CPU time ${median(ratios).toFixed(3)} of that without recording ` +
      `(${ratios.map((it) => it.toFixed(2)).join(", ")}), ` +
      `${(bytes / events).toFixed(2)} bytes an event, ${median(memory).toFixed(1)} MiB more memory`,
  );
}
rmSync(folder, { recursive: true });
