import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parse } from "csv-parse/sync";

import {
  changeTick,
  duration,
  lessOrMore,
  lessOrMoreRange,
  percent,
  probability,
  timeAxis,
} from "../src/format.js";
import {
  mostSaved,
  reportHtml,
  statements,
  testsCsv,
  timelineFile,
  timelineText,
} from "../src/index.js";
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
  const lines = (result: VerifyResult) =>
    statements(result).map(({ mood, word, text }) => `${mood} ${word}: ${text}`);
  const timed = (summary: Partial<Summary>): string | undefined =>
    lines({ ...VERIFIED, summary: { ...VERIFIED.summary, ...CLEAR, ...summary } })[1];
  /** No test stands out. */
  const CLEAR = { significantAdjusted: 0, slowerAdjusted: 0 };
  const AGREE = "tests say the same before and after the rewrite";
  const TAKE = "tests that run the rewritten code take";

  it("says what holds", () => {
    assert.equal(lines(VERIFIED)[0], `good Right: 142 of 142 ${AGREE}`);
    assert.equal(
      timed({ geometricChange: 7.2, interval: [6.1, 8.3] }),
      `good Faster: ${TAKE} 7.2% less time on average (95% interval: 6.1% to 8.3% less)`,
    );
  });

  it("says what broke", () => {
    const [right, fast] = lines(broken(VERIFIED));
    assert.equal(right, `bad Wrong: the rewrite breaks 1 test; 141 of 142 ${AGREE}`);
    assert.match(fast ?? "", /^open Faster: /);
  });

  it("promises no gain that chance may explain", () => {
    assert.equal(
      timed({ geometricChange: 1.9, interval: [-2.1, 4.7] }),
      `open No change shown: ${TAKE} 1.9% less time on average (95% interval: from 2.1% more to 4.7% less)`,
    );
    assert.equal(
      timed({ geometricChange: -3, interval: [-5, -1] }),
      `bad Slower: ${TAKE} 3.0% more time on average (95% interval: 1.0% to 5.0% more)`,
    );
    const { interval, ...summary } = VERIFIED.summary;
    assert.ok(interval !== undefined);
    assert.match(lines({ ...VERIFIED, summary })[1] ?? "", /^open Too few runs: .*--runs/);
    assert.match(timed({ tests: 0 }) ?? "", /^open Not timed: no test /);
  });

  it("never says that nothing has changed where something has, or nobody knows", () => {
    const wide = { geometricChange: 54, interval: [-10, 80] } as const;
    assert.match(timed(wide) ?? "", /^open Not clear: .* 54\.0% less time .* may be chance/);
    assert.match(
      timed({ geometricChange: 1.9, interval: [-2.1, 5.7], tests: 12, significantAdjusted: 1 }) ??
        "",
      /^good Faster in part: of 12 tests that .*, 1 takes less time beyond chance; all together, they take 1\.9% less/,
    );
    const split = { geometricChange: 0, interval: [-3, 3] as const, tests: 9 };
    assert.match(
      timed({ ...split, significantAdjusted: 2, slowerAdjusted: 1 }) ?? "",
      /^bad Mixed: .* 2 take less time .* and 1 takes more time .* take the same time on average/,
    );
    assert.match(timed({ ...split, slowerAdjusted: 3 }) ?? "", /^bad Slower in part: /);
    assert.match(
      timed({ geometricChange: 7, interval: [6, 8], slowerAdjusted: 1 }) ?? "",
      /^good Faster: .*; 1 takes more time beyond chance$/,
    );
  });

  it("says what delays come to, each in a line", () => {
    const delays = lines(VERIFIED).slice(2);
    assert.equal(delays.length, 3);
    assert.match(
      delays[0] ?? "",
      /^good With 50 ms more: .* 50 ms longer, they take \d+\.\d% less time \(95% interval: /,
    );
  });

  it("is not content with tests that did not run, or ran something else", () => {
    const incomplete = [
      { file: "a.test.js", reason: "process.exit(0) was called" },
      { file: "b.test.js", reason: "it cannot be loaded" },
    ];
    assert.match(
      lines({ ...VERIFIED, incomplete })[0] ?? "",
      /^open Not complete: 142 of 142 .*, but not all tests of a\.test\.js and 1 other file ran/,
    );
    const agreement = { tests: 142, agreeing: 142, affected: 0 };
    assert.match(
      lines({ ...VERIFIED, agreement })[0] ?? "",
      /^open Not tested: .*, but none runs the rewritten code$/,
    );
  });

  it("says what is not known", () => {
    const imported = { ...VERIFIED, outcome: "imported", agreement: null } as const;
    assert.match(lines(imported)[0] ?? "", /^open Imported: times only/);
    assert.match(lines({ ...VERIFIED, outcome: "not-run" })[0] ?? "", /^open Not verified: /);
  });
});

describe("the timeline", () => {
  const site = mostSaved(VERIFIED);
  assert.ok(site !== undefined);

  it("is that of the place that saves most", () => {
    const { timeline } = site;
    const slow = { ...timeline, original: [{ label: "f()", startMs: 0, endMs: 900 }] };
    const sites = VERIFIED.sites.map((it) => (it.id === 2 ? { ...it, timeline: slow } : it));
    assert.equal(mostSaved({ ...VERIFIED, sites })?.id, 2);
    const reversed = { ...timeline, original: timeline.rewritten, rewritten: timeline.original };
    const worse = VERIFIED.sites.map((it) => ({ ...it, timeline: reversed }));
    assert.equal(mostSaved({ ...VERIFIED, sites: worse }), undefined);
  });

  it("is drawn with characters, where each operation starts and ends, within the width", () => {
    for (const columns of [60, 80, 200]) {
      const lines: string[] = timelineText(site.timeline, columns).split("\n");
      assert.equal(lines.length, 9);
      assert.ok(
        lines.every((line) => line.length <= columns),
        lines.join("\n"),
      );
      const bars = lines.filter((line) => line.includes("█"));
      const starts = bars.map((line) => line.indexOf("█"));
      const [a, b, c, d, e, f] = starts;
      assert.ok(a !== undefined && b !== undefined && c !== undefined);
      assert.ok(a < b && b < c, "one after the other before");
      assert.deepEqual([d, e, f], [a, a, a], "at once after");
      assert.match(lines[3] ?? "", /all: 80\.0 ms$/);
      assert.match(lines[8] ?? "", /all: 43\.0 ms$/);
    }
  });

  it("is a picture of its own, well-formed whatever an operation is called", () => {
    const named = site.timeline.original.map((span) => ({ ...span, label: 'f("<b>" && x)' }));
    const svg = timelineFile({ ...site.timeline, original: named }, 'a <b> & "c"');
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.equal(svg.match(/<rect /g)?.length, 6);
    assert.ok(svg.includes("&lt;b&gt;") && !svg.includes("<b>"));
  });
});

describe("figures", () => {
  it("have the digits they need, and no minus before a zero", () => {
    assert.deepEqual([7.25, -7.24, 0].map(percent), ["7.3%", "7.2%", "0.0%"]);
    assert.deepEqual([7.21, -0.04, -7.21].map(lessOrMore), ["7.2% less", "no change", "7.2% more"]);
    assert.deepEqual([20, 0, -2.5].map(changeTick), ["20% less", "0", "2.5% more"]);
    assert.deepEqual(([[1, 2], [-2, -1], [-1, 2], null] as const).map(lessOrMoreRange), [
      "1.0% to 2.0% less",
      "1.0% to 2.0% more",
      "from 1.0% more to 2.0% less",
      "too few runs",
    ]);
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
