import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { packageFile } from "../../src/package.js";
import { project } from "../temp.js";
import { type Outcome, run } from "./command.js";

const REGISTER = pathToFileURL(packageFile("dist/register.js")).href;

/** The newest LTS of Node, which the benchmarks install: it loads modules in another way. */
const LTS = fileURLToPath(
  new URL(
    `../../../../benches/overhead/node-lts/node_modules/node-${process.platform}-${process.arch}/bin/node`,
    import.meta.url,
  ),
);
const NODES = [process.execPath, ...(existsSync(LTS) ? [LTS] : [])];

const FUNCTION = [
  '  "perhaps async";',
  "  const value = await x;",
  '  if (value === 13) throw new Error("unlucky");',
  "  return value + 1;",
  "}",
];

const FILES = {
  "package.json": "{}",
  "common.js": ["async function f(x) {", ...FUNCTION, "module.exports = { f };"].join("\n"),
  "strict.cjs": ['"use strict";', "exports.f = async (x) => {", ...FUNCTION].join("\n"),
  "module.mjs": ["export async function f(x) {", ...FUNCTION].join("\n"),
  // Neither its name nor package.json says that it is a module.
  "esm/index.js": ["export async function f(x) {", ...FUNCTION].join("\n"),
  "esm/package.json": '{ "type": "module" }',
  "types.ts": ["export async function f(x: number): Promise<number> {", ...FUNCTION].join("\n"),
  "types.cts": ["exports.f = async function f(x: number): Promise<number> {", ...FUNCTION].join(
    "\n",
  ),
  "broken.js": '"perhaps async"; async function (',
  "node_modules/dep/index.js": ["exports.f = async (x) => {", ...FUNCTION].join("\n"),
};

/** Nothing in it says that it is a module: where its function is fast, nothing waits. */
const TOP = `async function f(x) { return x; }
async function main() { await f(1); await f(2); console.log("before"); }
Promise.resolve().then(() => undefined).then(() => console.log("after"));
main();
`;

/** Loads a module in a process and prints what its function gives back, and a trace. */
function loaded(node: string, expression: string, env: NodeJS.ProcessEnv = {}) {
  const main = [
    `Promise.resolve(${expression}).then(async ({ f }) => {`,
    "  const result = f(1);",
    "  const stack = await Promise.resolve(f(13)).then(String, (error) => error.stack);",
    "  console.log(JSON.stringify({ isFast: result === 2, value: await result, stack }));",
    "});",
  ].join("\n");
  const cwd = project({ ...FILES, "main.cjs": main });
  const args = ["--no-warnings", "--enable-source-maps", "--import", REGISTER, "main.cjs"];
  return run(node, args, cwd, env);
}

function printed({ status, stdout, stderr }: Outcome) {
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as { isFast: boolean; value: number; stack: string };
}

for (const node of NODES) {
  const { stdout: version } = run(node, ["--version"], ".");
  const [major = 0] = version.slice(1).split(".").map(Number);
  const modules = [
    ["CommonJS", 'require("./common.js")', "common.js"],
    ["CommonJS that is strict", 'require("./strict.cjs")', "strict.cjs"],
    [
      "CommonJS that a module imports",
      'import("./common.js").then((it) => it.default)',
      "common.js",
    ],
    ["a module", 'import("./module.mjs")', "module.mjs"],
    ["a module that is required", 'require("./esm/index.js")', join("esm", "index.js")],
    ...(major >= 24
      ? [
          ["a module in TypeScript", 'import("./types.ts")', "types.ts"],
          ["CommonJS in TypeScript", 'require("./types.cts")', "types.cts"],
        ]
      : []),
  ] as const;

  describe(`headstart/register on Node ${version.trim()}`, () => {
    for (const [what, expression, file] of modules) {
      it(`optimises ${what}`, () => {
        const { isFast, value, stack } = printed(loaded(node, expression));
        assert.deepEqual({ isFast, value }, { isFast: true, value: 2 });
        const line = file === "strict.cjs" ? 5 : 4;
        assert.ok(stack.includes(`${file}:${line}:`), stack);
      });
    }

    it("knows that what Node loads as CommonJS is no script", () => {
      for (const [name, load] of [
        ["top.js", 'require("./top.js")'],
        ["top.js", 'import("./top.js")'],
        ["top.cjs", 'require("./top.cjs")'],
      ] as const) {
        const files = { [name]: TOP, "main.cjs": `${load};` };
        const args = ["--no-warnings", "--import", REGISTER, "main.cjs"];
        const { stdout, stderr } = run(node, args, project(files));
        assert.equal(stdout, "before\nafter\n", stderr);
      }
    });

    it("leaves packages alone", () => {
      const { isFast, value } = printed(loaded(node, 'require("dep")'));
      assert.deepEqual({ isFast, value }, { isFast: false, value: 2 });
    });

    it("leaves what does not parse to Node", () => {
      const { status, stderr } = loaded(node, 'require("./broken.js")');
      assert.notEqual(status, 0);
      assert.match(stderr, /broken\.js:1\b[^]*SyntaxError/);
    });

    it("takes options from the environment", () => {
      const exact = { HEADSTART_OPTIMIZE: "--ticks exact" };
      for (const expression of ['require("./common.js")', 'import("./module.mjs")']) {
        assert.equal(printed(loaded(node, expression, exact)).isFast, false, expression);
      }
    });

    it("says what is wrong with them", () => {
      for (const [given, message] of [
        ["--tick exact", /HEADSTART_OPTIMIZE: unknown option "--tick"/],
        ["--report", /HEADSTART_OPTIMIZE: "--report" is for files/],
      ] as const) {
        const { status, stderr } = loaded(node, "{}", { HEADSTART_OPTIMIZE: given });
        assert.equal(status, 2);
        assert.match(stderr, message);
        assert.match(stderr, /^error: .*\n$/, "it is one line");
      }
    });
  });
}
