import type { RequestBar, WaterfallsReport } from "../src/waterfalls/report.js";

/** Text that would do harm where it is taken for markup. */
export const HOSTILE = '</script><img src=x onerror="alert(1)">`<b>';

const bar = (
  name: string,
  line: number,
  [startMs, endMs]: readonly [number, number],
  [newStartMs, newEndMs]: readonly [number, number],
  finding?: number,
): RequestBar => ({
  ...{ name, depth: 0, startMs, endMs, newStartMs, newEndMs, finding },
  place: { file: "src/a page.js", line, column: 3 },
});

/** Two routes: one with a rewrite, one without, whose names are what somebody has planted. */
export function waterfalls(): WaterfallsReport {
  return {
    tool: "headstart 0.0.0",
    traces: ["traces.json"],
    project: "/srv/shop#1",
    spans: 1234,
    notes: [`${HOSTILE} cannot be read`],
    routesLeft: 2,
    totals: { requests: 2000, savedMs: 61_300, atMostMs: 90_000, rewrites: 3 },
    routes: [
      {
        ...{ name: "GET /products/:id", requests: 1012, shorter: 1000 },
        ...{ savedMs: 41_300, atMostMs: 50_000 },
        typical: {
          ...{ beforeMs: 100, afterMs: 60, barsLeft: 3 },
          bars: [
            bar("GET", 11, [0, 40], [0, 40], 0),
            bar("GET", 12, [40, 90], [0, 50], 0),
            bar("SELECT", 13, [90, 100], [50, 60]),
          ],
        },
        findings: [0],
        obstacles: [
          { places: [{ file: "src/a page.js", line: 13, column: 3 }], text: "`b` needs `a`" },
        ],
      },
      {
        ...{ name: HOSTILE, requests: 1, shorter: 0, savedMs: 0, atMostMs: 9 },
        typical: {
          ...{ beforeMs: 20, afterMs: 20, barsLeft: 0 },
          bars: [{ ...bar(HOSTILE, 1, [0, 9], [0, 9]), place: undefined }],
        },
        findings: [],
        obstacles: [{ places: [], text: HOSTILE }],
      },
    ],
    findings: [
      {
        ...{ rule: "independent-awaits", level: "likely", message: "`b` waits for `a`" },
        ...{ file: "src/a page.js", line: 12, column: 3 },
        assumptions: [`\`a\` does as it did when it was observed (12 times) ${HOSTILE}`],
        diff: `--- a/src/a page.js\n+++ b/src/a page.js\n@@ -1 +1 @@\n-${HOSTILE}\n+new\n`,
        command: "headstart fix --level likely 'src/a page.js'",
      },
    ],
  };
}
