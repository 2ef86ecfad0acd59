// The modules and globals that programs see, answered by a world.

import events from "node:events";

import { claimsOf, handlesOf, inputOf, isInput, streamsOf, writersOf } from "./files.mjs";
import { fileOf } from "./resources.mjs";
import { axiosOf, poolOf } from "./clients.mjs";
import { hash } from "./state.mjs";

/** What `import` gives for each module of a world. */
export function modulesOf(world) {
  const files = filesOf(world);
  return {
    "node:fs": { ...streamsOf(world), ...writersOf(world), constants: { COPYFILE_EXCL: 1 } },
    "node:fs/promises": files,
    "node:timers/promises": { setTimeout: (delay) => sleep(world, delay) },
    "node:child_process": { execFile: "execFile" },
    "node:util": { promisify: () => (program, args) => run(world, program, args) },
    "node:events": events,
    "node:path": { join: (...parts) => parts.join("/") },
    pg: { Pool: poolOf(databaseOf(world)), Client: databaseOf(world) },
    mongodb: { MongoClient: documentsOf(world) },
    ioredis: { Redis: storeOf(world) },
    undici: { setGlobalDispatcher: (dispatcher) => void (world.dispatcher = dispatcher) },
    get axios() {
      return axiosOf((config) => send(world, "axios", config.url, config));
    },
  };
}

/** The globals that are answered by a world, by name. */
export function globalsOf(world) {
  class OwnError extends Error {
    constructor(message, options) {
      super(message, options);
      this.world = world;
    }
  }
  class OwnDate extends Date {
    constructor(...parts) {
      super(...(parts.length > 0 ? parts : [world.now()]));
    }

    static now() {
      return world.now();
    }
  }
  return {
    fetch: (input, options) => fetchIn(world, input, options),
    Request,
    console: { log: (...values) => world.print(...values) },
    Date: OwnDate,
    performance: { now: () => world.now() },
    Error: OwnError,
    process: { argv: ["node", "program", "/dev/stdin"] },
    setImmediate: (callback) => world.defer(callback),
  };
}

function filesOf(world) {
  const read = (name, apply) => (path) => {
    if (isInput(path)) return inputOf(world, name, path);
    const file = fileOf(path);
    return world.operation({
      key: `${name} ${path}`,
      reads: [`file:${file}`],
      isOther: name === "lstat",
      apply: (state) => apply(state, file),
    });
  };
  const write = (name, apply) => (path, data) => {
    const file = fileOf(path);
    return world.operation({
      key: `${name} ${path}${typeof data === "string" ? ` ${data}` : ""}`,
      writes: [`file:${file}`],
      removes: REMOVING.includes(name) ? [`file:${file}`] : [],
      apply: (state) => apply(state, file, data),
    });
  };
  const pair = (name, isMove) => (from, to) => {
    const [source, target] = [fileOf(from), fileOf(to)];
    return world.operation({
      key: `${name} ${from} ${to}`,
      reads: [`file:${source}`],
      writes: isMove ? [`file:${source}`, `file:${target}`] : [`file:${target}`],
      removes: isMove ? [`file:${source}`] : [],
      apply: (state) => {
        state.write(target, state.read(source));
        if (isMove) state.remove(source);
      },
    });
  };
  const remove = (state, path) => state.remove(path);
  const plain = {
    readFile: read("readFile", (state, path) => state.read(path)),
    access: read("access", () => undefined),
    readdir: read("readdir", (state, path) => state.list(path)),
    stat: read("stat", stat),
    lstat: read("lstat", stat),
    writeFile: write("writeFile", (state, path, data) => state.write(path, data)),
    appendFile: write("appendFile", (state, path, data) =>
      state.write(path, `${state.read(path)}${data}`),
    ),
    mkdir: write("mkdir", (state, path) => state.write(path, "folder")),
    rm: write("rm", remove),
    rmdir: write("rmdir", remove),
    unlink: write("unlink", remove),
    rename: pair("rename", true),
    copyFile: pair("copyFile", false),
  };
  return { ...plain, ...claimsOf(world, plain), ...handlesOf(world, plain) };
}

/** The operations that take away what others may be reading. */
const REMOVING = ["rm", "rmdir", "unlink"];

function stat(state, path) {
  const isFolder = state.bit(`folder ${path}`) === 1;
  return {
    size: state.read(path).length,
    mtimeMs: state.version(`file:${path}`),
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
  };
}

function sleep(world, delay) {
  return world.operation({ key: `sleep ${String(delay)}`, isTimer: true, apply: () => undefined });
}

