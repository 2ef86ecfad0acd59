import assert from "node:assert/strict";

import { verify } from "../src/index.js";
import { options, QUIET, rightSites, wrongSite } from "./projects.js";

/**
 * Holds verify to what is true of a fixture when two reads happen at once: its tests agree, one of them
 * is timed, the reads overlap, and delays show.
 */
export async function timesWhatIsAffected(
  project: string,
  file: string,
  runner: RegExp,
): Promise<void> {
  const result = await verify(
    options(project, rightSites(project, file), { runs: 1, latency: [400] }),
    QUIET,
  );
  assert.equal(result.outcome, "verified", JSON.stringify(result, null, 2));
  assert.match(result.runner, runner);
  assert.deepEqual(result.agreement, { tests: 3, agreeing: 3, affected: 1 });
  assert.deepEqual(
    result.tests.map(({ name, sites, original, rewritten }) => ({
      ...{ name, sites },
      runs: [original.length, rewritten.length],
    })),
    [{ name: "store > reading > reads both files", sites: [1], runs: [1, 1] }],
  );
  assert.deepEqual(result.notes, [
    `Executed by no test: ${file}:${String(result.sites[1]?.line)}.`,
  ]);
  const [site, never] = result.sites;
  const labels = [
    'readFile(path.join(dir, "HEAD"), "utf8")',
    'readFile(path.join(dir, "config.json"), "utf8")',
  ];
  assert.deepEqual(
    site?.operations.map(({ label }) => label),
    labels,
  );
  const [first, second] = site.timeline?.original ?? [];
  assert.ok(first && second && second.startMs >= first.endMs, "one after the other before");
  const [one, other] = site.timeline?.rewritten ?? [];
  assert.ok(one && other && other.startMs < one.endMs, "at the same time behind the rewrite");
  assert.equal(never?.timeline, undefined);
  // Two delays in a row take longer than two at once. They are long beside what a busy machine does, and
  // both together within what mocha gives a test.
  const [none, delayed] = result.latency;
  assert.deepEqual([none?.delayMs, delayed?.delayMs], [0, 400]);
  assert.ok((delayed?.summary.geometricChange ?? 0) > 25, JSON.stringify(delayed));
}

/** Holds verify to finding out what a wrong rewrite of a fixture breaks, and which it is. */
export async function catchesWhatIsWrong(project: string, file: string): Promise<void> {
  const sites = [...rightSites(project, file), wrongSite(project, file)];
  const result = await verify(options(project, sites, { bisect: true }), QUIET);
  assert.equal(result.outcome, "broken");
  assert.deepEqual(
    result.broken.map(({ name, how, sites, blamed }) => ({ name, how, sites, blamed })),
    [{ name: "store > writes in order", how: "failed", sites: [3], blamed: 3 }],
  );
  assert.match(result.broken[0]?.message ?? "", /debit/);
  assert.deepEqual(result.tests, []);
}
