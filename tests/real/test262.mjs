// Runs Test262's async functions before and after `optimize`.
//
//   node --experimental-vm-modules tests/real/test262.mjs FOLDER [PART…] [--list]
//
// FOLDER is a checkout of tc39/test262. Each test that this Node passes, and that has an async
// function, is run again three times:
//
// - `plain`: optimised as it is;
// - `directive`: with the directive in every async function. That allows plain values where promises
//   were, so `.then` of a plain value is, before and after, that of its promise;
// - `inside`: with the directive in an arrow function inside every async function, so that callers
//   still get promises and nothing may change at all.
//
// Prints the counts as JSON, and each failure that the directive does not allow (with `--list`, each);
// ends with exit code 1 if there is one.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setImmediate } from "node:timers";
import vm from "node:vm";

import { optimize } from "headstart";
import { parse } from "yaml";

import { ask, promised } from "./ask.mjs";

const PARTS = [
  "test/language/expressions",
  "test/language/statements",
  "test/built-ins/AsyncFunction",
];
const MODES = ["plain", "directive", "inside"];
const TIMEOUT = 5_000;

const argv = process.argv.slice(2);
const list = argv.includes("--list");
const [folder, ...given] = argv.filter((it) => !it.startsWith("--"));
if (folder === undefined || vm.SourceTextModule === undefined) {
  console.error("usage: node --experimental-vm-modules tests/real/test262.mjs FOLDER [PART…]");
  process.exit(2);
}
process.on("unhandledRejection", () => undefined);

/** The files of a part. */
function* testsIn(part) {
  const entries = readdirSync(path.join(folder, part), { withFileTypes: true });
  for (const entry of entries) {
    const name = path.join(part, entry.name);
    if (entry.isDirectory()) yield* testsIn(name);
    else if (/(?<!_FIXTURE)\.js$/.test(name)) yield name;
  }
}

/** A test's text and what its front matter says. */
function read(name) {
  const text = readFileSync(path.join(folder, name), "utf8");
  const front = /\/\*---([^]*?)---\*\//.exec(text)?.[1] ?? "";
  const { flags = [], includes = [], negative } = parse(front.replaceAll("\r", "\n")) ?? {};
  return { name, text, flags: new Set(flags), includes, negative };
}

/** The ways in which a test has to be run. */
function variants({ flags }) {
  if (flags.has("module")) return ["module"];
  if (flags.has("raw") || flags.has("noStrict")) return ["sloppy"];
  return flags.has("onlyStrict") ? ["strict"] : ["sloppy", "strict"];
}

/** The promise of a plain value, which the directive allows where a promise was. */
const PROMISED = `function $promised(it) {
  return it !== null && /object|function/.test(typeof it) && typeof it.then === "function"
    ? it : Promise.resolve(it);
}`;

const harness = new Map();
function included(name, mode) {
  const key = `${name} ${mode}`;
  if (!harness.has(key)) {
    const text = readFileSync(path.join(folder, "harness", name), "utf8");
    const script = mode === "directive" ? promised(text, name) : text;
    harness.set(key, new vm.Script(script, { filename: `harness/${name}` }));
  }
  return harness.get(key);
}

/** A realm with the harness in it; `outcome()` says how the test signalled its end. */
function realm(test, mode, queue) {
  let printed;
  const context = vm.createContext(
    { print: (text) => (printed ??= String(text)) },
    queue ? { microtaskMode: "afterEvaluate" } : {},
  );
  const global = vm.runInContext("globalThis", context);
  context.$262 = {
    global,
    createRealm: () => realm({ ...test, flags: new Set(["raw"]) }, mode, queue).context.$262,
    evalScript: (text) => vm.runInContext(text, context),
    gc: () => undefined,
  };
  if (!test.flags.has("raw")) {
    const async_ = test.flags.has("async") ? ["doneprintHandle.js"] : [];
    const names = ["assert.js", "sta.js", ...async_, ...test.includes];
    for (const name of names) included(name, mode).runInContext(context);
  }
  if (mode === "directive") vm.runInContext(PROMISED, context);
  return { context, outcome: () => printed };
}

async function linker(specifier, from) {
  if (!specifier.startsWith(".")) throw new Error(`no module ${specifier}`);
  const file = path.resolve(path.dirname(from.identifier), specifier);
  return moduleOf(readFileSync(file, "utf8"), file, from.context);
}

