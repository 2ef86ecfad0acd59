import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { verify } from "../src/index.js";
import { JOURNAL } from "../src/journal.js";
import { ORIGINAL, project, SOURCE, TOGETHER } from "./made.js";
import { fixture, folder, options, QUIET, rightSites, site } from "./projects.js";

describe("an interrupt", () => {
  const slow = `test("slow", async () => { await both(one, one); await new Promise((r) => setTimeout(r, 300)); });`;

  it("keeps what was measured, and --resume goes on from it", async () => {
    const made = project(slow);
    const before = readdirSync(made).sort();
    const out = join(folder(), "out");
    const controller = new AbortController();
    const rounds = { runs: 4, out };
    let runs = 0;
    const counting = {
      ...QUIET,
      ran: () => {
        // Three runs of all tests, one of the affected ones alone, two to see what overlaps.
        if (++runs === 6 + 3) controller.abort();
      },
    };
    const sites = [site(made, "both.js", ORIGINAL, TOGETHER)];
    const stopped = await verify(
      options(made, sites, { ...rounds, signal: controller.signal }),
      counting,
    );
    assert.equal(stopped.interrupted, true);
    assert.equal(stopped.outcome, "verified");
    assert.equal(stopped.runs, 1);
    assert.ok(existsSync(join(out, JOURNAL)));
    await assert.rejects(verify(options(made, sites, rounds), QUIET), /go on with --resume/);

    let took = 0;
    const measuring = { ...QUIET, ran: (ms: number) => (took += ms > 0 ? 1 : 0) };
    const done = await verify(options(made, sites, { ...rounds, resume: true }), measuring);
    assert.equal(done.interrupted, false);
    assert.equal(done.runs, 4);
    assert.equal(took, 8 - 3);
    assert.deepEqual(done.tests[0]?.original.slice(0, 1), stopped.tests[0]?.original.slice(0, 1));
    assert.deepEqual(readdirSync(made).sort(), before);

    writeFileSync(join(made, "both.js"), `${SOURCE}// changed\n`);
    await assert.rejects(
      verify(options(made, sites, { ...rounds, resume: true }), QUIET),
      /another state of the project/,
    );
  });

  it("at the very start leaves nothing", async () => {
    const made = project(slow);
    const controller = new AbortController();
    controller.abort();
    const sites = [site(made, "both.js", ORIGINAL, TOGETHER)];
    const result = await verify(options(made, sites, { signal: controller.signal }), QUIET);
    assert.equal(result.outcome, "not-run");
    assert.equal(result.interrupted, true);
  });
});

describe("the project itself", () => {
  it("is not touched by tests that write", async () => {
    const made = fixture("node-js");
    const file = join(made, "data/HEAD");
    const write = `import { writeFileSync } from "node:fs";\nwriteFileSync("data/HEAD", "main\\n\\n");\nwriteFileSync("new", "");\n`;
    const tests = join(made, "test/store.test.js");
    writeFileSync(tests, write + readFileSync(tests, "utf8"));
    const { outcome } = await verify(
      options(made, rightSites(made, "src/store.js"), { runs: 1 }),
      QUIET,
    );
    assert.equal(outcome, "verified");
    assert.equal(readFileSync(file, "utf8"), "main\n");
    assert.equal(existsSync(join(made, "new")), false);
  });
});
