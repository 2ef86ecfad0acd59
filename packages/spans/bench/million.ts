// How long a trace of 10^6 spans takes, and how much memory: node --import tsx bench/million.ts [SPANS]
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findWaterfalls, readSpans, SpanTable, Tree } from "../src/index.js";

const [count = "1000000"] = process.argv.slice(2);
const CHILDREN = 9;
const folder = mkdtempSync(join(tmpdir(), "headstart-million-"));
const file = join(folder, "traces.json");

const digits = (length: number): string => {
  let text = "";
  while (text.length < length)
    text += Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return text.slice(0, length);
};

/** One request with its calls, as the collector writes it. */
function request(at: number): unknown[] {
  const [traceId, root] = [digits(32), digits(16)];
  const nanoseconds = (ms: number): string => `${1_795_900_000_000 + at * 100 + ms}000000`;
  const span = (
    spanId: string,
    parentSpanId: string,
    name: string,
    kind: number,
    from: number,
    to: number,
  ) => ({
    ...{ traceId, spanId, parentSpanId, name, kind, flags: 1 },
    ...{ startTimeUnixNano: nanoseconds(from), endTimeUnixNano: nanoseconds(to) },
    attributes: [
      { key: "code.file.path", value: { stringValue: `/app/src/routes/r${at % 20}.js` } },
      { key: "code.line.number", value: { intValue: `${10 + (from % 90)}` } },
      { key: "db.query.text", value: { stringValue: "SELECT id, name FROM users WHERE id = $1" } },
      { key: "server.address", value: { stringValue: "db.internal" } },
    ],
    status: {},
  });
  const calls = Array.from({ length: CHILDREN }, (_, call) =>
    span(digits(16), root, `call ${call}`, 3, call * 10, call * 10 + 9),
  );
  return [span(root, "", `GET /r${at % 20}`, 2, 0, 95), ...calls];
}

const descriptor = openSync(file, "w");
const requests = Math.ceil(Number(count) / (CHILDREN + 1));
for (let at = 0; at < requests; at += 20) {
  const spans = Array.from({ length: Math.min(20, requests - at) }, (_, more) =>
    request(at + more),
  ).flat();
  const message = {
    resourceSpans: [{ resource: {}, scopeSpans: [{ scope: { name: "bench" }, spans }] }],
  };
  writeSync(descriptor, `${JSON.stringify(message)}\n`);
}
closeSync(descriptor);

const begin = process.cpuUsage();
const start = performance.now();
const table = new SpanTable();
await readSpans(file, (span) => {
  table.add(span);
});
const read = performance.now();
const { waterfalls } = findWaterfalls(new Tree(table));
const end = performance.now();
const { user, system } = process.cpuUsage(begin);
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
process.stdout.write(
  `${table.length} spans, ${Math.round(statSync(file).size / 1e6)} MB: read in ${seconds(read - start)}, ` +
    `${waterfalls.length} waterfalls in ${seconds(end - read)}; CPU ${seconds((user + system) / 1000)}, ` +
    `at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB of memory\n`,
);
rmSync(folder, { recursive: true });
