// Runs the test cases that peers publish before and after `optimize`.
//
//   node tests/real/peers.mjs FOLDER…
//
// FOLDER is the `tests` folder of babel-plugin-transform-async-to-promises (folders with an `input.js`,
// an async function, and with `case-*.js` that check what it does) or of nodent-compiler, which
// fast-async uses (`semantics/*.js`, bodies of async functions whose value is compared). Both ways of
// asking for the conversion are tried (see ask.mjs). Prints counts and differences; ends with exit code
// 1 at one that docs/optimize.md does not name.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers";

import { optimize } from "headstart";

import { ask, promised, WAYS } from "./ask.mjs";

const AsyncFunction = (async () => undefined).constructor;
const SECONDS = 20;
process.on("unhandledRejection", () => undefined);

/** What the cases use of jest. */
const expect = (value) => ({
  toBe: (other) => assert.ok(Object.is(value, other), `${String(value)}, not ${String(other)}`),
  toEqual: (other) => assert.deepEqual(value, other),
});
const $promised = (it) =>
  it !== null && /object|function/.test(typeof it) && typeof it.then === "function"
    ? it
    : Promise.resolve(it);

/** What the directive and fewer ticks allow, by the cases that look at it. */
const ALLOWED = {
  directive: [/^empty function.*\/case-result\.js$/, /^for to event loop ordering\//],
  inside: [/^for to event loop ordering\//],
};

const readIn = (...names) => readFileSync(path.join(...names), "utf8");

/** Cases: the text that makes a function, and what to do with that. */
function* casesOfPlugin(folder) {
  for (const name of readdirSync(folder)) {
    const input = path.join(folder, name, "input.js");
    if (!existsSync(input)) continue;
    const files = readdirSync(path.join(folder, name)).filter((it) => /^case-.*\.js$/.test(it));
    for (const file of files) {
      const check = new AsyncFunction(
        "f",
        "expect",
        "$promised",
        promised(readIn(folder, name, file), file),
      );
      const run = async (make) => {
        await check(make(), expect, $promised);
        return true;
      };
      yield { name: `${name}/${file}`, text: `return ${readFileSync(input, "utf8")}`, run };
    }
  }
}

function* casesOfCompiler(folder) {
  for (const file of readdirSync(folder).filter((it) => it.endsWith(".js"))) {
    const text = `return async function () { ${readIn(folder, file)}\n}`;
    yield { name: file, text, run: (make) => make()() };
  }
}

/** What comes of running a text: its value, or what it throws. */
async function outcome({ run }, text) {
  let make;
  try {
    make = new Function("require", "$promised", text);
  } catch (error) {
    return { syntax: String(error) };
  }
  const late = new Promise((resolve) => {
    setTimeout(() => resolve({ thrown: "never ends" }), SECONDS * 1000).unref();
  });
  const value = (async () => {
    try {
      return { value: await run(() => make(undefined, $promised)) };
    } catch (error) {
      return { thrown: String(error) };
    }
  })();
  return await Promise.race([value, late]);
}

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("usage: node tests/real/peers.mjs FOLDER…");
  process.exit(2);
}
const counts = { cases: 0, setAside: 0, run: 0, converted: 0, kept: 0, allowed: 0, differ: 0 };
for (const folder of folders) {
  const semantics = path.join(folder, "semantics");
  const cases = existsSync(semantics) ? casesOfCompiler(semantics) : casesOfPlugin(folder);
  for (const it of cases) {
    counts.cases += 1;
    const expected = await outcome(it, it.text);
    // Other dialects, and what does not pass without any conversion.
    if (expected.value === undefined) {
      counts.setAside += 1;
      continue;
    }
    for (const way of WAYS) {
      const asked = promised(ask(it.text, "case.js", way).text, "case.js");
      const { code, functions } = optimize(asked, { file: "case.js" });
      for (const { outcome } of functions) counts[outcome.kind] += 1;
      counts.run += 1;
      const actual = await outcome(it, code);
      if (JSON.stringify(actual) === JSON.stringify(expected)) continue;
      const isAllowed = ALLOWED[way].some((allowed) => allowed.test(it.name));
      counts[isAllowed ? "allowed" : "differ"] += 1;
      console.log(`${it.name} (${way}): ${JSON.stringify(expected)}, ${JSON.stringify(actual)}`);
    }
  }
}
console.log(JSON.stringify(counts));
process.exit(counts.differ > 0 ? 1 : 0);
