import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";

import type { Place } from "@headstart/spans";

import { ProjectFiles } from "../src/project-files.js";
import type { Finding, Range } from "../src/types.js";
import { FindingRoles, isOffered } from "../src/waterfall-findings.js";
import { project } from "./temp.js";

const range = (line: number, from = 1, to = 80): Range => ({
  start: { line, column: from },
  end: { line, column: to },
});

function finding(rule: string, own: Range, overlaps: readonly Range[], text: string): Finding {
  return {
    ...{ id: rule, rule, level: "likely", file: "a.js", range: own, overlaps, message: "" },
    ...{ crosses: [], assumptions: [], assumptionCodes: [], blockers: [], estimatedGainMs: 0 },
    ...{ replacement: [{ range: own, text }], applied: true },
  };
}

describe("what spans are to rewrites", () => {
  const folder = project({ "a.js": "", "lib.js": "" });
  const at = (line: number, column = 5, file = "a.js"): Place => ({
    ...{ file: join(folder, file), line, column },
    callers: [],
  });
  const roles = (one: Finding) => new FindingRoles([one], new ProjectFiles(folder));

  it("begins all statements of a Promise.all together", () => {
    const one = finding("independent-awaits", range(2), [range(1), range(4)], "Promise.all([");
    const found = roles(one);
    const strands = [1, 2, 3, 4].map((line) => found.of(at(line))?.joins?.strand);
    assert.deepEqual(strands, ["1", "0", undefined, "2"]);
    // By way of a helper, too.
    const helper = { ...at(9, 1, "lib.js"), callers: [at(2)] };
    assert.equal(found.of(helper)?.joins?.strand, "0");
    assert.equal(found.of(undefined), undefined);
  });

  it("knows in which order statements stand, whichever the finding is about", () => {
    const one = finding("independent-awaits", range(4), [range(2), range(3)], "Promise.all([");
    const orders = [2, 3, 4].map((line) => roles(one).of(at(line))?.joins?.order);
    assert.deepEqual(orders, [0, 1, 2]);
    const inLine = finding("awaits-in-one-expression", range(1, 22, 30), [range(1, 10, 20)], "");
    const columns = [12, 25].map((column) => roles(inLine).of(at(1, column))?.joins?.order);
    assert.deepEqual(columns, [0, 1]);
  });

  it("begins one early that all others are waited for as before", () => {
    const one = finding("independent-awaits", range(4), [range(1), range(2)], "const p = f();");
    const strands = [1, 2, 4].map((line) => roles(one).of(at(line))?.joins?.strand);
    assert.deepEqual(strands, ["others", "others", "early"]);
  });

  it("tells the awaits of one line apart by their columns", () => {
    const awaits = [range(1, 10, 20), range(1, 22, 30)] as const;
    const one = finding("awaits-in-one-expression", awaits[1], [awaits[0]], "");
    const strands = [12, 25, 50].map((column) => roles(one).of(at(1, column))?.joins?.strand);
    // What stands at none of them is taken for the first.
    assert.deepEqual(strands, ["1", "0", "0"]);
  });

  it("starts only the operation of a loop ahead, and so many, and knows when the loop is over", () => {
    const text = "startAhead(list, 4, (id) => get(id))";
    const found = roles(finding("independent-iterations", range(11), [range(10)], text));
    const joins = found.of(at(11))?.joins;
    assert.deepEqual([joins?.isTurn, joins?.atOnce], [true, 4]);
    assert.deepEqual(found.of(at(12)), { ends: [] });
    assert.equal(found.of(at(10))?.joins, undefined);
    assert.deepEqual(found.of(at(8)), { ends: ["independent-iterations"] });
    assert.deepEqual(found.of({ ...at(8), callers: [at(12)] }), { ends: [] });
  });

  it("leaves out what is not applied, what is no rewrite, and races", () => {
    const one = finding("independent-awaits", range(1), [range(2)], "");
    assert.equal(isOffered(one), true);
    assert.equal(isOffered({ ...one, applied: false }), false);
    assert.equal(isOffered({ ...one, level: "hint" }), false);
    assert.equal(isOffered({ ...one, replacement: null }), false);
    assert.equal(isOffered({ ...one, rule: "atomicity" }), false);
  });
});
