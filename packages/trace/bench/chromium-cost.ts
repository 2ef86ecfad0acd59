/**
 * What the timing pass costs: a page's own work (timers, promises, requests, its document) with and without it, in
 * turns, as CPU time of the page's process. Run with `node --import tsx bench/chromium-cost.ts [turns] [rounds]`; prints
 * the medians and their ratio.
 */
import { findChromium, launchBrowser } from "../src/chromium/browser.js";
import { Page } from "../src/chromium/page.js";
import { openPage } from "../src/chromium/targets.js";
import { startTracing } from "../src/chromium/tracing.js";
import { serve } from "../test/chromium-server.js";

/** What is compared. */
const VARIANTS = ["without", "timing", "topology"] as const;
type Variant = (typeof VARIANTS)[number];

/** What a run of the page took, in seconds: CPU time of its process, and of the tasks of its main thread. */
interface Cost {
  readonly process: number;
  readonly tasks: number;
}

/** How long a browser that has just started is left alone, in milliseconds. */
const SETTLE = 1500;

async function measure(executable: string, url: string, variant: Variant): Promise<Cost> {
  const browser = await launchBrowser(executable);
  const { cdp } = browser;
  try {
    const { sessionId } = await openPage(cdp, variant === "topology" ? variant : "timing");
    const page = new Page(cdp, sessionId);
    await page.waitForTimeout(SETTLE);
    if (variant !== "without") await startTracing(cdp, variant);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" }, sessionId);
    await page.goto(url);
    while ((await page.evaluate("document.title")) !== "done") await page.waitForTimeout(100);
    const { metrics } = await cdp.send("Performance.getMetrics", {}, sessionId);
    const list = metrics as { name: string; value: number }[];
    const tasks = list.find(({ name }) => name === "TaskDuration")?.value ?? NaN;
    const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
    const processes = processInfo as { type: string; cpuTime: number }[];
    const renderers = processes.filter(({ type }) => type === "renderer");
    return { process: Math.max(...renderers.map(({ cpuTime }) => cpuTime)), tasks };
  } finally {
    await browser.close();
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN;
}

const turns = Number(process.argv[2] ?? 9);
const rounds = Number(process.argv[3] ?? 200);
const executable = await findChromium();
const server = await serve();
const costs: Record<Variant, Cost[]> = { without: [], timing: [], topology: [] };
try {
  for (let turn = 0; turn < turns; turn++) {
    for (const variant of VARIANTS) {
      costs[variant].push(
        await measure(executable, `${server.url}work.html?rounds=${rounds}`, variant),
      );
    }
  }
} finally {
  await server.close();
}
for (const kind of ["process", "tasks"] as const) {
  const base = median(costs.without.map((cost) => cost[kind]));
  for (const variant of VARIANTS) {
    const value = median(costs[variant].map((cost) => cost[kind]));
    const ratio = median(
      costs[variant].map((cost, turn) => cost[kind] / (costs.without[turn]?.[kind] ?? NaN)),
    );
    console.log(
      `${kind} ${variant}: ${value.toFixed(3)} s, ${(value / base).toFixed(3)} of the median without, ` +
        `${ratio.toFixed(3)} turn by turn`,
    );
  }
}
