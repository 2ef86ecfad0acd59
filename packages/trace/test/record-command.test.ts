import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { type CommandOptions, recordCommand, TraceError } from "../src/index.js";
import { createTraceFile, isTrace, summarise } from "../src/format/chunk-file.js";
import { temporaryFolder } from "./folder.js";
import { nodes, setup } from "./node.js";
import { readTrace } from "./read-trace.js";

/** A program that goes on for a while, a timer every millisecond. */
const LONG = `let turn = 0; const next = async () => { await null; if (turn++ < 4000) setTimeout(next, 1); }; next();`;

function options(file: string, command: readonly string[]): CommandOptions {
  return {
    command,
    file,
    sites: "sampled",
    setup: setup(),
    signal: new AbortController().signal,
    handOn: () => undefined,
  };
}

await test("a command is recorded, and its exit code is handed on", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const code = "setTimeout(() => process.exit(3), 5)";
  const recorded = await recordCommand(options(file, [process.execPath, "-e", code]));
  assert.equal(recorded.exitCode, 3);
  assert.equal(recorded.stopped, false);
  assert.equal(readFileSync(file).subarray(-8).toString(), "HSTREND1");
  const [thread] = readTrace(file).threads;
  const timer = thread?.registrations.find(({ type }) => type === "Timeout");
  assert.equal(timer?.runs.length, 1);
  assert.equal(timer.parent?.registration?.type, "program");
});

await test("workers and child processes are threads of the same trace", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const code = `
    const { Worker } = require("node:worker_threads");
    new Worker("setTimeout(() => {}, 5)", { eval: true });
    require("node:child_process").fork(require("node:path").join(__dirname, "child.cjs"));`;
  writeFileSync(join(file, "../main.cjs"), code);
  writeFileSync(join(file, "../child.cjs"), "setImmediate(() => {})");
  await recordCommand(options(file, [process.execPath, join(file, "../main.cjs")]));
  const names = readTrace(file).threads.map(({ name }) =>
    name.replace(/\d+/g, "N").replace(/: .*node /, ": node "),
  );
  assert.deepEqual(names.sort(), [
    "process N, Node N.N.N: node child.cjs",
    "process N, Node N.N.N: node main.cjs",
    "worker N of process N",
  ]);
});

await test("a worker that is ended leaves what it had recorded", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const code = `
    const { Worker } = require("node:worker_threads");
    const worker = new Worker("setInterval(() => {}, 1)", { eval: true });
    setTimeout(() => worker.terminate(), 1000);`;
  await recordCommand(options(file, [process.execPath, "-e", code]));
  const worker = readTrace(file).threads.find(({ name }) => name.startsWith("worker"));
  const last = Math.max(...(worker?.runs.map(({ begin }) => begin) ?? []));
  assert.ok(last > 5_000_000, `the last event is ${last / 10_000} ms after the beginning`);
});

await test("after its time, a command is asked to end", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const command = [process.execPath, "-e", "setInterval(() => {}, 10)"];
  const recorded = await recordCommand({ ...options(file, command), seconds: 1 });
  assert.equal(recorded.stopped, true);
  assert.ok(recorded.events > 50, `${recorded.events} events`);
});

await test("after its time, what a shell has started ends, too", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const code =
    'process.on("SIGTERM", () => setTimeout(() => process.exit(), 300)); setInterval(() => {}, 10)';
  const command = ["sh", "-c", '"$0" -e "$1" & "$0" -e "$1"; :', process.execPath, code];
  const recorded = await recordCommand({ ...options(file, command), seconds: 1 });
  assert.equal(recorded.stopped, true);
  const threads = readTrace(file).threads;
  assert.equal(threads.length, 2);
  for (const { name, runs } of threads) {
    assert.ok(
      runs.some(({ registration }) => registration?.type === "SIGNALWRAP"),
      name,
    );
  }
});

/** Its recursion uses up the stack wherever something is registered. */
const DEEP = `
const types = [
  () => { Promise.resolve().then(() => {}); },
  () => { setTimeout(() => {}, 0); },
  () => { new (require("node:async_hooks").AsyncResource)("Deep"); },
];
const seen = [];
const before = Error.prepareStackTrace;
for (const register of types) {
  for (let pad = 0; pad < 5; pad++) {
    let deepest = 0;
    const deeper = (...rest) => { deepest++; register(); return deeper(...rest) + 1; };
    try { deeper(...Array(pad)); } catch (error) { seen.push(error.constructor.name, typeof error.stack); }
  }
}
console.log(new Set(seen).size, [...new Set(seen)].join());
process.on("exit", () => console.log("exit", Error.prepareStackTrace === before, Error.stackTraceLimit));`;

await test("a program that uses up its stack is as without a recorder", async (context) => {
  for (const [, node] of nodes()) {
    for (const sites of ["all", "sampled"] as const) {
      const file = join(temporaryFolder(context), "a.trace");
      const program = join(file, "../deep.cjs");
      const out = join(file, "../out");
      writeFileSync(program, DEEP);
      const command = ["sh", "-c", '"$0" "$1" > "$2"', node, program, out];
      const recorded = await recordCommand({ ...options(file, command), sites, seconds: 60 });
      assert.equal(recorded.exitCode, 0);
      assert.equal(recorded.stopped, false);
      assert.equal(readFileSync(out, "utf8"), "2 RangeError,string\nexit true 10\n");
      const [thread] = readTrace(file).threads;
      assert.ok((thread?.registrations.length ?? 0) > 10_000);
    }
  }
});

