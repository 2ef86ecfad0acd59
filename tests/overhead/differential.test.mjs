// The optimiser changes nothing that can be seen: random functions, and seeded bugs that are found.
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";

import { optimize } from "headstart";

import { differ, textOf } from "./differ.mjs";
import { generateCalls } from "./generate-calls.mjs";
import { generateFiles } from "./generate-files.mjs";
import { ProgramFolder } from "./whole.mjs";
import { cut, observe } from "./world.mjs";

const COUNT = Number(process.env["DIFFER_COUNT"] ?? 300);
const SEED = Number(process.env["DIFFER_SEED"] ?? 1);
/** Of programs of several files, the share of scenarios that are run: with fewer of each, more programs. */
const SHARE = Number(process.env["DIFFER_SHARE"] ?? 1);

/** What is rejected on purpose is nobody's business but that of who awaits it. */
before(() => {
  // Programs that were broken on purpose go on after their tests, which the runner would blame these for.
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", () => undefined);
});

const safely = (code, ticks) => {
  try {
    return { ...optimize(code, { file: "program.js", ticks }), error: null };
  } catch (error) {
    return { error: String(error) };
  }
};
const relaxed = (code) => safely(code, "relaxed");
const exactly = (code) => safely(code, "exact");

function show({ seed, program, mismatch }) {
  const { reason, behaviours, expected, actual } = mismatch;
  return `program ${seed}\n${textOf(program, true)}\n${reason ?? JSON.stringify({ behaviours, expected, actual }, null, 1)}`;
}

const CLEANED_UP = "with exact ticks, returns out of a `finally` or `for … of`";
const HIDDEN = "defaults or patterns of its parameters mention a name that its body declares";
/** What has to stay as it is, and is made on purpose: it does not count as not converted. */
const LEFT_ALONE = [CLEANED_UP, HIDDEN];

/** Why functions stay as they are: docs/optimize.md names each. */
const REASONS = [
  "a `var` or a parameter that closures change",
  "functions in it share variables in a way that is not followed",
  "closures hold variables in a way that is not followed",
  "an await in an expression of a kind that is not taken apart",
  "uses a variable in front of its declaration",
  "assigns to a constant",
  "a `var` has the name of what its `catch` clause catches",
  "a loop takes apart what closures in it hold",
  ...LEFT_ALONE,
];

async function compare(count, optimizer, options) {
  let converted = 0;
  let leftAlone = 0;
  let runs = 0;
  for (let seed = SEED; seed < SEED + count; seed++) {
    const result = await differ(seed, optimizer, options);
    converted += Number(result.converted);
    leftAlone += Number(LEFT_ALONE.includes(result.reason));
    runs += result.runs;
    assert.equal(result.mismatch, undefined, result.mismatch && show(result));
    assert.ok(result.converted || REASONS.includes(result.reason), result.reason);
  }
  console.log(`${count} functions, ${converted} converted, ${runs} runs`);
  const others = count - leftAlone;
  assert.ok(converted > others * 0.8, `only ${converted} of ${others} functions are converted`);
}

describe("random functions", () => {
  it(`do the same when optimised (${COUNT} functions from seed ${SEED})`, () =>
    compare(COUNT, relaxed, {}));
  it(`take the same ticks with exact ones (${COUNT} functions from seed ${SEED})`, () =>
    compare(COUNT, exactly, { ticks: true }));
});

it("logs of values that double with each call stay small, and differences in them show", async () => {
  const doubling = ($) =>
    async function main(p) {
      for (let round = 0; round < 18; round++) p = `${p}-${p}`;
      for (let round = 0; round < 40; round++) $.log(p, p, [p], new Error(p));
      return p;
    };
  const { outcome, log } = await observe(doubling, []);
  assert.ok(log.length > 40);
  assert.ok([outcome, ...log].every((it) => it.length < 1000));
  const long = "x".repeat(1_000_000);
  for (const other of [`${long}x`, `${long.slice(1)}y`, `y${long.slice(1)}`]) {
    assert.notEqual(cut(other), cut(long));
  }
});

/** `entries`: the ways into converted functions that have to occur. */
async function comparePrograms(count, optimizer, entries, options) {
  const program = (seed) => generateCalls(seed, options.ticks);
  await compareMade(count, { program, optimizer: () => optimizer }, entries, options);
}

/** As above, of programs that `program` makes of a seed, through what `optimizer` gives for each. */
async function compareMade(count, { program: make, optimizer }, entries, options) {
  const counts = { functions: 0, asked: 0, inPlace: 0, beside: 0 };
  let runs = 0;
  for (let seed = SEED; seed < SEED + count; seed++) {
    const program = make(seed);
    const result = await differ(seed, optimizer(program), { ...options, program });
    runs += result.runs;
    counts.functions += result.functions?.length ?? 0;
    for (const { outcome } of result.functions ?? []) {
      if (outcome.kind === "converted") counts[outcome.entry] += 1;
    }
    assert.equal(result.mismatch, undefined, result.mismatch && show(result));
  }
  console.log(`${count} programs, ${runs} runs, functions: ${JSON.stringify(counts)}`);
  for (const entry of entries) {
    assert.ok(counts[entry] > count / 2, `too few functions are converted: ${entry}`);
  }
}

