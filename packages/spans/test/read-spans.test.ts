import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { readSpans, type Span, SpansError } from "../src/index.js";
import { delimited, json, made, protobuf } from "./otlp.js";

const folder = mkdtempSync(join(tmpdir(), "headstart-spans-"));
process.on("exit", () => {
  rmSync(folder, { recursive: true });
});

const ROOTS = [
  {
    name: "GET /",
    from: 0,
    to: 30,
    kind: 1,
    children: [
      {
        name: "SELECT",
        from: 1,
        to: 11.5,
        kind: 2,
        attributes: {
          "code.file.path": "/app/a.js",
          "code.line.number": 7,
          "db.query.text": "SECRET",
        },
      },
      {
        name: "GET",
        from: 12,
        to: 20.25,
        kind: 2,
        attributes: { "code.filepath": "b.js", "code.lineno": 9, "url.full": "SECRET" },
      },
    ],
  },
] as const;

async function read(content: string | Uint8Array): Promise<{ spans: Span[]; unread: number }> {
  const file = join(folder, "trace");
  writeFileSync(file, content);
  const spans: Span[] = [];
  const { unread, spans: count } = await readSpans(file, (span) => spans.push(span));
  assert.equal(count, spans.length);
  return { spans, unread };
}

function shape(spans: readonly Span[]): unknown {
  return spans
    .map(({ name, kind, duration, place }) => ({
      name,
      kind,
      duration: Number(duration.toFixed(3)),
      place,
    }))
    .sort((one, other) => one.name.localeCompare(other.name) || one.duration - other.duration);
}

const EXPECTED = [
  {
    name: "GET",
    kind: 3,
    duration: 8.25,
    place: { file: "b.js", line: 9, column: 0, callers: [] },
  },
  { name: "GET /", kind: 2, duration: 30, place: undefined },
  {
    name: "SELECT",
    kind: 3,
    duration: 10.5,
    place: { file: "/app/a.js", line: 7, column: 0, callers: [] },
  },
];

await test("all forms say the same", async () => {
  const spans = made(ROOTS);
  const pretty = JSON.stringify(JSON.parse(json(spans)), null, 2);
  for (const content of [
    json(spans),
    `${json(spans)}\n`,
    pretty,
    `[${json(spans)}]`,
    protobuf(spans),
    delimited([protobuf(spans)]),
    gzipSync(json(spans)),
    gzipSync(delimited([protobuf(spans)])),
  ]) {
    const { spans: found, unread } = await read(content);
    assert.equal(unread, 0);
    assert.deepEqual(shape(found), EXPECTED);
    const parent = found.find(({ name }) => name === "GET /");
    for (const child of found) {
      assert.equal(child.parent, child === parent ? "" : parent?.id);
      assert.equal(child.trace, parent?.trace);
    }
    assert.ok(!JSON.stringify(found).includes("SECRET"));
  }
});

await test("a file that is cut off at any byte is read up to there", async () => {
  const two = [json(made(ROOTS)), json(made(ROOTS))].join("\n");
  const messages = delimited([protobuf(made(ROOTS)), protobuf(made(ROOTS))]);
  for (const whole of [Buffer.from(two), messages]) {
    for (let length = Math.ceil(whole.length / 2) + 1; length < whole.length; length += 7) {
      const { spans } = await read(whole.subarray(0, length));
      assert.ok(spans.length >= 3, `${spans.length} spans of ${length} bytes`);
    }
  }
});

await test("what is damaged is counted, and costs nothing else", async () => {
  const line = json(made(ROOTS));
  const { spans, unread } = await read(
    `${line}\n{"resourceSpans": 7}\n{broken\n${line}\n{"a": 1}\n`,
  );
  assert.equal(spans.length, 6);
  assert.equal(unread, 2);
});

await test("what is read may have a mark of the order of bytes in front", async () => {
  const { spans, unread } = await read(`\ufeff${json(made(ROOTS))}\n${json(made(ROOTS))}`);
  assert.deepEqual([spans.length, unread], [6, 0]);
});

