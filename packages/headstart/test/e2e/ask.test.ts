import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { ask, check } from "../../src/index.js";
import { project } from "../temp.js";
import { headstart } from "./command.js";

const SHOP = `import { readFile } from "node:fs/promises";
import { visits } from "./visits.js";

export async function page(id) {
  const head = await readFile("head.html", "utf8");
  const seen = await visits(id);
  return head + seen;
}
`;
const VISITS = `import store from "store";

export async function visits(id) {
  return store.sum(id, (visit) => visit.count);
}
`;
const FILES = { "package.json": "{}", "shop.js": SHOP, "visits.js": VISITS };
const KEY = "visits.js#visits";

const assuming = (assume: Record<string, string>) => ({
  ...FILES,
  "headstart.config.json": JSON.stringify({ assume }),
});

describe("ask", () => {
  it("names the function, the awaits beside its calls, and what is not known", async () => {
    const { questions, all } = await ask({ cwd: project(FILES) });
    assert.equal(all, 1);
    const [question] = questions;
    assert.ok(question);
    const { key, name, awaits, functions, cause, causeRange } = question;
    assert.deepEqual(
      { key, name, awaits, functions, cause, line: causeRange.start.line },
      { key: KEY, name: "visits", awaits: 2, functions: 1, cause: "store.sum", line: 4 },
    );
  });

  it("prints what to put into the configuration", () => {
    const { stdout, status } = headstart(project(FILES), ["ask"]);
    assert.equal(status, 0);
    assert.match(stdout, /^1\. What does `visits` do\? \(visits\.js:3\)\n/);
    assert.match(stdout, /\n {3}"visits\.js#visits": "…"\n/);
  });

  it("asks no more about what was answered", async () => {
    for (const answer of ["reads", "anything"]) {
      const { questions } = await ask({ cwd: project(assuming({ [KEY]: answer })) });
      assert.deepEqual(questions, []);
    }
  });

  it("says that there is nothing to ask", () => {
    const { stdout } = headstart(project({ "package.json": "{}", "a.js": "f();" }), ["ask"]);
    assert.match(stdout, /^There is nothing to ask/);
  });
});

describe("assume", () => {
  it("gives findings that say so", async () => {
    assert.deepEqual((await check({ cwd: project(FILES) })).findings, []);
    const { findings, warnings } = await check({ cwd: project(assuming({ [KEY]: "reads" })) });
    assert.deepEqual(
      warnings.filter(({ reason }) => reason.startsWith("`assume`")),
      [],
    );
    const [finding, ...more] = findings;
    assert.ok(finding);
    assert.deepEqual(more, []);
    assert.equal(finding.level, "likely");
    assert.ok(
      finding.assumptions.some((it) =>
        it.startsWith(
          "`visits` only reads, and may be under way beside others, as the configuration says",
        ),
      ),
    );
  });

  it("is not used where code contradicts it", async () => {
    const files = {
      ...assuming({ [KEY]: "computes" }),
      "visits.js": `import { appendFile } from "node:fs/promises";
export async function visits(id) {
  await appendFile("visits.txt", id);
}
`,
    };
    const { findings, warnings } = await check({ cwd: project(files) });
    const codes = findings.flatMap(({ assumptionCodes }) => assumptionCodes);
    assert.ok(!codes.includes("answered-by-configuration"));
    assert.deepEqual(
      warnings.filter(({ reason }) => reason.startsWith("`assume`")).map(({ file }) => file),
      ["visits.js"],
    );
  });

  const wrong: [string, string, RegExp][] = [
    ["no such function", "visits.js#visit", /there is no function `visit` in that file/],
    ["no such file", "visit.js#visits", /there is no such file/],
    ["no name", "visits.js", /a key is FILE#NAME/],
  ];
  for (const [what, key, message] of wrong) {
    it(`is warned of where it names ${what}`, async () => {
      const { warnings } = await check({ cwd: project(assuming({ [key]: "logs" })) });
      const said = warnings.filter(({ reason }) => reason.startsWith("`assume`"));
      assert.equal(said.length, 1);
      assert.match(said[0]?.reason ?? "", message);
    });
  }
});
