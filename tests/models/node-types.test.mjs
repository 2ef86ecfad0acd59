// Every member of the objects that Node's modules return has a row: the types of the models beside
// such objects, in the Node that runs this.
import assert from "node:assert/strict";
import async_hooks from "node:async_hooks";
import buffer from "node:buffer";
import child_process from "node:child_process";
import crypto from "node:crypto";
import dns from "node:dns";
import events from "node:events";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import { builtinModules } from "node:module";
import net from "node:net";
import os from "node:os";
import perf_hooks from "node:perf_hooks";
import readline from "node:readline";
import stream from "node:stream";
import string_decoder from "node:string_decoder";
import { test } from "node:test";
import timers from "node:timers";
import tls from "node:tls";
import tty from "node:tty";
import util from "node:util";
import worker_threads from "node:worker_threads";
import zlib from "node:zlib";
import { FOLDER, IS_REFERENCE, isFor, modelsIn, Types } from "./rows.mjs";

const models = modelsIn("");
const byModule = new Map(models.map((model) => [model.module, model]));
const known = new Types(models);

/** What has a row although it is only there under a condition, or in another version. */
const SOMETIMES = new Set([
  // A channel to the child.
  "child_process#ChildProcess#channel",
  "child_process#ChildProcess#disconnect",
  "child_process#ChildProcess#send",
  // Of a terminal.
  "process#Output#isTTY",
  // Once it is connected.
  "net#Socket#autoSelectFamilyAttemptedAddresses",
  "net#Socket#timeout",
  // Only that of a secret key.
  "crypto#KeyObject#symmetricKeySize",
  // Once something has been typed.
  "readline#Interface#cursor",
  // In newer versions.
  "stream#Duplex#writableAborted",
  // Once it is set.
  "net#Server#dropMaxConnection",
  "net#Server#maxConnections",
  "http#Server#keepAliveTimeoutBuffer",
  "worker_threads#Worker#threadName",
]);

const file = new URL(import.meta.url);
const key = buffer.Buffer.alloc(16);
const { port1, port2 } = new worker_threads.MessageChannel();
const pair = crypto.generateKeyPairSync("ec", { namedCurve: "P-256" });
const output = new stream.PassThrough();

/**
 * An object of each type. What has no constructor of its own and costs too much to make is stood
 * for by its prototype.
 * @type {Record<string, () => unknown>}
 */