/** What `fetch` may be given instead of an address. */
class Request {
  constructor(input, { method, body } = {}) {
    const { url, ...given } = typeof input === "string" ? { url: input } : input;
    this.url = url;
    this.method = method ?? given.method ?? "GET";
    this.body = body ?? given.body;
  }

  clone() {
    return new Request(this);
  }
}

function fetchIn(world, input, options = {}) {
  const { url, ...given } = typeof input === "string" ? { url: input } : input;
  const method = options.method ?? given.method;
  const request = { path: url, method, body: options.body ?? given.body };
  const answer = ({ path, ...sent }) => send(world, "fetch", path, sent);
  return world.dispatcher?.dispatch(request, answer) ?? answer(request);
}

/** A request on its way to a host. */
function send(world, how, url, { method = "GET", body = "" }) {
  const host = `host:${url.split("/")[2]}`;
  const isRead = method === "GET";
  return world.operation({
    key: `${how} ${method} ${url} ${body}`.trimEnd(),
    [isRead ? "reads" : "writes"]: [host],
    apply: (state) => {
      if (!isRead) state.bump(host);
      const ok = state.bit(url) === 1;
      const content = `${url.split("/").pop()}v${String(state.version(host))}`;
      return how === "axios" ? { data: content, status: 200 } : response(world, url, content, ok);
    },
  });
}

function response(world, url, content, ok) {
  const body = (name, value) => () =>
    world.operation({ key: `${name} ${url} ${content}`, reads: [], apply: () => value });
  return {
    url,
    ok,
    status: ok ? 200 : 404,
    text: body("text", content),
    json: body("json", { content }),
    toJSON: () => ({ url, ok, content }),
  };
}

function run(world, program, args) {
  const line = [program, ...args].join(" ");
  const isRead =
    /^git (status|rev-parse|log|config --get|diff|diff-files|diff-index|branch --list)/.test(line);
  const seesFiles = /^git (status|diff|add|commit)/.test(line) ? ["tree"] : [];
  return world.operation({
    key: line,
    reads: isRead ? ["git", ...seesFiles] : seesFiles,
    writes: isRead ? [] : ["git"],
    apply: (state) => {
      if (!isRead) state.bump("git");
      if (/^git (status|diff |diff$)/.test(line)) state.bump("index");
      if (/^git diff-(files|index)/.test(line)) {
        const isStale = state.version("index") === 0;
        return { stdout: isStale ? "a1" : `0${String(state.version("git"))}`, stderr: "" };
      }
      const seen = seesFiles.length > 0 ? state.tree() : 0;
      const said = hash(`${line} ${String(state.version("git"))} ${String(seen)}`) % 1000;
      return { stdout: `${String(said)}${String(state.bit(line))}`, stderr: "" };
    },
  });
}

function databaseOf(world) {
  return class Database {
    async connect() {}

    query(sql, values = []) {
      const table = `table:${/(?:from|into|update) (\w+)/i.exec(sql)?.[1] ?? "none"}`;
      const isRead = /^select/i.test(sql);
      return world.operation({
        key: `query ${[sql, ...values].join(" ")}`,
        [isRead ? "reads" : "writes"]: [table],
        apply: (state) => {
          if (!isRead) state.bump(table);
          const count = state.bit(sql) + 1;
          const v = `${table.slice(6)}${String(state.version(table))}`;
          return { rows: Array.from({ length: count }, (_, id) => ({ id, v })), rowCount: count };
        },
      });
    }
  };
}

function documentsOf(world) {
  const collection = (name) => {
    const table = `table:${name} documents`;
    return {
      findOne: ({ k }) =>
        world.operation({
          key: `findOne ${name} ${k}`,
          reads: [table],
          apply: (state) => ({ k, v: `${k}${String(state.version(table))}` }),
        }),
      insertOne: ({ k }) =>
        world.operation({
          key: `insertOne ${name} ${k}`,
          writes: [table],
          apply: (state) => state.bump(table),
        }),
    };
  };
  return class MongoClient {
    db() {
      return { collection };
    }
  };
}

function storeOf(world) {
  return class Redis {
    get(key) {
      return world.operation({
        key: `get ${key}`,
        reads: [`redis:${key}`],
        apply: (state) => state.read(`redis-${key}`),
      });
    }

    set(key, value) {
      return world.operation({
        key: `set ${key} ${value}`,
        writes: [`redis:${key}`],
        apply: (state) => state.write(`redis-${key}`, value),
      });
    }
  };
}
