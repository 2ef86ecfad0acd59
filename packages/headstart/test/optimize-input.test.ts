import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { HeadstartError, SyntaxProblem } from "../src/errors.js";
import { optimize, optimizeAsync } from "../src/optimize.js";
import type { OptimizeOptions } from "../src/optimize-types.js";
import { optimizedSource } from "../src/register-source.js";

/** What is said of arguments that nothing has checked. */
function said(...[code, options]: readonly unknown[]): string {
  try {
    optimize(code as string, options as OptimizeOptions);
  } catch (error) {
    assert.ok(error instanceof HeadstartError, String(error));
    return error.message;
  }
  throw new Error("nothing was said");
}

describe("what optimize gets", () => {
  it("is said to be wrong where it is", () => {
    assert.match(said(Buffer.from("1")), /^the code is bytes, .* string; decode it/);
    assert.match(said(5), /^the code that optimize takes is a string, not 5$/);
    assert.match(said({}), /is a string, not an object$/);
    assert.match(said(undefined, {}), /is a string, not undefined$/);
    assert.match(said("1", { file: 5 }), /^the option "file" of optimize is a string, .* not 5$/);
    assert.match(said("1", null), /^the options of optimize are an object, not null; leave them/);
    assert.match(said("1", "a.js"), /^the options of optimize are an object, not "a\.js"; /);
    assert.match(said("1", { ticks: 1n }), /"ticks" of optimize is .*, not 1n$/);
    assert.match(said("1", { keepframes: true }), /unknown option "keepframes" of optimize; did/);
    assert.match(
      said("1", { bogus: 1 }),
      /unknown option "bogus" of optimize; .*"file" or "only"$/,
    );
  });

  it("is said to be wrong by a promise, too", async () => {
    await assert.rejects(optimizeAsync(5 as never), /the code that optimize takes is a string/);
  });
});

describe("a text with half of a character", () => {
  const TEXT = 'let a;\r\nexport async function f(x) { return (await x) + "\ud800"; }\n';

  it("is refused as one that does not parse is, with the place and the remedy", () => {
    assert.throws(
      () => optimize(TEXT, { file: "a.mjs" }),
      (error) => {
        assert.ok(error instanceof SyntaxProblem);
        assert.equal(error.message, `a.mjs:2:50: ${error.reason}`);
        assert.match(error.reason, /lone surrogate.*; write it as the escape \\ud800$/);
        return true;
      },
    );
    assert.throws(() => optimize("'\udc00'"), /^HeadstartError: input\.js:1:2: /);
  });

  it("is left alone as a module", () => {
    assert.equal(optimizedSource(TEXT, "/a.mjs", {}), TEXT);
  });

  it("is none where both halves are there, or an escape is, or only the name has one", () => {
    const whole = 'async function f() { return "\u{1F600}\\ud800"; }';
    assert.equal(optimize(whole, { file: "\ud800.mjs" }).functions.length, 1);
  });
});
