import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { commandHelp } from "../src/help.js";
import { chooseHot, HOT_SHARE, SHORT } from "../src/optimize-hot.js";
import { type FunctionInFile, percent } from "../src/optimize-profile.js";

/** A function, by its name, and what it calls. */
function function_(
  name: string,
  { callees = [], length = 100 }: { callees?: readonly string[]; length?: number } = {},
): FunctionInFile {
  const startPosition = { line: 1, column: 1 };
  return {
    file: "/a.js",
    function: {
      ...{ name, line: 1, column: 1, offset: 0, startPosition, length, callees },
      calls: { awaited: 0, other: 0 },
      eased: { count: 0, of: [] },
      outcome: { kind: "kept", reason: "cold" },
    },
  };
}

/** The names of what is chosen, by how long functions ran. */
function chosen(functions: readonly FunctionInFile[], times: Readonly<Record<string, number>>) {
  const { hot, called } = chooseHot(functions, (it) => times[it.function.name] ?? 0);
  const names = (all: readonly FunctionInFile[]) => all.map((it) => it.function.name);
  return { hot: names(hot), called: names(called) };
}

describe("chooseHot", () => {
  const all = ["a", "b", "c", "d"].map((name) => function_(name));

  it("takes the fewest that have the share", () => {
    assert.deepEqual(chosen(all, { a: 20, b: 972, c: 8 }).hot, ["b", "a"]);
    assert.deepEqual(chosen(all, { a: 995, b: 4, c: 1 }).hot, ["a"]);
  });

  it("takes those that ran as long as the last of these, and none that never did", () => {
    assert.deepEqual(chosen(all, { a: 994, b: 2, c: 2, d: 2 }).hot, ["a"]);
    assert.deepEqual(chosen(all, { a: 985, b: 5, c: 5, d: 5 }).hot, ["a", "b", "c", "d"]);
    assert.deepEqual(chosen(all, { a: 1 }).hot, ["a"]);
    assert.deepEqual(chosen(all, {}), { hot: [], called: [] });
  });

  it("takes short ones that they call, and that such call, but no long ones", () => {
    const functions = [
      function_("a", { callees: ["b", "long", "nobody"], length: 10 * SHORT }),
      function_("#b", { callees: ["c", "a"] }),
      function_("c", { length: SHORT }),
      function_("long", { callees: ["d"], length: SHORT + 1 }),
      function_("d"),
      function_("b"),
    ];
    assert.deepEqual(chosen(functions, { a: 10 }), { hot: ["a"], called: ["#b", "b", "c"] });
    assert.deepEqual(chosen(functions, { "#b": 10 }), { hot: ["#b"], called: ["c"] });
  });

  it("is as the help says it", () => {
    const share = `${String(100 * HOT_SHARE)}%`;
    assert.match(commandHelp("optimize"), new RegExp(`together have\\s+${share} of the`));
  });
});

it("percent has one digit, and nothing is none of nothing", () => {
  assert.equal(percent(1, 3), "33.3%");
  assert.equal(percent(0, 0), "0.0%");
});
