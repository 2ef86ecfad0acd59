import assert from "node:assert/strict";
import { it } from "node:test";

import { mistakesIn, optimize } from "../src/optimize.js";
import type { OptimizedFunction } from "../src/optimize-types.js";
import { optimizedSource } from "../src/register-source.js";

const function_ = (name: string, line: number, mistake?: boolean): OptimizedFunction => ({
  name,
  line,
  column: 1,
  offset: 0,
  startPosition: { line, column: 1 },
  length: 10,
  callees: [],
  calls: { awaited: 0, other: 0 },
  eased: { count: 0, of: [] },
  ...(mistake === undefined ? {} : { mistake }),
  outcome: { kind: "kept", reason: "for a reason" },
});

it("says whose mistake it is that a function stays as it is", () => {
  assert.equal(mistakesIn("a.js", [function_("f", 1)]), null);
  const said = mistakesIn("a.js", [function_("f", 1), function_("g", 2, true)]) ?? "";
  assert.match(said, /^a\.js: what becomes of g \(line 2\) does not parse, so it stays as it is; /);
  assert.match(said, /mistake of headstart, please report it with the file$/);
  const many = [1, 2, 3, 4, 5].map((line) => function_(line === 1 ? "" : "h", line, true));
  assert.match(
    mistakesIn("a.js", many) ?? "",
    /a function without a name \(line 1\), h \(line 2\), h \(line 3\) and 2 more does/,
  );
});

it("says so of modules that Node loads, too", () => {
  const text = "async function f() {}";
  const warnings: string[] = [];
  const optimizer: typeof optimize = (code) => ({
    code,
    changed: false,
    map: null,
    mapText: null,
    ungated: [],
    functions: [function_("f", 1, true)],
  });
  const warn = (message: string) => warnings.push(message);
  assert.equal(optimizedSource(text, "/a.js", {}, { optimizer, warn }), text);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^\/a\.js: what becomes of f \(line 1\) does not parse/);
});