/** A module is one however often it is imported. */
const modules = new WeakMap();
function moduleOf(text, identifier, context) {
  const known = modules.get(context) ?? new Map();
  modules.set(context, known);
  if (!known.has(identifier)) {
    const importModuleDynamically = async (specifier, from) => {
      const file = path.resolve(path.dirname(from.identifier ?? identifier), specifier);
      const module = moduleOf(readFileSync(file, "utf8"), file, context);
      if (module.status === "unlinked") await module.link(linker);
      if (module.status === "linked") await module.evaluate();
      return module;
    };
    known.set(
      identifier,
      new vm.SourceTextModule(text, { identifier, context, importModuleDynamically }),
    );
  }
  return known.get(identifier);
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Runs a text as a test; resolves to what went wrong, or `undefined`. */
async function failure(test, text, variant, mode) {
  const isModule = variant === "module";
  const file = path.resolve(folder, test.name);
  const queue = !isModule && !/\bimport\b/.test(text);
  const { context, outcome } = realm(test, mode, queue);
  let phase = "parse";
  try {
    if (isModule) {
      const module = moduleOf(text, file, context);
      phase = "resolution";
      await module.link(linker);
      phase = "runtime";
      await module.evaluate({ timeout: TIMEOUT });
    } else {
      const script = new vm.Script(text, {
        filename: file,
        importModuleDynamically: (specifier) => {
          const target = path.resolve(path.dirname(file), specifier);
          const module = moduleOf(readFileSync(target, "utf8"), target, context);
          return module.link(linker).then(() => module.evaluate().then(() => module));
        },
      });
      phase = "runtime";
      script.runInContext(context, { timeout: TIMEOUT });
    }
  } catch (error) {
    const kind = error?.constructor?.name ?? typeof error;
    if (test.negative?.phase === phase && test.negative.type === kind) return undefined;
    return `${phase}: ${kind}: ${error?.message ?? String(error)}`;
  }
  if (test.negative) return `no ${test.negative.type}`;
  if (!test.flags.has("async")) return undefined;
  for (let i = 0; i < 40 && outcome() === undefined; i++) await soon();
  return outcome() === "Test262:AsyncTestComplete" ? undefined : (outcome() ?? "never ends");
}

/** The text of a test in a mode, before and after; `undefined` where that has nothing to do. */
function texts(test, variant, mode) {
  const file = variant === "module" ? "test.mjs" : "test.js";
  const strict = variant === "strict" ? '"use strict";\n' : "";
  if (mode === "plain") return { before: strict + test.text, file };
  if (test.negative?.phase === "parse") return undefined;
  const asked = ask(strict + test.text, file, mode);
  if (asked.functions === 0) return undefined;
  return { before: mode === "directive" ? promised(asked.text, file) : asked.text, file };
}

/** What the directive allows, by the tests that look at it. */
const ALLOWED = {
  "the function is no AsyncFunction, but an ordinary one":
    /built-ins\/AsyncFunction\/|\/forbidden-ext\/b1\/|async-arrow-function\/prototype\.js|superclass-async-function/,
  "it returns a plain value, not a promise": /-returns-promise\.js/,
  "what waits for nothing takes no tick":
    /await\/(?:async-await-interleaved|await-non-promise)\.js/,
};

const HAS_ASYNC = /\basync\b/;
const KINDS = [
  "run",
  "unchanged",
  "setAside",
  "converted",
  "kept",
  "passes",
  "fails",
  "allowed",
  "refused",
];
const counts = { tests: 0, before: 0, failsBefore: 0 };
for (const mode of MODES) counts[mode] = Object.fromEntries(KINDS.map((kind) => [kind, 0]));
const reasons = new Map();
const allowed = new Map();
const failures = [];

function fail(mode, name, variant, kind, message) {
  const why = Object.keys(ALLOWED).find((it) => ALLOWED[it].test(name));
  const isAllowed = kind === "fails" && mode !== "plain" && why !== undefined;
  if (isAllowed) allowed.set(why, (allowed.get(why) ?? 0) + 1);
  counts[mode][isAllowed ? "allowed" : kind] += 1;
  if (!isAllowed || list)
    failures.push({ mode, name, variant, kind, message: message.split("\n")[0] });
}

async function runMode(test, variant, mode) {
  const tally = counts[mode];
  const given = texts(test, variant, mode);
  if (given === undefined) return;
  // What asking for it changes already (`var`s named like parameters) says nothing.
  if (mode !== "plain" && (await failure(test, given.before, variant, mode)) !== undefined) {
    tally.setAside += 1;
    return;
  }
  tally.run += 1;
  let code;
  try {
    const result = optimize(given.before, { file: given.file });
    code = result.code;
    for (const { outcome } of result.functions) {
      tally[outcome.kind] += 1;
      if (mode === "plain" || outcome.kind === "converted") continue;
      reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1);
    }
  } catch (error) {
    // A file that is no program is left as it is.
    if (test.negative?.phase === "parse") tally.unchanged += 1;
    else fail(mode, test.name, variant, "refused", error.message);
    return;
  }
  if (code === given.before) {
    tally.unchanged += 1;
    return;
  }
  const message = await failure(test, code, variant, mode);
  if (message === undefined) tally.passes += 1;
  else fail(mode, test.name, variant, "fails", message);
}

for (const part of given.length > 0 ? given : PARTS) {
  for (const name of testsIn(part)) {
    const test = read(name);
    if (!HAS_ASYNC.test(test.text.replace(/\/\*---[^]*?---\*\//, ""))) continue;
    for (const variant of variants(test)) {
      counts.tests += 1;
      const plain = texts(test, variant, "plain");
      if ((await failure(test, plain.before, variant, "plain")) !== undefined) {
        counts.failsBefore += 1;
        continue;
      }
      counts.before += 1;
      for (const mode of MODES) await runMode(test, variant, mode);
    }
  }
}
for (const it of failures) console.log(Object.values(it).join(" | "));
const maps = { kept: Object.fromEntries(reasons), allowed: Object.fromEntries(allowed) };
console.log(JSON.stringify({ ...counts, ...maps }, null, 2));
const wrong = MODES.some((mode) => counts[mode].fails + counts[mode].refused > 0);
process.exit(wrong ? 1 : 0);