/** As above, of programs of several files; `asks`: with functions that ask for it. */
async function compareFiles(count, { asks = false, ...options }, entries, checks) {
  const folder = new ProgramFolder();
  const optimizer =
    ({ files }) =>
    () =>
      folder.assembled(files, options);
  try {
    const program = (seed) => generateFiles(seed, asks);
    await compareMade(count, { program, optimizer }, entries, { ...checks, share: SHARE });
  } finally {
    folder.remove();
  }
}

describe("random programs of several files", () => {
  it(`do the same when optimised whole (${COUNT} programs from seed ${SEED})`, () =>
    compareFiles(COUNT, {}, ["beside"], {}));
  const few = Math.ceil(COUNT / 8);
  for (const keepTypes of [true, false]) {
    const types = keepTypes ? "with their types" : "without types";
    it(`do the same as TypeScript, ${types} (${few} programs from seed ${SEED})`, () =>
      compareFiles(few, { typescript: true, keepTypes }, ["beside"], {}));
  }
  it(`take the same ticks with exact ones (${few} programs from seed ${SEED})`, () =>
    compareFiles(few, { asks: true, ticks: "exact" }, ["asked"], { ticks: true }));
});

describe("random functions that call one another", () => {
  it(`do the same when optimised (${COUNT} programs from seed ${SEED})`, () =>
    comparePrograms(COUNT, relaxed, ["beside"], {}));
  it(`take the same ticks with exact ones (${COUNT} programs from seed ${SEED})`, () =>
    comparePrograms(COUNT, exactly, ["asked"], { ticks: true }));
});

/** Each has to be noticed in one of 400 functions. */
function findAll(bugs, ticks) {
  for (const [name, breakIt] of Object.entries(bugs)) {
    it(name, async () => {
      const broken = (code) => {
        const result = safely(code, ticks ? "exact" : "relaxed");
        return result.error === null ? { ...result, code: breakIt(result.code, code) } : result;
      };
      for (let seed = 1; seed < 400; seed++) {
        const { mismatch } = await differ(seed, broken, { ticks, depth: 2 });
        if (mismatch !== undefined) return;
      }
      assert.fail("400 functions do not show it");
    });
  }
}

describe("a bug in the optimiser is found:", () => {
  findAll(
    {
      "statements run again on the way to a site": (code) => code.replaceAll("if (!$at) {", "{"),
      "a value that is never waited for": (code) =>
        code.replace(/= await (\(\$at|\$hold|\$value)/, "= $1"),
      "a finally that runs at the hand-over": (code) => code.replaceAll("$over = true", "0"),
      "a promise taken for a value": (code) => code.replace("?.then)", "?.then, false)"),
      "`then` read twice": (code) =>
        code.replace(/(function \$hold\(value, then\) \{)/, "$1 return value;"),
      "a variable that is not carried": (code) =>
        code.replace(/(main\$rest(?:\.call)?\((?:this, )?\$at, \$hold\(.*?\), )[^,)]+/, "$10"),
      "an iterator closed at the hand-over": (code) =>
        code.replaceAll("if (!$over) $close", "$close"),
      "a throw that is no rejection": (code) =>
        code.replaceAll("return $reject(error)", "return error"),
    },
    false,
  );
});

describe("a bug with exact ticks is found:", () => {
  findAll(
    {
      "an await that takes no tick": (_, source) => relaxed(source).code,
      "an await that takes two": (code) =>
        code.replace(/= await (\(\$at|\$value)/, "= await await $1"),
      "a thenable given back as it is": (code) => code.replace("? $adopt(value)", "? value"),
    },
    true,
  );
});

describe("a bug at call sites is found:", () => {
  // Fast methods are rare: only what has waited calls them.
  const MOST = 1500;
  const bugs = {
    "a fast method taken for that of a copy": (code) =>
      code.replace(/ && ([$\w]+\.of === [$\w]+|[$\w]+ === [$\w.[\]]+\.of)/g, ""),
    "a receiver that is lost": (code) =>
      code.replace(/\? ([$\w]+) : \$miss\(/g, "? { __proto__: $1 } : $miss("),
    "a function that gives back no promise": (code) =>
      code.replace(/^async (function f\d)/gm, "$1"),
    "a fast function that is called by what has not waited": (code) =>
      code.replace(/await (f\d)\(/g, (call, name) =>
        code.includes(`${name}$fast(`) ? `await ${name}$fast(` : call,
      ),
    "a promise that is not waited for in a function that stays": (code) =>
      code.replace(/await \$taken\(\$value, \$then\)/g, "$value"),
    "an error that is swallowed": (code) => code.replace(/^throw error;$/gm, ""),
  };
  for (const [name, breakIt] of Object.entries(bugs)) {
    it(name, async () => {
      const broken = (code) => {
        const result = safely(code);
        return result.error === null ? { ...result, code: breakIt(result.code) } : result;
      };
      for (let seed = 1; seed < MOST; seed++) {
        if ((await differ(seed, broken, { depth: 2, program: generateCalls(seed) })).mismatch)
          return;
      }
      assert.fail(`${MOST} programs do not show it`);
    });
  }
});
