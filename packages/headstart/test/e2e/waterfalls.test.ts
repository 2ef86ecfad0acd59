import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { CodePlaces } from "../../src/otel.js";
import { project } from "../temp.js";
import { headstart } from "./command.js";

/** Reads two files, one after the other, by a helper. */
const PROGRAM = `import { readFile } from "node:fs/promises";
const read = (path) => readFile(path, "utf8");
export async function page(id) {
  const title = await read("title.txt");
  const body = await read("body.txt");
  return title + body + id;
}
`;

interface Call {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly number[];
}

/** A trace of one request, as the collector writes it, with paths of another machine. */
function traceOf(calls: readonly Call[], file = "/srv/app/src/page.js"): string {
  const nanoseconds = (ms: number): string => `${1_795_900_000_000 + ms}000000`;
  const span = (
    spanId: string,
    parentSpanId: string,
    name: string,
    kind: number,
    from: number,
    to: number,
    attributes: unknown[] = [],
  ) => ({
    ...{
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId,
      parentSpanId,
      name,
      kind,
      attributes,
    },
    ...{ startTimeUnixNano: nanoseconds(from), endTimeUnixNano: nanoseconds(to) },
  });
  const spans = calls.map(({ name, from, to, lines }, at) => {
    const stack = lines.map((line) => `    at f (${file}:${line}:3)`).join("\n");
    const attributes =
      stack === "" ? [] : [{ key: "code.stacktrace", value: { stringValue: stack } }];
    return span(`00000000000000a${at}`, "b7ad6b7169203331", name, 3, from, to, attributes);
  });
  const root = span("b7ad6b7169203331", "", "GET /page", 2, 0, 100);
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [root, ...spans] }] }] });
}

const CALLS = [
  { name: "read title", from: 0, to: 40, lines: [2, 4, 99] },
  { name: "read body", from: 40, to: 100, lines: [2, 5, 99] },
];

