import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { readOptional, statOptional } from "../src/files.js";
import { readProject } from "../src/project.js";
import { makeFolder } from "../testing/repo.js";

/**
 * @param {import('node:test').TestContext} t
 * @param {Record<string, string | object>} files
 */
async function makeProject(t, files) {
  const folder = await makeFolder(t);
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

test("an empty folder", async (t) => {
  const folder = await makeProject(t, {});
  assert.deepEqual(await readProject(folder), { readme: null, license: null, package: null });
});

test("README and LICENSE under other names", async (t) => {
  const folder = await makeProject(t, { "readme.txt": "", COPYING: "", "README-old": "" });
  assert.deepEqual(await readProject(folder), {
    readme: "readme.txt",
    license: "COPYING",
    package: null,
  });
});

test("a package whose lock file is in step", async (t) => {
  const dependencies = { a: "^1.0.0", b: "^2.0.0" };
  const folder = await makeProject(t, {
    "README.md": "# it\n",
    LICENSE: "MIT License\n",
    "package.json": { name: "it", version: "1.2.3", dependencies },
    "package-lock.json": { packages: { "": { dependencies: { b: "^2.0.0", a: "^1.0.0" } } } },
  });
  assert.deepEqual(await readProject(folder), {
    readme: "README.md",
    license: "LICENSE",
    package: { name: "it", version: "1.2.3", lockFile: "package-lock.json", lockInSync: true },
  });
});

test("a package whose lock file lags behind", async (t) => {
  const folder = await makeProject(t, {
    "package.json": { name: "it", devDependencies: { a: "^2.0.0" } },
    "package-lock.json": { packages: { "": { devDependencies: { a: "^1.0.0" } } } },
  });
  const project = await readProject(folder);
  assert.deepEqual(project.package, {
    name: "it",
    version: null,
    lockFile: "package-lock.json",
    lockInSync: false,
  });
});

test("the lock file of another package manager", async (t) => {
  const folder = await makeProject(t, {
    "package.json": { name: "it", version: "1.0.0" },
    "pnpm-lock.yaml": "lockfileVersion: 9\n",
  });
  const project = await readProject(folder);
  assert.deepEqual(project.package, {
    name: "it",
    version: "1.0.0",
    lockFile: "pnpm-lock.yaml",
    lockInSync: null,
  });
});

test("a package.json in the middle of a conflict", async (t) => {
  const folder = await makeProject(t, { "package.json": "<<<<<<< HEAD\n{}\n" });
  const project = await readProject(folder);
  assert.deepEqual(project.package, {
    name: null,
    version: null,
    lockFile: null,
    lockInSync: null,
  });
});

test("optional files: missing is null, anything else is an error", async (t) => {
  const folder = await makeProject(t, { "a.txt": "a\n" });
  await mkdir(path.join(folder, "sub"));
  assert.equal(await readOptional(path.join(folder, "a.txt")), "a\n");
  assert.equal(await readOptional(path.join(folder, "b.txt")), null);
  assert.equal(await statOptional(path.join(folder, "b.txt")), null);
  assert.equal((await statOptional(path.join(folder, "sub")))?.isDirectory(), true);
  await assert.rejects(readOptional(path.join(folder, "sub")), { code: "EISDIR" });
  await assert.rejects(statOptional(path.join(folder, "a.txt", "x")), { code: "ENOTDIR" });
});
