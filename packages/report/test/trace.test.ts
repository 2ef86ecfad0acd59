import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { atMost, ofCounts, ofCurve, quantile, steps, together } from "../src/trace/distribution.js";
import { moment, share, shortened, size, time, within } from "../src/trace/format.js";
import { traceReportHtml } from "../src/trace/html.js";
import { summary } from "../src/trace/summary.js";
import { nothing, small } from "./trace-fixture.js";

describe("distributions", () => {
  const times = ofCurve(small().microtasks.durations.once);

  it("count what is at or below a limit", () => {
    assert.deepEqual(
      [0.001, 0.002, 0.01, 0.4, 20, 1000].map((limit) => atMost(times, limit)),
      [0, 2, 5, 5, 8, 8],
    );
  });

  it("find the least value that a part is at most", () => {
    assert.deepEqual(
      [0, 0.25, 0.5, 0.75, 0.99, 1].map((part) => quantile(times, part)),
      [0.002, 0.002, 0.01, 0.5, 20, 20],
    );
    assert.equal(quantile(ofCounts([]), 0.5), undefined);
  });

  it("are put together", () => {
    const both = together([
      ofCounts([
        [1, 2],
        [5, 1],
      ]),
      ofCounts([
        [1, 1],
        [3, 4],
      ]),
    ]);
    assert.deepEqual(both, {
      count: 8,
      max: 5,
      values: [
        [1, 3],
        [3, 4],
        [5, 1],
      ],
    });
  });

  it("become curves with no more points than there is room for", () => {
    const all = steps(times, 0.001, (value) => 1000 * value);
    assert.deepEqual(all, [
      [0.001, 0],
      [0.002, 2],
      [0.01, 5],
      [0.5, 6],
      [20, 8],
      [21, 8],
    ]);
    const long = ofCounts(Array.from({ length: 9000 }, (_, value) => [value, 1] as const));
    const few = steps(long, 0, (value) => value / 100);
    assert.ok(few.length < 100, String(few.length));
    assert.deepEqual(few.at(-1), [8999, 9000]);
  });
});

describe("figures of a trace", () => {
  it("have units that read well", () => {
    assert.deepEqual(
      [0, 0.0007, 0.0123, 0.9999, 1.334, 999.4, 1500, 599_000, 660_000, 9_000_000].map(time),
      [
        "0 µs",
        "0.7 µs",
        "12.3 µs",
        "1 ms",
        "1.33 ms",
        "999 ms",
        "1.5 s",
        "599 s",
        "11 min",
        "2.5 h",
      ].map((text) => text.replace(" ", "\u00a0")),
    );
    assert.deepEqual([0, 639, 1234, 3_325_097, 2e9].map(size), [
      ...["0\u00a0B", "639\u00a0B", "1.23\u00a0kB", "3.33\u00a0MB", "2\u00a0GB"],
    ]);
  });

  it("are never rounded to nothing or to all", () => {
    assert.deepEqual(
      [share(0, 8), share(8, 8), share(1, 8), share(1, 9999), share(9999, 10000), share(0, 0)],
      ["0%", "100%", "12.5%", "<\u00a00.1%", ">\u00a099.9%", "–"],
    );
  });

  it("are the same on every machine", () => {
    assert.equal(moment(Date.UTC(2026, 0, 31, 12, 5)), "2026-01-31 12:05 UTC");
    assert.equal(moment(NaN), "an unknown time");
  });

  it("leave out what is too long or the same everywhere", () => {
    assert.equal(shortened("abcdefghij", 10), "abcdefghij");
    assert.equal(shortened("abcdefghijk", 10), "abcdef…ijk");
    assert.equal(within("/a/b/c.js", "/a/b"), "c.js");
    assert.equal(within("/a/bc.js", "/a/b"), "/a/bc.js");
    assert.equal(within("C:\\a\\c.js", "C:\\a"), "c.js");
    assert.equal(within("/a/c.js", undefined), "/a/c.js");
  });
});

describe("the summary of a trace", () => {
  const words = (report = small()) => {
    return summary(report).map(({ word, text }) => `${word}: ${text}`.replaceAll("\u00a0", " "));
  };

  it("has the numbers that matter", () => {
    const [runs, gaps, short, longest, close] = words();
    // 12 in all: two of 2 µs, three of 10 µs, four of 50 µs, one of 500 µs, two of 20 ms.
    assert.match(
      runs ?? "",
      /^It runs: 15 continuations, .* in 5 macrotasks\. Half .* at most 50 µs, 99% for at most 20 ms; the longest took 21 ms\. Together they ran for 12 µs\.$/,
    );
    // 7 uninterrupted, 1 by its own tree, 2 by another.
    assert.match(gaps ?? "", /^It waits: 10 times .* 30\.0% of these gaps .* In 20\.0% that was/);
    assert.match(
      short ?? "",
      /^Short gaps: Of the 8 gaps of at most 1 ms, 25\.0% were interrupted, 12\.5% by another tree\. Code .* is often wrong\.$/,
    );
    assert.match(
      longest ?? "",
      /^Longest: at shop\.mjs:7:1 \(reaction\) it waited 1\.2 s over 8 runs; .* at most 150 ms\.$/,
    );
    assert.match(
      close ?? "",
      /^Close together: 8 groups .* within 10 ms: .* 75\.0% of them are plain chains/,
    );
  });

  it("says so where nothing ran", () => {
    assert.deepEqual(words(nothing()), [
      "Nothing ran: There is no continuation in this recording.",
    ]);
  });

  it("says where code is right by luck", () => {
    const report = small();
    const uninterrupted = { count: 90, sum: 45, max: 0.5, buckets: [[0.5, 90] as const] };
    const gaps = { ...report.microtasks.gaps, uninterrupted };
    const found = words({ ...report, microtasks: { ...report.microtasks, gaps } });
    assert.match(
      found[2] ?? "",
      /2\.2% were interrupted, 1\.1% by another tree\. .* tests seldom show/,
    );
  });

  it("does not call safe what was not interrupted", () => {
    const report = small();
    const nobody = nothing().microtasks.gaps;
    const gaps = { ...nobody, uninterrupted: report.microtasks.gaps.uninterrupted };
    const found = words({ ...report, microtasks: { ...report.microtasks, gaps } });
    assert.match(found[1] ?? "", /0% of these gaps were interrupted: .* Never was that/);
    assert.match(
      found[2] ?? "",
      /0% were interrupted, 0% by another tree\. That no .* does not mean/,
    );
  });
});

describe("the file of a trace", () => {
  it("is the same for the same report", async () => {
    assert.equal(await traceReportHtml(small()), await traceReportHtml(small()));
  });
});