describe("waterfalls", () => {
  it("lists what waits for one another, with what check says of the lines", () => {
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": traceOf(CALLS),
      "package.json": '{"type":"module"}',
    });
    const { status, stdout, stderr } = headstart(folder, ["waterfalls", "t.json"]);
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^1\. GET \/page: 40\sms in 1 run, 40\sms less each if they ran at once, 40% of its time$/m,
    );
    assert.match(stdout, /^ {3}src\/page\.js:4 {2}read title +40\sms +█+$/m);
    assert.match(stdout, /^ {3}src\/page\.js:5 {2}read body +60\sms +█+$/m);
    assert.match(
      stdout,
      /^ {3}safe \(independent-awaits\) at src\/page\.js:\d: headstart fix rewrites it\.$/m,
    );
    const json = headstart(folder, ["waterfalls", "t.json", "--format", "json"]).stdout;
    const { waterfalls, spans } = JSON.parse(json) as {
      spans: number;
      waterfalls: { saved: number; finding: { level: string } }[];
    };
    assert.equal(spans, 3);
    assert.equal(waterfalls[0]?.finding.level, "safe");
  });

  it("writes a page with a request before and after, and over nothing else", () => {
    const hostile = '</script><img src=x onerror="alert(1)">';
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": traceOf([{ name: hostile, from: 0, to: 40, lines: [2, 4, 99] }, ...CALLS.slice(1)]),
      "package.json": '{"type":"module"}',
      "notes.txt": "mine",
    });
    const { status, stdout } = headstart(folder, ["waterfalls", "t.json", "-o", "page.html"]);
    assert.equal(status, 0);
    assert.match(stdout, /^Page: page\.html$/m);
    const page = readFileSync(join(folder, "page.html"), "utf8");
    assert.match(page, /^<!doctype html>/);
    for (const text of [
      "src/page.js:4",
      "src/page.js:5",
      "100\u00a0ms before, 60\u00a0ms after: 40.0% less",
    ])
      assert.ok(page.includes(text), text);
    assert.ok(page.includes("headstart fix src/page.js"));
    assert.ok(!page.includes("<img"));
    assert.equal(page.match(/<\/script>/g)?.length, 2);
    // A page may be written again, and nothing else.
    assert.equal(headstart(folder, ["waterfalls", "t.json", "-o", "page.html"]).status, 0);
    const failed = headstart(folder, ["waterfalls", "t.json", "-o", "notes.txt"]);
    assert.equal(failed.status, 2);
    assert.match(failed.stderr, /notes\.txt is there and is something else/);
    const json = ["waterfalls", "t.json", "--format", "json", "-o", "data.json"];
    assert.equal(headstart(folder, json).stdout, "");
    assert.match(readFileSync(join(folder, "data.json"), "utf8"), /^\{/);
  });

  it("says how long requests take once the program is rewritten", () => {
    const shorter = traceOf(CALLS).replace(/"1795900000100000000"/g, '"1795900000062000000"');
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": traceOf(CALLS),
      "later.json": shorter,
      "other.json": shorter.replaceAll("GET /page", "GET /other"),
      "package.json": '{"type":"module"}',
    });
    const said =
      "100\u00a0ms at the median of 1 request before, 62\u00a0ms at the median of 1 request after the rewrite: 38.0% less";
    const after = ["waterfalls", "t.json", "--after", "later.json"];
    const { status, stdout } = headstart(folder, [...after, "-o", "page.html"]);
    assert.equal(status, 0);
    assert.ok(stdout.includes(`\nMeasured:\n  GET /page: ${said}\n`), stdout);
    const page = readFileSync(join(folder, "page.html"), "utf8");
    assert.ok(page.includes(`Measured: ${said}.`));
    const json = JSON.parse(headstart(folder, [...after, "--format", "json"]).stdout) as {
      measured: { after: { medianMs: number } }[];
    };
    assert.equal(json.measured[0]?.after.medianMs, 62);
    const other = headstart(folder, ["waterfalls", "t.json", "--after", "other.json"]);
    assert.match(other.stderr, /^note: the later traces have no requests of the names/);
  });

  /** Requests of so many routes, each with two calls one after the other. */
  function routes(count: number): string {
    const one = traceOf(CALLS);
    return Array.from({ length: count }, (_, at) =>
      one
        .replaceAll("0af7651916cd43dd8448eb211c80319c", String(at).padStart(32, "0"))
        .replaceAll("GET /page", `GET /page/${at}`),
    ).join("\n");
  }

  it("lists as many as it is asked to, and has all of them as data", () => {
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": routes(520),
      "package.json": '{"type":"module"}',
    });
    const run = (...args: string[]): string =>
      headstart(folder, ["waterfalls", "t.json", ...args]).stdout;
    assert.match(run(), /^10\. [^]*\n… and 510 more; --most lists them\n$/m);
    assert.match(run("--most", "515"), /^515\. [^]*\n… and 5 more; --most lists them\n$/m);
    const json = (...args: string[]) => {
      const { waterfalls, left } = JSON.parse(run("--format", "json", ...args)) as {
        waterfalls: unknown[];
        left: number;
      };
      return [waterfalls.length, left];
    };
    assert.deepEqual(json(), [520, 0]);
    assert.deepEqual(json("--most", "3"), [3, 517]);
    run("-o", "page.html");
    const page = readFileSync(join(folder, "page.html"), "utf8");
    // Of each route 40 ms, and not only of those that are shown.
    assert.match(page, /<h1>Rewrites would have saved 20\.8\ss of waiting\.<\/h1>/);
    assert.match(page, /470 more routes cost less\./);
  });

  it("prints a name in one line, and not more than anybody reads", () => {
    const [first, second] = [{ ...CALLS[0], name: "two\nlines" }, CALLS[1]];
    const folder = project({
      "t.json": traceOf([first, second] as Call[]).replace("GET /page", "x".repeat(5000)),
      "package.json": "{}",
    });
    const { stdout } = headstart(folder, ["waterfalls", "t.json"]);
    assert.match(stdout, /^1\. x{119}…: 40/);
    assert.match(stdout, / {2}two lines +40/);
  });

  it("counts a file that is named twice once, and says so", () => {
    const folder = project({ "t.json": traceOf(CALLS), "package.json": "{}" });
    const { stdout, stderr } = headstart(folder, ["waterfalls", "t.json", "t.json"]);
    assert.match(stdout, /^1\. GET \/page: 40\sms in 1 run,/);
    assert.match(stderr, /^note: 3\sspans repeated in the traces: each counts once$/m);
  });

  it("shows no order on the page that the rewrite cannot make", () => {
    const [title, body] = CALLS;
    const swapped = [
      { ...title, lines: body?.lines },
      { ...body, lines: title?.lines },
    ] as Call[];
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": traceOf(swapped),
      "package.json": '{"type":"module"}',
    });
    headstart(folder, ["waterfalls", "t.json", "-o", "page.html"]);
    const page = readFileSync(join(folder, "page.html"), "utf8");
    assert.match(page, /No rewrite would make these requests shorter\./);
  });

  it("says what is missing where no line is known, and of a file that is none", () => {
    const nameless = CALLS.map((call) => ({ ...call, lines: [] }));
    const folder = project({
      "t.json": traceOf(nameless),
      "notes.txt": "no trace",
      "package.json": "{}",
    });
    const { status, stdout, stderr } = headstart(folder, ["waterfalls", "t.json"]);
    assert.equal(status, 0);
    assert.match(stdout, /No line of the program is known for these\./);
    assert.match(stderr, /^note: no span says which line .* CodePlaces of headstart\/otel/);
    for (const [file, message] of [
      ["notes.txt", /notes\.txt holds no spans of OTLP/],
      ["none.json", /none\.json is no file/],
    ] as const) {
      const failed = headstart(folder, ["waterfalls", file]);
      assert.equal(failed.status, 2);
      assert.match(failed.stderr, message);
    }
    writeFileSync(join(folder, "cut.json"), `${traceOf(CALLS)}\n{"resourceSpans": [{`);
    assert.match(
      headstart(folder, ["waterfalls", "cut.json"]).stderr,
      /cut\.json: 1\spart cannot be read/,
    );
  });

  it("does not take a line of a file that is not there for another's", () => {
    const folder = project({
      "src/page.js": PROGRAM,
      "t.json": traceOf(CALLS, "/srv/other.js"),
      "package.json": "{}",
    });
    const { stdout } = headstart(folder, ["waterfalls", "t.json"]);
    assert.doesNotMatch(stdout, /headstart fix/);
  });
});