const SAMPLES = {
  "async_hooks#AsyncLocalStorage": () => new async_hooks.AsyncLocalStorage(),
  "async_hooks#AsyncResource": () => new async_hooks.AsyncResource("sample"),
  "buffer#Blob": () => new buffer.Blob([]),
  "buffer#Buffer": () => buffer.Buffer.from("sample"),
  "buffer#File": () => new buffer.File([], "sample"),
  "child_process#ChildProcess": () => child_process.spawn(process.execPath, ["--version"]),
  "child_process#ForkedProcess": () =>
    child_process.fork(file, [], { execArgv: ["--version"], silent: true }),
  "child_process#Stdin": () => spawned().stdin,
  "child_process#Stdout": () => spawned().stdout,
  "crypto#Cipheriv": () => crypto.createCipheriv("aes-128-gcm", key, key),
  "crypto#Decipheriv": () => crypto.createDecipheriv("aes-128-gcm", key, key),
  "crypto#DiffieHellman": () => crypto.createDiffieHellman(key),
  "crypto#DiffieHellmanGroup": () => crypto.getDiffieHellman("modp14"),
  "crypto#ECDH": () => crypto.createECDH("prime256v1"),
  "crypto#Hash": () => crypto.createHash("sha256"),
  "crypto#Hmac": () => crypto.createHmac("sha256", key),
  "crypto#KeyObject": () => pair.privateKey,
  "crypto#Sign": () => crypto.createSign("sha256"),
  "crypto#Verify": () => crypto.createVerify("sha256"),
  "crypto#X509Certificate": () => crypto.X509Certificate.prototype,
  "dns#Resolver": () => new dns.Resolver(),
  "dns/promises#Resolver": () => new dns.promises.Resolver(),
  "events#EventEmitter": () => new events.EventEmitter(),
  "fs#BigIntStats": () => fs.statSync(file, { bigint: true }),
  "fs#Descriptor": () => {
    const descriptor = fs.openSync(file);
    fs.closeSync(descriptor);
    return descriptor;
  },
  "fs#Dir": () => {
    const folder = fs.opendirSync(FOLDER);
    folder.closeSync();
    return folder;
  },
  "fs#Dirent": () => fs.readdirSync(FOLDER, { withFileTypes: true })[0],
  "fs#FSWatcher": () => {
    const watcher = fs.watch(file);
    watcher.close();
    return watcher;
  },
  "fs#ReadStream": () => fs.createReadStream(file),
  "fs#StatFs": () => fs.statfsSync(file),
  "fs#StatWatcher": () => {
    const watcher = fs.watchFile(file, () => {});
    fs.unwatchFile(file);
    return watcher;
  },
  "fs#Stats": () => fs.statSync(file),
  "fs#WriteStream": () => fs.createWriteStream(os.devNull),
  "fs/promises#FileHandle": async () => {
    const handle = await fs.promises.open(file);
    await handle.close();
    return handle;
  },
  "http#Agent": () => new http.Agent(),
  "http#ClientRequest": () => {
    const agent = new http.Agent();
    // It never gets a connection.
    agent.createConnection = () => new net.Socket();
    return http.request({ agent }).on("error", () => {});
  },
  "http#IncomingMessage": () => new http.IncomingMessage(new net.Socket()),
  "http#OutgoingMessage": () => new http.OutgoingMessage(),
  "http#Server": () => http.createServer(),
  "http#ServerResponse": () => new http.ServerResponse(new http.IncomingMessage(new net.Socket())),
  "https#Agent": () => new https.Agent(),
  "https#Server": () => https.createServer(),
  "net#BlockList": () => new net.BlockList(),
  "net#Server": () => net.createServer(),
  "net#Socket": () => new net.Socket(),
  "net#SocketAddress": () => new net.SocketAddress({}),
  "perf_hooks#Histogram": () => Object.getPrototypeOf(histogramPrototype()),
  "perf_hooks#IntervalHistogram": () => perf_hooks.monitorEventLoopDelay(),
  "perf_hooks#Performance": () => perf_hooks.performance,
  "perf_hooks#PerformanceEntry": () => perf_hooks.PerformanceEntry.prototype,
  "perf_hooks#PerformanceMark": () => perf_hooks.performance.mark("sample"),
  "perf_hooks#PerformanceMeasure": () => perf_hooks.performance.measure("sample"),
  "perf_hooks#PerformanceObserver": () => new perf_hooks.PerformanceObserver(() => {}),
  "perf_hooks#PerformanceObserverEntryList": () =>
    perf_hooks.PerformanceObserverEntryList.prototype,
  "perf_hooks#RecordableHistogram": () => histogramPrototype(),
  "readline#Interface": () => readline.createInterface({ input: output }),
  "readline/promises#Interface": () => readline.promises.createInterface({ input: output }),
  "readline/promises#Readline": () => new readline.promises.Readline(output),
  "stream#Duplex": () => new stream.Duplex(),
  "stream#PassThrough": () => new stream.PassThrough(),
  "stream#Readable": () => new stream.Readable(),
  "stream#Stream": () => new stream.Stream(),
  "stream#Transform": () => new stream.Transform(),
  "stream#Writable": () => new stream.Writable(),
  "string_decoder#StringDecoder": () => new string_decoder.StringDecoder(),
  "timers#Immediate": () => timers.setImmediate(() => {}),
  "timers#Timeout": () => timers.setTimeout(() => {}, 0),
  "tls#Server": () => tls.createServer(),
  "process#Output": () =>
    Object.create(tty.WriteStream.prototype, Object.getOwnPropertyDescriptors(new net.Socket())),
  "tls#TLSSocket": () => new tls.TLSSocket(new net.Socket()),
  "util#MIMEParams": () => new util.MIMEParams(),
  "util#MIMEType": () => new util.MIMEType("text/plain"),
  "util#TextDecoder": () => new util.TextDecoder(),
  "util#TextEncoder": () => new util.TextEncoder(),
  "worker_threads#BroadcastChannel": () => {
    const channel = new worker_threads.BroadcastChannel("sample");
    channel.close();
    return channel;
  },
  "worker_threads#MessageChannel": () => ({ port1, port2 }),
  "worker_threads#MessagePort": () => port1,
  "worker_threads#Worker": () => new worker_threads.Worker("", { eval: true }),
  "zlib#ZlibBase": () => zlib.createGzip(),
};