await test("a program may replace what maps, sets and objects have", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const code = `
    for (const type of [Map, Set, WeakMap, Object, Function])
      for (const name of Object.getOwnPropertyNames(type.prototype))
        if (/^(?:get|set|has|add|delete|hasOwnProperty)$/.test(name))
          type.prototype[name] = () => { throw new Error(name); };
    class Own extends require("node:async_hooks").AsyncResource {}
    new Own("constructor").runInAsyncScope(() => {});
    new Own("__proto__").runInAsyncScope(() => { process._rawDebug("there"); });`;
  const recorded = await recordCommand(options(file, [process.execPath, "-e", code]));
  assert.equal(recorded.exitCode, 0);
  const types = readTrace(file).threads.flatMap((it) => it.registrations.map(({ type }) => type));
  assert.ok(types.includes("constructor") && types.includes("__proto__"), types.join());
});

await test("nothing is called that a program may have replaced", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  const program = join(file, "../mocks.cjs");
  writeFileSync(
    program,
    `const calls = [];
    const fs = require("node:fs");
    const seen = (object, names) => {
      for (const name of names) {
        const before = object[name];
        object[name] = function (...values) { calls.push(name); return before.apply(this, values); };
      }
    };
    let turns = 0;
    const next = () => {
      Promise.resolve().then(() => {});
      if (++turns < 400) return void setTimeout(next, 1);
      process._rawDebug("calls: " + calls.join());
      process.exitCode = calls.length;
    };
    next();
    seen(Math, ["random", "floor", "round", "max"]);
    seen(fs, ["writeSync", "fstatSync", "openSync"]);
    seen(Buffer, ["from"]);
    seen(Object, ["defineProperty", "getOwnPropertyDescriptor"]);
    seen(Array, ["isArray"]);
    seen(globalThis, ["Error"]);
    seen(performance, ["now"]);`,
  );
  for (const [, node] of nodes()) {
    const recorded = await recordCommand({ ...options(file, [node, program]), sites: "all" });
    assert.equal(recorded.exitCode, 0);
  }
});

await test("a process that is killed leaves what it had recorded", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  createTraceFile(file, { recorder: "test", subject: "test", started: Date.now() });
  const child = spawn(process.execPath, ["--require", setup(), "-e", LONG], {
    env: {
      ...process.env,
      HEADSTART_TRACE: JSON.stringify({ file, started: Date.now(), sites: "sampled" }),
    },
  });
  await sleep(1500);
  child.kill("SIGKILL");
  await once(child, "exit");
  const [thread] = readTrace(file).threads;
  const last = Math.max(...(thread?.runs.map(({ begin }) => begin) ?? []));
  assert.ok(last > 5_000_000, `the last event is ${last / 10_000} ms after the beginning`);
  // Cut off anywhere, it is still a trace.
  truncateSync(file, statSync(file).size - 17);
  assert.ok(isTrace(file));
  assert.ok(summarise(file).events > 0);
});

await test("a full disk ends the recording, not the program", (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  createTraceFile(file, { recorder: "test", subject: "test", started: Date.now() });
  const told = { file, started: Date.now(), sites: "sampled" };
  // A file that may not grow any more is refused as one on a full disk is.
  const script = `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`;
  const args = ["-c", script, process.execPath, "--require", setup(), "-e"];
  const result = spawnSync(
    "bash",
    [...args, `${LONG} setTimeout(() => console.log("done"), 2500)`],
    {
      env: { ...process.env, HEADSTART_TRACE: JSON.stringify(told) },
      encoding: "utf8",
    },
  );
  assert.equal(result.stdout, "done\n");
  assert.match(result.stderr, /^headstart: the trace ends here, it cannot be written: /);
  assert.ok(summarise(file).events > 100);
});

await test("a process that may not open the trace goes on without", (context) => {
  const told = JSON.stringify({
    file: join(temporaryFolder(context), "no/such/a.trace"),
    started: 0,
  });
  const args = ["--require", setup(), "-e", "console.log('done')"];
  const result = spawnSync(process.execPath, args, {
    env: { ...process.env, HEADSTART_TRACE: told },
    encoding: "utf8",
  });
  assert.equal(result.stdout, "done\n");
  assert.match(result.stderr, /^headstart: a process is not recorded: ENOENT/);
});

await test("mistakes are said in a sentence", async (context) => {
  const file = join(temporaryFolder(context), "a.trace");
  await assert.rejects(
    recordCommand(options(file, ["no-such-program-here"])),
    (error) => error instanceof TraceError && error.message.includes("there is no such program"),
  );
  await assert.rejects(
    recordCommand(options(file, ["true"])),
    (error) => error instanceof TraceError && error.message.includes("nothing was recorded"),
  );
});

for (const [version, node] of nodes()) {
  await test(`${version}: the program sees nothing of it`, (context) => {
    const file = join(temporaryFolder(context), "a.trace");
    const code = `
      const seen = Promise.resolve(1).then((value) => value);
      Error.prepareStackTrace = undefined;
      seen.then(() => {
        // Older ones have nothing but async_hooks, which leave symbols on promises.
        if (parseInt(process.versions.node) >= 24) console.log(seen, Reflect.ownKeys(seen));
        console.log(new Error("here").stack.split("\\n")[0], Error.stackTraceLimit);
        setImmediate(() => {});
        console.log(process.getActiveResourcesInfo());
      });`;
    const plain = spawnSync(node, ["-e", code], { encoding: "utf8" });
    createTraceFile(file, { recorder: "test", subject: "test", started: Date.now() });
    const told = JSON.stringify({ file, started: Date.now(), sites: "all" });
    const recorded = spawnSync(node, ["--require", setup(), "-e", code], {
      env: { ...process.env, HEADSTART_TRACE: told },
      encoding: "utf8",
    });
    assert.match(recorded.stdout, /immediate/i);
    assert.equal(recorded.stdout, plain.stdout);
    assert.equal(recorded.stderr, plain.stderr);
  });
}
