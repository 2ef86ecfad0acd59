import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { headstart } from "./command.js";

/** What nobody can read off the code: the test hands the clients in. */
const PAGE = `export async function page(kit, id) {
  const profile = await kit.profile(id);
  const partner = await kit.partner(id);
  return { profile, partner };
}

export async function visit(kit, id) {
  const count = await kit.getCount(id);
  const name = await kit.getName(id);
  return [count, name];
}
`;
const FILES = {
  "package.json": '{"type":"module","scripts":{"test":"node --test"}}',
  "page.js": PAGE,
  "page.test.js": `import fs from "node:fs/promises";
import { test } from "node:test";
import { page, visit } from "./page.js";
const read = () => fs.readFile("package.json", "utf8");
test("pages", async () => {
  const kit = { profile: read, partner: read, getName: read, getCount: () => fs.appendFile("count", "1") };
  for (let n = 0; n < 3; n++) await page(kit, n);
  await visit(kit, 1);
});
`,
};
const EVIDENCE = ".headstart/evidence.json";

interface Found {
  readonly findings: readonly {
    readonly level: string;
    readonly range: { readonly start: { readonly line: number } };
    readonly assumptions: readonly string[];
    readonly seen?: { readonly runs: number; readonly needlessMs: number };
  }[];
  readonly warnings: readonly { readonly reason: string }[];
}

function check(folder: string, ...more: readonly string[]): Found {
  const { stdout, stderr } = headstart(folder, ["check", "page.js", "--format", "json", ...more]);
  assert.equal(stderr.includes("error"), false, stderr);
  return JSON.parse(stdout) as Found;
}

const lines = ({ findings }: Found): number[] => findings.map((it) => it.range.start.line);

describe("evidence", () => {
  const folder = project(FILES);
  assert.deepEqual(lines(check(folder)), [9], "by their names, without a recording");
  assert.equal(headstart(folder, ["observe"]).status, 0);

  it("makes a finding of calls that were seen to read, and none of one that was seen to write", () => {
    const found = check(folder);
    assert.deepEqual(lines(found), [3]);
    const [finding] = found.findings;
    assert.equal(finding?.level, "likely");
    assert.equal(finding.seen?.runs, 3);
    assert.equal(finding.seen.needlessMs > 0, true);
    const said =
      /`kit\.profile` only reads, as it did when it was observed \(3 calls: fs read package\.json\)/;
    assert.match(finding.assumptions.join("\n"), said);
    assert.deepEqual(found.warnings, []);
    assert.deepEqual(lines(check(folder, "--evidence", "none")), [9]);
    assert.deepEqual(lines(check(folder, "--evidence", EVIDENCE)), [3]);
  });

  it("is explained", () => {
    const { stdout } = headstart(folder, ["explain", "page.js:8"]);
    assert.match(stdout, /observed: 1 run, [\d.]+ ms in all/);
    assert.match(stdout, /observed: 1 × fs write count/);
  });

  it("holds for functions that have moved, and for none that have changed", () => {
    writeFileSync(
      join(folder, "page.js"),
      `// Moved.\n\n${PAGE.replace("getCount(id)", "getCount(id, 1)")}`,
    );
    const found = check(folder);
    assert.deepEqual(lines(found), [5, 11]);
    assert.match(
      found.warnings[0]?.reason ?? "",
      /2 awaits in it stand in functions that have changed/,
    );
    writeFileSync(join(folder, "page.js"), PAGE);
  });

  it("is not used where it is damaged", () => {
    const file = join(folder, EVIDENCE);
    const whole = readFileSync(file, "utf8");
    for (const [text, said] of [
      [whole.slice(0, 500), /is no JSON, or cut off; `headstart observe -- COMMAND` writes it/],
      [whole.replace(/"version": \d+/, '"version": 1'), /is no recording of this version/],
      ["[]", /is no recording of this version/],
      [whole.replace('"calls": 3', '"calls": "3"'), /or was changed by hand/],
      [whole.replaceAll(/"offset": \d+/g, '"offset": -5'), /or was changed by hand/],
    ] as const) {
      writeFileSync(file, text);
      const found = check(folder);
      assert.deepEqual(lines(found), [9]);
      assert.match(found.warnings[0]?.reason ?? "", said);
      const given = headstart(folder, ["check", "--evidence", EVIDENCE]);
      assert.equal(given.status, 2);
      assert.match(given.stderr, said);
    }
    writeFileSync(file, whole);
  });

  it("names a file that is not there", () => {
    const { status, stderr } = headstart(folder, ["check", "--evidence", "nowhere.json"]);
    assert.equal(status, 2);
    assert.match(stderr, /nowhere\.json: .*; `headstart observe -- COMMAND` writes it/);
  });
});
