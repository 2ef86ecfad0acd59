import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { recordPage } from "../src/chromium/record-page.js";
import { chromium, skip } from "./chromium.js";
import { temporaryFolder } from "./folder.js";
import {
  type Edge,
  entriesOf,
  expectedEdges,
  foundEdges,
  type Labels,
  labelsBy,
  tableOf,
  wrongEdges,
} from "./chromium-edges.js";
import { serve } from "./chromium-server.js";
import { readTrace, type Run } from "./read-trace.js";

/** The share of edges that have to be right. */
const BAR = { topology: 0.99, timing: 0.95 };

/** What nobody says without the helper that only the topology pass has. */
const UNKNOWN_TO_TIMING = new Set(["o3", "o4", "worker", "relay", "shared", "connect", "j9"]);

/** Drives the page, and keeps what it has to say itself. */
const DRIVER = `
import { writeFileSync } from "node:fs";
export default async (page) => {
  await page.waitForSelector("#done");
  const edges = await page.evaluate("JSON.stringify(edges)");
  writeFileSync(new URL("own.json", import.meta.url), edges);
};`;

await test("parents are those that stand in the page", { skip }, compareWithPage);

/** Records the page, and compares what is found with what stands in it. */
async function compareWithPage(context: TestContext): Promise<void> {
  const files = temporaryFolder(context);
  const server = await serve();
  context.after(() => server.close());
  const [file, script] = [join(files, "edges.trace"), join(files, "driver.mjs")];
  writeFileSync(script, DRIVER);
  const recorded = await recordPage({
    ...{ url: `${server.url}edges.html`, file, script, chromium, seconds: 60 },
    signal: new AbortController().signal,
    note: (text) => {
      context.diagnostic(text);
    },
  });
  assert.deepEqual(recorded.notes, []);
  const { parents, places } = expectedEdges();

  const own = JSON.parse(readFileSync(join(files, "own.json"), "utf8")) as [string, string][];
  const said = own.map(([child, parent]): Edge => ({ label: base(child), parent: base(parent) }));
  assert.deepEqual(wrongEdges(said, parents, said), [], "what the page says of itself");

  const labelOf = labelsBy(places);
  const threads = readTrace(file).threads;
  const fine = threads.filter(({ name }) => name.startsWith("topology: "));
  const edges = foundEdges(fine, labelOf);
  check("topology", edges, wrongEdges(edges, parents, said));
  assert.ok(edges.length >= 200, `there are only ${edges.length} edges`);
  const missing = missingOf(said, edges);
  // V8 forgets a sample now and then, and with that the place.
  assert.ok(missing.length <= said.length * 0.03, `missing: ${missing.join(", ")}`);

  // The other pass sees entries of the host only: it has to agree with the first one on these.
  const coarse = threads.filter(({ name }) => name.startsWith("timing: "));
  const entries = loose(foundEdges(coarse, orNumber(labelOf)));
  const labels = new Set(entries.map(({ label }) => label));
  const table = tableOf(foundEdges(fine, labelOf, entriesOf(fine)), labels);
  const known = entries.filter(({ label }) => !UNKNOWN_TO_TIMING.has(label));
  check("timing", known, wrongEdges(known, table));

  for (const runs of [fine, coarse].map((it) => it.flatMap((thread) => thread.runs))) {
    const messages = runs.filter((it) => /^q(?:2|4|6|9|10|15|16)$/.test(labelOf(it) ?? ""));
    const registrations = new Set(messages.map(({ registration }) => registration));
    assert.equal(registrations.size, messages.length, "each message of a port runs once");
    assert.equal(messages.length, 40);
  }

  function check(pass: keyof typeof BAR, all: readonly Edge[], wrong: readonly string[]): void {
    const right = all.length - wrong.length;
    const rest = wrong.length === 0 ? "" : `, but not ${wrong.join(", ")}`;
    context.diagnostic(`${pass}: ${right} of ${all.length} parents are right${rest}`);
    assert.ok(right >= all.length * BAR[pass], `${pass}: ${wrong.join(", ")}`);
  }
}

/** Gives all runs a label: batches of microtasks have no place. */
function orNumber(labelOf: Labels): Labels {
  const numbers = new Map<Run, string>();
  return (run) => {
    const number = numbers.get(run) ?? `#${numbers.size}`;
    numbers.set(run, number);
    return labelOf(run) ?? number;
  };
}

/** Edges in which parents that have only a number are replaced by their own. */
function loose(edges: readonly Edge[]): Edge[] {
  const parents = new Map(edges.map(({ label, parent }) => [label, parent]));
  const named = (label: string): string =>
    label.startsWith("#") ? named(parents.get(label) ?? "-") : label;
  return edges
    .filter(({ label }) => !label.startsWith("#"))
    .map(({ label, parent }) => ({ label, parent: named(parent) }));
}

/** A label without what distinguishes those that stand at the same place. */
function base(label: string): string {
  return label.replace(/:.*/, "");
}

/** What the page says that the recording does not have, or not as often. */
function missingOf(said: readonly Edge[], found: readonly Edge[]): string[] {
  const rest = found.map(({ label }) => label);
  return said
    .map(({ label }) => label)
    .filter((label) => {
      const at = rest.indexOf(label);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
}