describe("CodePlaces", () => {
  /** What is set at the span of a call that is made now. */
  function attributesOf(places: CodePlaces, kind = 2): Map<string, string | number> {
    const found = new Map<string, string | number>();
    places.onStart({ kind, setAttribute: (key, value) => found.set(key, value) });
    return found;
  }

  it("names the line of the program, and those that have called it", () => {
    const found = attributesOf(new CodePlaces());
    assert.match(String(found.get("code.file.path")), /waterfalls\.test\.ts$/);
    assert.ok(Number(found.get("code.line.number")) > 1);
    assert.match(
      String(found.get("code.stacktrace")),
      /^ {4}at .*attributesOf .*waterfalls\.test\.ts:\d+:\d+\)/,
    );
    assert.equal(attributesOf(new CodePlaces(), 1).size, 0);
    assert.equal(attributesOf(new CodePlaces({ sample: 0 })).size, 0);
  });

  it("knows who has called what starts its work later, and changes nothing else of it", async () => {
    const found: Map<string, string | number>[] = [];
    const pool = {
      async query(this: unknown, text: string): Promise<unknown> {
        await new Promise((resolve) => setTimeout(resolve, 1));
        found.push(attributesOf(places));
        return [this, text];
      },
    };
    const name = "query";
    const places = new CodePlaces({ calls: [[pool, "query"]] });
    assert.equal(pool.query.name, name);
    async function asksForIt(): Promise<unknown> {
      return await pool.query("text");
    }
    assert.deepEqual(await asksForIt(), [pool, "text"]);
    assert.match(String(found[0]?.get("code.stacktrace")), /asksForIt/);
  });
});
