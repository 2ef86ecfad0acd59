import assert from "node:assert/strict";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { readOperation } from "../src/operation.js";
import { makeConflict, makeRepo } from "../testing/repo.js";

test("nothing in progress", async (t) => {
  const repo = await makeConflict(t);
  assert.equal(await readOperation(repo.gitDir), null);
});

test("a rebase that stopped on a conflict", async (t) => {
  const repo = await makeConflict(t);
  const onto = await repo.rev("main");
  const origHead = await repo.rev("topic");
  await repo.gitFails("rebase", "--merge", "main");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "rebase",
    branch: "topic",
    onto,
    origHead,
    step: 2,
    total: 3,
  });

  await repo.git("rebase", "--abort");
  assert.equal(await readOperation(repo.gitDir), null);
});

test("a rebase of a detached head", async (t) => {
  const repo = await makeConflict(t);
  const onto = await repo.rev("main");
  const origHead = await repo.rev("topic");
  await repo.git("checkout", "--quiet", "--detach");
  await repo.gitFails("rebase", "--merge", "main");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "rebase",
    branch: null,
    onto,
    origHead,
    step: 2,
    total: 3,
  });
});

test("a rebase whose todo list is still being edited", async (t) => {
  const repo = await makeConflict(t);
  const onto = await repo.rev("main");
  const origHead = await repo.rev("topic");
  // The editor keeps a copy of the folder as it is while the list is open, then gives up.
  const snapshot = path.join(path.dirname(repo.dir), "snapshot");
  await mkdir(snapshot);
  const editor = `cp -r .git/rebase-merge '${snapshot}' && false`;
  await repo.gitFails("-c", `sequence.editor=${editor}`, "rebase", "-i", "main");
  assert.deepEqual(await readdir(snapshot), ["rebase-merge"]);
  assert.deepEqual(await readOperation(snapshot), {
    type: "rebase",
    branch: "topic",
    onto,
    origHead,
    step: null,
    total: null,
  });
});

test("a rebase that applies patches", async (t) => {
  const repo = await makeConflict(t);
  const onto = await repo.rev("main");
  const origHead = await repo.rev("topic");
  await repo.gitFails("rebase", "--apply", "main");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "rebase",
    branch: "topic",
    onto,
    origHead,
    step: 2,
    total: 3,
  });
});

test("patches being applied with git am", async (t) => {
  const repo = await makeConflict(t);
  await repo.git("format-patch", "--quiet", "-o", ".git/patches", "main..topic");
  await repo.git("checkout", "--quiet", "main");
  const names = ["0001-first.patch", "0002-second.patch", "0003-third.patch"];
  await repo.gitFails("am", ...names.map((name) => `.git/patches/${name}`));
  assert.deepEqual(await readOperation(repo.gitDir), { type: "am", step: 2, total: 3 });
});

test("a merge that stopped on a conflict", async (t) => {
  const repo = await makeConflict(t);
  const main = await repo.rev("main");
  await repo.gitFails("merge", "main");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "merge",
    heads: [main],
    subject: "Merge branch 'main' into topic",
    noFastForward: false,
  });
});

test("a merge of two branches that waits for its commit", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("base", {});
  const heads = [];
  for (const name of ["one", "two"]) {
    await repo.git("checkout", "--quiet", "-b", name, "main");
    heads.push(await repo.commit(name, { [`${name}.txt`]: `${name}\n` }));
  }
  await repo.git("checkout", "--quiet", "main");
  await repo.git("merge", "--quiet", "--no-ff", "--no-commit", "one", "two");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "merge",
    heads,
    subject: "Merge branches 'one' and 'two'",
    noFastForward: true,
  });
});

test("a cherry-pick that stopped on a conflict", async (t) => {
  const repo = await makeConflict(t);
  const commit = await repo.rev("main");
  await repo.gitFails("cherry-pick", "main");
  assert.deepEqual(await readOperation(repo.gitDir), { type: "cherry-pick", commit });
});

test("a revert that stopped on a conflict", async (t) => {
  const repo = await makeConflict(t);
  const commit = await repo.rev("HEAD~1");
  await repo.commit("fourth", { "file.txt": "fourth\n" });
  await repo.gitFails("revert", "--no-edit", commit);
  assert.deepEqual(await readOperation(repo.gitDir), { type: "revert", commit });
});

test("a bisect", async (t) => {
  const repo = await makeRepo(t);
  for (const n of [1, 2, 3, 4, 5]) await repo.commit(`${n}`, { "a.txt": `${n}\n` });
  await repo.git("bisect", "start");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "bisect",
    start: "main",
    bad: 0,
    good: 0,
  });

  await repo.git("bisect", "bad");
  await repo.git("bisect", "good", "HEAD~4");
  await repo.git("bisect", "good", "HEAD");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "bisect",
    start: "main",
    bad: 1,
    good: 2,
  });
});

test("a bisect with terms of its own", async (t) => {
  const repo = await makeRepo(t);
  for (const n of [1, 2, 3, 4]) await repo.commit(`${n}`, { "a.txt": `${n}\n` });
  await repo.git("bisect", "start", "--term-old=fast", "--term-new=slow", "HEAD", "HEAD~3");
  assert.deepEqual(await readOperation(repo.gitDir), {
    type: "bisect",
    start: "main",
    bad: 1,
    good: 1,
  });
});
