import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";

import { CodePlaces, type CodePlacesOptions } from "../../src/otel.js";
import { project } from "../temp.js";

type Attributes = Record<string, string | number>;

interface Pool {
  places: CodePlaces;
  /** What is set at the span of each query. */
  readonly spans: Readonly<Record<string, Attributes>>;
  query(text: string, callback: (text: string) => void): void;
}

/**
 * A pool of one connection, in a package, so that no line of it is the program's: who has to wait gets it when another one is done,
 * in that one's context.
 */
const POOL = `export const mixed = () => ({
  spans: {},
  queue: [],
  isBusy: false,
  async query(text) {
    if (this.isBusy) return new Promise((resolve) => this.queue.push(() => resolve(this.run(text))));
    this.isBusy = true;
    await null;
    return await this.run(text);
  },
  next() {
    const next = this.queue.shift();
    this.isBusy = next !== undefined;
    next?.();
  },
  async run(text) {
    const attributes = this.spans[text] = {};
    const span = { kind: 2, setAttribute: (key, value) => void (attributes[key] = value) };
    this.places.onStart(span);
    await null;
    this.places.onEnd(span);
    this.next();
    return text;
  },
});
export const pool = (waiting) => ({
  spans: {},
  queue: [],
  isBusy: false,
  [waiting](callback) {
    if (this.isBusy) this.queue.push(callback);
    else setImmediate(callback);
    this.isBusy = true;
  },
  query(text, callback) {
    this[waiting](() => {
      const attributes = this.spans[text] = {};
      const span = { kind: 2, setAttribute: (key, value) => void (attributes[key] = value) };
      this.places.onStart(span);
      setImmediate(() => {
        this.places.onEnd(span);
        const next = this.queue.shift();
        this.isBusy = next !== undefined;
        next?.();
        callback(text);
      });
    });
  },
});`;

const folder = project({
  "node_modules/pool/index.mjs": POOL,
  "throws.mjs": `const { CodePlaces } = await import(process.argv[2]);
const places = new CodePlaces();
if (process.argv[3] === "freeze") Object.freeze(Error);
let line;
places.onStart({ kind: 2, setAttribute: (key, value) => { if (key === "code.line.number") line = value; } });
console.log(line);
`,
});

const POOLS = pathToFileURL(join(folder, "node_modules/pool/index.mjs")).href;

/** It knows of promises, and yet runs what waits when another one is done. */
type MixedPool = Omit<Pool, "query"> & { query(text: string): Promise<string> };

async function poolOf(waiting: string): Promise<Pool> {
  const { pool } = (await import(POOLS)) as { pool: (waiting: string) => Pool };
  const made = pool(waiting);
  made.places = new CodePlaces({ calls: [[made, "query"]] });
  return made;
}

/** The function of the program that is said to have made a query. */
function callerIn(attributes: Attributes | undefined): string | undefined {
  return /^ {4}at (\w+)/.exec(String(attributes?.["code.stacktrace"] ?? ""))?.[1];
}

function attributesOf(places: CodePlaces): Attributes {
  const found: Attributes = {};
  places.onStart({ kind: 2, setAttribute: (key, value) => (found[key] = value) });
  return found;
}