await test("lines may end in any way, and have what ends lines elsewhere in their names", async () => {
  const line = json(made(ROOTS));
  const odd = json(made([{ name: "a\u2028b\u2029c\u0085d", from: 0, to: 1 }]));
  for (const end of ["\n", "\r\n", "\r", "\n \t\n\n"]) {
    const { spans, unread } = await read([line, odd, line].join(end) + end);
    assert.deepEqual([spans.length, unread], [7, 0]);
    assert.equal(spans[3]?.name, "a\u2028b\u2029c\u0085d");
  }
});

await test("a file that is larger than what is read at once has all of its spans", async () => {
  const roots = Array.from({ length: 6000 }, (_, at) => ({ name: `é€😀 ${at}`, from: 0, to: 1 }));
  const lines = Array.from({ length: 60 }, (_, at) =>
    json(made(roots.slice(at * 100, at * 100 + 100))),
  );
  const names = roots.map(({ name }) => name);
  for (const content of [lines.join("\n"), gzipSync(lines.join("\n")), json(made(roots))]) {
    const { spans, unread } = await read(content);
    assert.equal(unread, 0);
    assert.deepEqual(
      spans.map(({ name }) => name),
      names,
    );
  }
});

await test("times are told to the nanosecond, as texts or as numbers", async () => {
  for (const [nanoseconds, milliseconds] of [
    ['"1795900000123456789"', 1795900000123.4568],
    ["1795900000000000000", 1795900000000],
    ['"1000001"', 1.000001],
    ['"42"', 0.000042],
    ['"0"', 0],
  ] as const) {
    const span = `{"spanId":"1","startTimeUnixNano":${nanoseconds},"endTimeUnixNano":"x"}`;
    const { spans } = await read(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`);
    assert.deepEqual(
      spans.map(({ start, duration }) => [start, duration]),
      [[milliseconds, 0]],
    );
  }
});

await test("zeros name no parent", async () => {
  const text = json(made(ROOTS));
  const zeros = text.replaceAll(/"parentSpanId":"\w+"/g, '"parentSpanId":"0000000000000000"');
  assert.notEqual(zeros, text);
  assert.deepEqual(
    (await read(zeros)).spans.map(({ parent }) => parent),
    ["", "", ""],
  );
});

await test("it is said what a file is instead of a trace, where that shows", async () => {
  const text = json(made(ROOTS));
  for (const [content, what] of [
    ["", /: it is empty;/],
    ['{"resourceMetrics":[]}', /: it holds metrics;/],
    ['{"resourceLogs":[]}', /: it holds logs;/],
    ['{"data":[{"traceID":"1","spans":[]}]}', /form of Jaeger/],
    ['[{"traceId":"1","id":"2","timestamp":1,"duration":2}]', /form of Zipkin/],
    ['{"resourceSpans":[]}', /no spans that can be read/],
    [text.slice(0, text.length / 2), /it is no JSON, or is cut off/],
    [Buffer.from(`\ufeff${text}`, "utf16le"), /UTF-16/],
    [gzipSync(""), /: it is empty;/],
  ] as const) {
    await assert.rejects(read(content), what);
  }
});

await test("what is no trace is refused with what would be one", async () => {
  for (const content of [
    "",
    "hello",
    "{}",
    "[1, 2]",
    '{"resourceSpans": []}',
    Buffer.from([0, 0, 0, 4, 255, 255, 255, 255]),
    Buffer.alloc(100, 0x0a),
  ]) {
    await assert.rejects(read(content), (error: unknown) => {
      assert.ok(error instanceof SpansError, String(error));
      assert.match(error.message, /holds no spans of OTLP(: [^;]*)?; the file exporter/);
      return true;
    });
  }
  await assert.rejects(
    read(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0])),
    /compressed with zstd; unpack it first: zstd -d/,
  );
  await assert.rejects(
    readSpans(join(folder, "none"), () => undefined),
    /is no file/,
  );
  await assert.rejects(
    readSpans(folder, () => undefined),
    /is no file/,
  );
});