function spawned() {
  return child_process.spawn(process.execPath, ["--version"]);
}

/** @returns {object} */
function histogramPrototype() {
  return Object.getPrototypeOf(perf_hooks.createHistogram());
}

/**
 * The names of the members of an object, those that it inherits included.
 * @param {unknown} value
 */
function namesOf(value) {
  /** @type {Set<string>} */
  const names = new Set();
  /** @type {unknown[]} */
  const roots = [null, undefined, Object.prototype, Function.prototype];
  for (
    let it = /** @type {object} */ (value);
    !roots.includes(it);
    it = Object.getPrototypeOf(it)
  ) {
    for (const name of Object.getOwnPropertyNames(it)) names.add(name);
  }
  // Elements are no members.
  return new Set([...names].filter((it) => it !== "constructor" && !/^\d+$/.test(it)));
}

/**
 * Fails with all that was found, or reports it where the rows are for another version of Node.
 * @param {import("node:test").TestContext} t
 * @param {string[]} found
 */
function assertNone(t, found) {
  if (found.length === 0) return;
  if (IS_REFERENCE) assert.fail(found.join("\n"));
  for (const problem of found) t.diagnostic(problem);
}

const ofNode = models.filter((model) => builtinModules.includes(model.module));
const types = ofNode.flatMap((model) =>
  Object.keys(model.types ?? {}).map((name) => ({ module: model.module, name })),
);

for (const { module, name } of types) {
  const place = `${module}#${name}`;
  test(`${place} has a row for every member, and no other`, async (t) => {
    const sample = SAMPLES[place];
    assert(sample, `this test has no object of the type ${place}`);
    const value = await sample();
    const names = namesOf(value);
    const rows = Object.keys(known.rows(module, name));
    const missing = [...names]
      .filter((it) => !rows.some((row) => isFor(row, it)))
      .map((it) => `${place}#${it} has no row`);
    const others = Object.entries(known.find(module, name)?.row.members ?? {}).flatMap(
      ([it, row]) => {
        const at = `${place}#${it}`;
        if (it.endsWith("*") || SOMETIMES.has(at)) return [];
        if (!names.has(it)) return [`${at} has a row, but this Node does not have it`];
        if (row.call === undefined) return [];
        const isMethod = typeof Reflect.get(Object(value), it) === "function";
        return isMethod ? [] : [`${at} is no function`];
      },
    );
    assertNone(t, [...missing, ...others]);
  });
}

test("what rows of Node's modules refer to is there", (t) => {
  const found = ofNode.flatMap((model) =>
    known
      .unknown(model)
      .filter((it) => !it.includes("#") || byModule.has(it.split("#")[0] ?? ""))
      .map((it) => `${model.module} refers to ${it}, which is no type`),
  );
  assertNone(t, found);
});

test("what this test lists has a row", (t) => {
  const places = types.map(({ module, name }) => `${module}#${name}`);
  const stale = Object.keys(SAMPLES).filter((it) => !places.includes(it));
  const rows = types.flatMap(({ module, name }) =>
    Object.keys(known.rows(module, name)).map((it) => `${module}#${name}#${it}`),
  );
  assertNone(t, [...stale, ...[...SOMETIMES].filter((it) => !rows.includes(it))]);
});

test("all that was started comes to an end", () => {
  // Ports and watchers would keep the process waiting.
  port1.close();
  output.destroy();
});
