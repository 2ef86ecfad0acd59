import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { verify } from "../src/index.js";
import { callInPackage } from "../src/runners/workspace.js";
import { ORIGINAL, SOURCE, TOGETHER } from "./made.js";
import { folder, options, QUIET, site } from "./projects.js";

const INSTALLED = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** A workspace with a package that names no runner; returns the folder of the package. */
function workspace(manifest: object, files: Readonly<Record<string, string>>): string {
  const root = folder();
  const all = {
    "package.json": JSON.stringify({ private: true, workspaces: ["packages/*"], ...manifest }),
    "packages/app/package.json": '{"name":"app","type":"module"}',
    "packages/app/both.js": SOURCE,
    "packages/other/package.json": '{"name":"other"}',
    ...files,
  };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  symlinkSync(INSTALLED, join(root, "node_modules"));
  return join(root, "packages/app");
}

const BODY = `import { both } from "../both.js";
const one = async () => 1;
test("both", async () => { if ((await both(one, one)).join() !== "1,1") throw new Error("wrong"); });
`;
const CASES = [
  {
    what: "the script of the root, with files of all packages",
    manifest: { scripts: { test: "node --test packages/*/test/*.check.js" } },
    files: {
      "packages/app/test/both.check.js": `import { test } from "node:test";\n${BODY}`,
      "packages/other/test/bad.check.js": 'throw new Error("not asked for");\n',
    },
    runner: /^node:test/,
  },
  {
    what: "what is installed in the root",
    manifest: { devDependencies: { vitest: "*" } },
    files: { "packages/app/test/both.test.js": `import { test } from "vitest";\n${BODY}` },
    runner: /^vitest/,
  },
  {
    what: "the settings of the root",
    manifest: { scripts: { test: "vitest run" } },
    files: {
      "vitest.config.js":
        'export default { test: { include: ["test/*.check.js"], globals: true } };\n',
      "packages/app/test/both.check.js": BODY,
    },
    runner: /^vitest/,
  },
  {
    what: "mocha of the root",
    manifest: {
      scripts: { test: "mocha 'packages/*/test/*.js'" },
      devDependencies: { mocha: "*" },
    },
    files: {
      "packages/app/test/both.js": `const test = it;\n${BODY}`,
      "packages/other/test/bad.js": 'throw new Error("not asked for");\n',
    },
    runner: /^mocha/,
  },
] as const;

describe("a package whose workspace has the runner", () => {
  for (const { what, manifest, files, runner } of CASES) {
    it(`is verified with ${what}`, async () => {
      const project = workspace(manifest, files);
      const sites = [site(project, "both.js", ORIGINAL, TOGETHER)];
      const result = await verify(options(project, sites, { runs: 1 }), QUIET);
      assert.equal(result.outcome, "verified", JSON.stringify(result, null, 2));
      assert.match(result.runner, runner);
      assert.deepEqual(result.agreement, { tests: 1, agreeing: 1, affected: 1 });
      assert.deepEqual(result.incomplete, []);
    });
  }

  it("names both files where neither has one", () => {
    const project = workspace({}, {});
    const sites = [site(project, "both.js", ORIGINAL, TOGETHER)];
    return assert.rejects(
      verify(options(project, sites), QUIET),
      /packages\/app\/package\.json and .*package\.json name no runner that is known/,
    );
  });
});

describe("the call of a workspace", () => {
  const call = (args: readonly string[], files: Readonly<Record<string, string>> = {}) => {
    const project = workspace({}, { "settings.js": "", ...files });
    const root = join(project, "../..");
    return callInPackage({ runner: "jest", nodeArgs: [], args, env: {} }, root, project).args;
  };

  it("leads to the same files from the package", () => {
    assert.deepEqual(call(["--setup", "settings.js"]), ["--setup", "../../settings.js"]);
    assert.deepEqual(call(["--setup=./settings.js"]), ["--setup=../../settings.js"]);
    assert.deepEqual(call(["packages/app/both.js", "-t", "name"]), ["both.js", "-t", "name"]);
    assert.deepEqual(call(["packages/**/*.test.js", "**/*.spec.js"]), [
      "**/*.test.js",
      "**/*.spec.js",
    ]);
  });

  it("leaves out what is about other packages, or about all", () => {
    assert.deepEqual(call(["packages", "packages/other", "packages/other/*.js"]), []);
  });

  it("has the settings of the root where the package has none", () => {
    const config = { "jest.config.js": "" };
    assert.deepEqual(call([], config), ["--config", "../../jest.config.js", "--rootDir", "."]);
    assert.deepEqual(call([], { ...config, "packages/app/jest.config.js": "" }), []);
    assert.deepEqual(call(["--config", "jest.config.js"], config), [
      "--config",
      "../../jest.config.js",
    ]);
  });
});
