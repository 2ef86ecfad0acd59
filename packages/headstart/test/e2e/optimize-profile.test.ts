import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { project } from "../temp.js";
import { headstart, run } from "./command.js";

/** Keeps the processor busy for long enough that every profile of it has samples of who does it. */
const SPIN = "for (let end = performance.now() + 60; performance.now() < end; );";

/** Runs a file of a folder, and has Node write a profile. */
function record(folder: string, file: string, name = "it.cpuprofile", into = "."): void {
  const place = [`--cpu-prof-name=${name}`, `--cpu-prof-dir=${into}`];
  const options = ["--cpu-prof", ...place, "--cpu-prof-interval", "500"];
  const { status, stderr } = run(process.execPath, [...options, file], folder);
  assert.equal(status, 0, stderr);
}

/** Every form of an async function; what is called `cold…` does not run. */
const FORMS = `async function declared(a) { await null; ${SPIN} }
/* ü𝒳 */ async  function /* ( */  spaced  (a = (() => 1)()) { await null; ${SPIN} }
const arrow = async (a) => { await null; ${SPIN} };
const single = /* 𝒳 */ async a => { await null; ${SPIN} };
const expression = async function (a) { await null; ${SPIN} };
const own = { named: async function inner(a) { await null; ${SPIN} }, async method(a) { await null; ${SPIN} } };
class Forms {
  async m(a) { await null; ${SPIN} }
  static async s (a) { await null; ${SPIN} }
  async #p(a) { await null; ${SPIN} }
  async "quoted"(a) { await null; ${SPIN} }
  async ["com" + (() => "puted")()](a) { await null; ${SPIN} }
  field = async (a) => { await null; ${SPIN} };
  static async coldMethod(a) { await null; }
  p() { return this.#p(1); }
}
async function cold(a) { await null; }
const it = new Forms();
await declared(1); await spaced(); await arrow(1); await single(1); await expression(1);
await own.named(1); await own.method(1);
await it.m(1); await Forms.s(1); await it.p(); await it.quoted(1); await it.computed(1); await it.field(1);
`;

/** The lines of a report, taken apart: the place, the name, and what the profile says. */
function listed(stdout: string) {
  const lines = stdout.trimEnd().split("\n");
  return lines.map((line) => {
    const [, file = "", place, name = "", share = "", result] =
      /^(.*?):(\d+:\d+) (.*?) \((no sample|[\d.]+%, [\d.]+ ms); its file [\d.]+%\): (.*)$/.exec(
        line,
      ) ?? assert.fail(line);
    return { file, place, name, share, result };
  });
}

