import { analyse, summarise } from "../../verify/src/statistics/index.js";
import { uniforms } from "../../verify/test/statistics/synthetic.js";
import type { MeasuredTest, Site, VerifyResult } from "../src/result.js";

/** Ends the script element that it is written into, if nothing is done about it. */
export const HOSTILE = `reads </script><script>alert(1)</script> & <b>"it"</b>`;

const RUNS = 30;

/** A verified project with every part that a report can show: 48 tests, 3 sites, 4 delays. */
export function verified(): VerifyResult {
  const tests = analyse(measured(0));
  const latency = [0, 50, 100, 200].map((delayMs) => ({
    delayMs,
    summary: summarise(delayMs === 0 ? tests : analyse(measured(delayMs))),
  }));
  return {
    ...{ version: 1, tool: "headstart 0.1.0", createdAt: "2026-01-31T12:00:00.000Z" },
    ...{ project: "storefront", runner: "vitest 3.2.4", level: "safe", runs: RUNS, warmup: 5 },
    machine: { cores: 8, cpu: "A processor with a name", node: "20.20.2", platform: "linux-x64" },
    ...{ interrupted: false, outcome: "verified", flaky: [], broken: [] },
    agreement: { tests: 142, agreeing: 142, affected: 48 },
    ...{ sites: sites(), tests, latency, summary: summarise(tests) },
    incomplete: [],
    notes: ["2 tests fail before the rewrite, too, and are left out."],
  };
}

/** The same with tests that broke and flaky ones. */
export function broken(result: VerifyResult): VerifyResult {
  const test = { id: "a", file: "test/order.test.ts", name: "order > keeps the order of writes" };
  return {
    ...result,
    outcome: "broken",
    interrupted: true,
    agreement: { tests: 142, agreeing: 141, affected: 48 },
    broken: [
      {
        ...test,
        how: "failed",
        message: "expected 2 to be 1\n    at test/order.test.ts:12:5",
        sites: [1, 3],
        blamed: 3,
        seed: 7,
      },
    ],
    flaky: [{ ...test, id: "b", name: "order > is quick", passed: 9, failed: 1 }],
  };
}

/** Operations of a site take as long as the delay makes them; the rewrite waits once, not twice. */
function measured(delayMs: number): MeasuredTest[] {
  const uniform = uniforms(42 + delayMs);
  return Array.from({ length: 48 }, (_, index) => {
    const saved = index % 4 === 0 ? 0 : 3 + (index % 9) * 2;
    const base = 20 + ((index * 37) % 90);
    const time = (length: number) => length * (0.94 + 0.12 * uniform()) - 2 * Math.log(uniform());
    const waits = saved === 0 ? 0 : delayMs;
    const name = index === 5 ? HOSTILE : `catalogue > page ${index + 1} shows its products`;
    return {
      id: `test ${index}`,
      ...{ file: `test/catalogue-${index % 5}.test.ts`, name, sites: [1 + (index % 3)] },
      original: Array.from({ length: RUNS }, () => time(base + 2 * waits)),
      rewritten: Array.from({ length: RUNS }, () =>
        time(base - saved + waits + (index === 8 ? 40 : 0)),
      ),
    };
  });
}

function sites(): Site[] {
  return [1, 2, 3].map((id) => ({
    id,
    file: `src/catalogue/load-${id}.ts`,
    line: 12 * id,
    title: "`stock` waits for `prices` to end before it starts, though it needs nothing from it",
    level: id === 3 ? "likely" : "safe",
    diff: DIFF.replaceAll("load.ts", `load-${id}.ts`),
    operations: [
      { label: "fetch(pricesUrl)" },
      { label: "fetch(stockUrl)", ...(id === 3 ? { lost: true as const } : {}) },
    ],
    ...(id === 3 ? {} : { timeline: TIMELINE }),
  }));
}

const TIMELINE = {
  test: "catalogue > loads a page",
  original: [
    { label: "fetch(pricesUrl)", startMs: 0, endMs: 42.5 },
    { label: "fetch(stockUrl)", startMs: 43, endMs: 71 },
    { label: "readFile(path.join(folder, template))", startMs: 71.4, endMs: 80 },
  ],
  rewritten: [
    { label: "fetch(pricesUrl)", startMs: 0, endMs: 43 },
    { label: "fetch(stockUrl)", startMs: 0.3, endMs: 29.5 },
    { label: "readFile(path.join(folder, template))", startMs: 0.5, endMs: 9 },
  ],
};

const DIFF = `--- a/src/catalogue/load.ts
+++ b/src/catalogue/load.ts
@@ -10,7 +10,11 @@ export async function load(id: string): Promise<Page> {
   const url = new URL(id, base);
-  const prices = await fetch(pricesUrl);
-  const stock = await fetch(stockUrl);
-  const template = await readFile(path.join(folder, template), "utf8");
+  const [prices, stock, template] = await Promise.all([
+    fetch(pricesUrl),
+    fetch(stockUrl),
+    readFile(path.join(folder, template), "utf8"),
+  ]);
   return render(template, await prices.json(), await stock.json());
 }
`;