describe("CodePlaces", () => {
  /** Asks three times at once, and then once more. */
  async function asked(pool: Pool): Promise<(string | undefined)[]> {
    const first = (then: (text: string) => void): void => {
      pool.query("1", then);
    };
    const second = (then: (text: string) => void): void => {
      pool.query("2", then);
    };
    const third = (then: (text: string) => void): void => {
      pool.query("3", then);
    };
    const last = (then: (text: string) => void): void => {
      pool.query("4", then);
    };
    await Promise.all([first, second, third].map((ask) => new Promise(ask)));
    await new Promise(last);
    return ["1", "2", "3", "4"].map((text) => callerIn(pool.spans[text]));
  }

  it("says of each query who has made it, also where one gets the connection of another", async () => {
    assert.deepEqual(await asked(await poolOf("connect")), ["first", "second", "third", "last"]);
  });

  it("says nothing where what runs may be of another call", async () => {
    // Nobody knows by what function this one waits.
    assert.deepEqual(await asked(await poolOf("take")), [undefined, undefined, undefined, "last"]);
  });

  it("knows who waits for what a pool has begun, and does not take it for who waits for another", async () => {
    const { mixed } = (await import(POOLS)) as { mixed: () => MixedPool };
    const pool = mixed();
    pool.places = new CodePlaces({ calls: [[pool, "query"]] });
    async function page(name: string): Promise<void> {
      await pool.query(`${name} 1`);
      await pool.query(`${name} 2`);
    }
    await Promise.all([page("a"), pool.query("b")]);
    const callers = Object.entries(pool.spans).map(([text, it]) => [text, callerIn(it)]);
    assert.deepEqual(callers, [
      ["a 1", "page"],
      ["b", undefined],
      ["a 2", "page"],
    ]);
  });

  it("does not take who gives a connection back for who gets it", () => {
    const url = pathToFileURL(join(folder, "node_modules/pool/release.mjs")).href;
    const text = "({ release(then) { then(); } })";
    const client = runInThisContext(text, url) as { release: (then: () => void) => void };
    const places = new CodePlaces();
    const span: Attributes = {};
    const set = (key: string, value: string | number): void => void (span[key] = value);
    const next = runInThisContext("(places, span) => () => places.onStart(span)", url) as (
      ...values: unknown[]
    ) => () => void;
    client.release(next(places, { kind: 2, setAttribute: set }));
    assert.deepEqual(span, {});
  });

  it("does not take what the program does when it is called back for a part of the call", async () => {
    const pool = await poolOf("connect");
    const inside = await new Promise<Attributes>((resolve) => {
      pool.query("1", function calledBack() {
        resolve(attributesOf(pool.places));
      });
    });
    assert.match(String(inside["code.stacktrace"]), /calledBack/);
  });

  it("calls what an instrumentation puts below a function later", () => {
    const above = { query: (text: string) => text };
    const held = Object.create(above) as typeof above;
    new CodePlaces({ calls: [[held, "query"]] });
    above.query = (text) => `seen ${text}`;
    assert.equal(held.query("text"), "seen text");
    assert.deepEqual(Object.keys(held), []);
  });

  it("says what is wrong with options", () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [null, /takes an object of options/],
      [{ calls: null }, /calls is a list/],
      [{ calls: [null] }, /calls is a list/],
      [{ calls: [[undefined, "query"]] }, /calls is a list/],
      [{ calls: [[{}, "query"]] }, /query is no function there/],
      [{ calls: [[Object.freeze({ query: () => 1 }), "query"]] }, /query cannot be replaced/],
      [{ sample: "all" }, /sample is a number from 0 to 1/],
      [{ sample: NaN }, /sample is a number from 0 to 1/],
    ];
    for (const [options, message] of wrong) {
      assert.throws(
        () => new CodePlaces(options as CodePlacesOptions),
        (error) => error instanceof TypeError && message.test(error.message),
        JSON.stringify(options),
      );
    }
  });

  it("never throws at the start of a span, and leaves Error as it was", () => {
    const places = new CodePlaces();
    const setAttribute = (): never => {
      throw new Error("a span that has ended");
    };
    places.onStart({ kind: 2, setAttribute });
    places.onStart(undefined as unknown as Parameters<CodePlaces["onStart"]>[0]);
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 7;
    attributesOf(places);
    assert.equal(Error.stackTraceLimit, 7);
    Reflect.deleteProperty(Error, "stackTraceLimit");
    attributesOf(places);
    assert.equal("stackTraceLimit" in Error, false);
    Error.stackTraceLimit = stackTraceLimit;
  });

  it("works where Error cannot be written to", () => {
    const otel = fileURLToPath(new URL("../../dist/otel.js", import.meta.url));
    for (const [flags, how] of [
      [["--frozen-intrinsics"], "leave"],
      [[], "freeze"],
    ] as const) {
      const args = [...flags, join(folder, "throws.mjs"), pathToFileURL(otel).href, how];
      assert.equal(spawnSync(process.execPath, args, { encoding: "utf8" }).stdout, "5\n");
    }
  });

  it("names a line of the program where code in no file calls", () => {
    const places = new CodePlaces();
    const inner = runInThisContext("(places, span) => places.onStart(span)", "<anonymous>") as (
      ...values: unknown[]
    ) => void;
    const set: Attributes = {};
    inner(places, {
      kind: 2,
      setAttribute: (key: string, value: string | number) => (set[key] = value),
    });
    assert.match(String(set["code.file.path"]), /otel\.test\.ts$/);
  });
});
