import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parse } from "csv-parse/sync";

import { duration, percent, probability, signedPercent, timeAxis } from "../src/format.js";
import { reportHtml, testsCsv, verdict } from "../src/index.js";
import type { Summary, VerifyResult } from "../src/result.js";
import { broken, HOSTILE, verified } from "./fixture.js";

const VERIFIED = verified();

describe("the HTML file", () => {
  it("is the same for the same results", async () => {
    assert.equal(await reportHtml([VERIFIED]), await reportHtml([VERIFIED]));
  });

  it("needs nothing else, and allows nothing else to be loaded", async () => {
    const html = await reportHtml([VERIFIED]);
    assert.match(html, /Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    assert.doesNotMatch(html, /<(script|img|iframe)[^>]* src=|<link[^>]* href="(?!data:,")/);
    assert.doesNotMatch(html, /@import|url\((?!#)["']?[a-z]+:/);
  });

  it("holds two script elements whatever a test is called", async () => {
    const html = await reportHtml([VERIFIED]);
    assert.equal(html.match(/<\/script>/g)?.length, 2);
    assert.ok(VERIFIED.tests.some(({ name }) => name === HOSTILE));
  });

  it("escapes the name of the project, and passes on the licences of what is in it", async () => {
    const html = await reportHtml([{ ...VERIFIED, project: '<i>"x"</i>' }]);
    assert.ok(html.includes("<title>&lt;i&gt;&quot;x&quot;&lt;/i&gt;"));
    assert.match(html, /^<!--\n(?:(?!-->)[\s\S])*@observablehq\/plot: Copyright/m);
  });

  it("needs a result", async () => {
    await assert.rejects(reportHtml([]), RangeError);
  });
});

describe("CSV", () => {
  it("has a row for each test, with its figures and what is not there left empty", () => {
    const rows = parse(testsCsv([VERIFIED]), { columns: true }) as unknown as Record<
      string,
      string
    >[];
    assert.equal(rows.length, VERIFIED.tests.length);
    const [row] = rows;
    const [test] = VERIFIED.tests;
    assert.ok(row !== undefined && test !== undefined);
    assert.equal(row["project"], "storefront");
    assert.equal(Number(row["ratio"]), test.statistics.ratio);
    assert.equal(row["below_timer"], "false");
    assert.equal(rows[5]?.["name"], HOSTILE);
    const none = { ...test, statistics: { ...test.statistics, ratio: null } };
    const [without] = parse(testsCsv([{ ...VERIFIED, tests: [none] }]), {
      columns: true,
    }) as unknown as Record<string, string>[];
    assert.equal(without?.["ratio"], "");
  });

  it("lets no spreadsheet take a name for a formula", () => {
    const [test] = VERIFIED.tests;
    assert.ok(test !== undefined);
    const csv = testsCsv([{ ...VERIFIED, tests: [{ ...test, name: "=1+1" }] }]);
    assert.match(csv, /,'=1\+1,/);
  });
});

describe("the verdict", () => {
  const lines = (result: VerifyResult) => {
    const { right, fast } = verdict(result);
    return [right, fast].map(({ mood, word, text }) => `${mood} ${word}: ${text}`);
  };
  const timed = (summary: Partial<Summary>): string | undefined =>
    lines({ ...VERIFIED, summary: { ...VERIFIED.summary, ...summary } })[1];

  it("says what holds", () => {
    assert.equal(lines(VERIFIED)[0], "good Right: 142 of 142 tests agree");
    assert.equal(
      timed({ geometricChange: 7.2, interval: [6.1, 8.3] }),
      "good Faster: affected tests take 7.2% less time on average (95% interval 6.1 to 8.3)",
    );
  });

  it("says what broke", () => {
    const [right, fast] = lines(broken(VERIFIED));
    assert.equal(right, "bad Wrong: the rewrite breaks 1 test, 141 of 142 tests agree");
    assert.match(fast ?? "", /^open Faster: /);
  });

  it("promises no gain that chance may explain", () => {
    assert.equal(
      timed({ geometricChange: 1.9, interval: [-2.1, 5.7] }),
      "open No change shown: affected tests take 1.9% less time on average (95% interval from 2.1% more to 5.7% less)",
    );
    assert.equal(
      timed({ geometricChange: -3, interval: [-5, -1] }),
      "bad Slower: affected tests take 3.0% more time on average (95% interval 1.0 to 5.0)",
    );
    const { interval, ...summary } = VERIFIED.summary;
    assert.ok(interval !== undefined);
    assert.match(lines({ ...VERIFIED, summary })[1] ?? "", /^open Too few runs: /);
    assert.equal(timed({ tests: 0 }), "open Not timed: no affected test was timed");
  });

  it("says what is not known", () => {
    const imported = { ...VERIFIED, outcome: "imported", agreement: null } as const;
    assert.match(lines(imported)[0] ?? "", /^open Imported: times only/);
    assert.match(lines({ ...VERIFIED, outcome: "not-run" })[0] ?? "", /^open Not verified: /);
  });
});

describe("figures", () => {
  it("have the digits they need, and no minus before a zero", () => {
    assert.deepEqual([7.25, -7.24, 0].map(percent), ["7.3%", "7.2%", "0.0%"]);
    assert.deepEqual([7.21, -0.04, -7.21].map(signedPercent), ["+7.2%", "0.0%", "−7.2%"]);
    assert.deepEqual([0.123, 12.34, 123.4, 1234].map(duration), [
      "0.12 ms",
      "12.3 ms",
      "123 ms",
      "1.23 s",
    ]);
    assert.deepEqual([null, 0.0004, 0.04].map(probability), ["–", "< 0.001", "0.040"]);
    assert.deepEqual([timeAxis(90).tick(20), timeAxis(2e4).tick(2500)], ["20", "2.5"]);
  });
});