describe("headstart optimize with a CPU profile", () => {
  it("finds functions of every form where V8 says that they begin", () => {
    const folder = project({ "src/forms.mjs": FORMS });
    record(folder, "src/forms.mjs");
    const args = ["optimize", "src", "-o", "out", "--report", "--profile", "it.cpuprofile"];
    const { status, stdout, stderr } = headstart(folder, args);
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /^note: it\.cpuprofile: \d+ of \d+ samples are in files of src, \d+ of them in async functions\n$/,
    );
    const functions = listed(stdout);
    assert.equal(functions.length, 15);
    const without = functions.filter(({ share }) => share === "no sample");
    assert.deepEqual(without.map(({ name }) => name).toSorted(), ["cold", "coldMethod"]);
    assert.deepEqual(functions.slice(-2), without);
    const times = functions.map(({ share }) => Number.parseFloat(share) || 0);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => b - a),
    );
  });

  const PROGRAM = {
    "src/store.cjs": `exports.Store = class {
  async get(key) { if (key < 0) await null; return key + 1; }
  async flush() { await null; if (this.broken) await null; return 1; }
};
`,
    "src/main.mjs": `import { Store } from "./store.cjs";
const store = new Store();
async function total(count) {
  let sum = 0; // of all
  await null;
  for (let i = 0; i < count; i++) sum += await store.get(i);
  ${SPIN}
  return sum;
}
async function cold(all) {
  await null; // what is cold keeps its comments
  return (await total(1)) + (await store.flush());
}
console.log(await total(10), cold.name);
`,
  };

  it("converts only what is hot, and short ones that this calls", () => {
    const folder = project(PROGRAM);
    record(folder, "src/main.mjs");
    const args = ["optimize", "src", "-o", "out", "--report", "--only-hot", "it.cpuprofile"];
    const { status, stdout, stderr } = headstart(folder, args);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^note: it\.cpuprofile: .* samples are in files of src/);
    assert.match(
      stderr,
      /note: converting at most 2 of 4 async functions: [12] with \d+\.\d% of their time, and [01] short ones that these call\n$/,
    );
    const functions = listed(stdout);
    assert.equal(functions[0]?.name, "total");
    const kept = functions.filter(({ result }) => result?.startsWith("kept: cold"));
    assert.deepEqual(kept.map(({ name }) => name).toSorted(), ["cold", "flush"]);
    const [main, store] = ["main.mjs", "store.cjs"].map((name) =>
      readFileSync(join(folder, "out", name), "utf8"),
    );
    const text = PROGRAM["src/main.mjs"];
    assert.ok(
      main?.includes(text.slice(text.indexOf("async function cold"), text.indexOf("console"))),
    );
    assert.ok(
      store?.includes("  async flush() { await null; if (this.broken) await null; return 1; }"),
    );
    assert.match(store ?? "", /get\$fast|fast/);
    const before = run(process.execPath, ["src/main.mjs"], folder);
    assert.equal(run(process.execPath, ["out/main.mjs"], folder).stdout, before.stdout);
  });

  it("reads all profiles of a folder, and several options", () => {
    const folder = project(PROGRAM);
    record(folder, "src/main.mjs", "1.cpuprofile", "all");
    record(folder, "src/main.mjs", "2.cpuprofile", "all");
    const args = ["optimize", "src/main.mjs", "-o", "out.mjs", "--report"];
    const profiles = ["--profile", "all", "--profile", "all/2.cpuprofile"];
    const { status, stdout, stderr } = headstart(folder, [...args, ...profiles]);
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /^note: all\/1\.cpuprofile, all\/2\.cpuprofile, all\/2\.cpuprofile: \d+ of/,
    );
    assert.deepEqual(
      listed(stdout).map(({ name }) => name),
      ["total", "cold"],
    );
  });

  it("warns where nothing matches, and converts nothing then", () => {
    const folder = project({ ...PROGRAM, "other/o.mjs": SPIN });
    record(folder, "other/o.mjs");
    const { status, stdout, stderr } = headstart(folder, [
      ...["optimize", "src", "-o", "out", "--report"],
      ...["--only-hot", "it.cpuprofile"],
    ]);
    assert.equal(status, 0);
    assert.match(
      stderr,
      /^warning: it\.cpuprofile: 0 of \d+ samples are in files of src: the profile is of other files; record one with "node --cpu-prof"/,
    );
    assert.equal(listed(stdout).filter(({ result }) => result?.startsWith("kept: cold")).length, 4);
    for (const [name, text] of Object.entries(PROGRAM)) {
      assert.equal(readFileSync(join(folder, name.replace("src", "out")), "utf8"), text);
    }
  });

  it("warns where functions begin elsewhere than in the profile", () => {
    const folder = project(PROGRAM);
    record(folder, "src/main.mjs");
    for (const [name, text] of Object.entries(PROGRAM)) {
      writeFileSync(join(folder, name), `\n${text}`);
    }
    const { status, stderr } = headstart(folder, [
      ...["optimize", "src", "-o", "out", "--report"],
      ...["--profile", "it.cpuprofile"],
    ]);
    assert.equal(status, 0);
    assert.match(
      stderr,
      /^warning: .* in files of src, 0 of them in async functions: none is busy, or/,
    );
  });

  it("still says which files do not parse", () => {
    const folder = project({ ...PROGRAM, "src/bad.mjs": "async function (" });
    record(folder, "src/main.mjs");
    const { status, stderr } = headstart(folder, [
      ...["optimize", "src", "-o", "out", "--only-hot", "it.cpuprofile"],
    ]);
    assert.equal(status, 2);
    assert.equal(stderr.match(/bad\.mjs:1:\d+: /g)?.length, 1);
    assert.equal(readFileSync(join(folder, "out/bad.mjs"), "utf8"), "async function (");
  });

  for (const option of ["--profile", "--only-hot"]) {
    it(`refuses what is no profile, before anything is written (${option})`, () => {
      const folder = project({ ...PROGRAM, "bad.cpuprofile": '{"nodes": [' });
      for (const [name, message] of [
        [
          "bad.cpuprofile",
          /^error: bad\.cpuprofile:1:12: it is no JSON, and so no CPU profile; record/,
        ],
        [
          "src/main.mjs",
          /^error: src\/main\.mjs(:1:1)?: it is no JSON, and so no CPU profile; record/,
        ],
        ["none", /^error: none: there is no such file; check the spelling, or record/],
        ["src", /^error: src: the folder has no \.cpuprofile file in it; record/],
      ] as const) {
        const args = ["optimize", "src", "-o", "out", "--report", option, name];
        const { status, stdout, stderr } = headstart(folder, args);
        assert.equal(status, 2, stderr);
        assert.equal(stdout, "");
        assert.match(stderr, message);
        assert.throws(() => readFileSync(join(folder, "out/main.mjs")));
      }
    });
  }
});
