import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { parseStatus, readStashes, readSubmodules, readWorkingTree } from "../src/working-tree.js";
import { makeConflict, makeRepo, Repo } from "../testing/repo.js";

const CLEAN = {
  upstream: null,
  ahead: 0,
  behind: 0,
  staged: 0,
  modified: 0,
  untracked: 0,
  conflicts: [],
};

test("a clean working tree", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  assert.deepEqual(await readWorkingTree(repo.dir), CLEAN);
});

test("staged, modified and untracked files", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  await repo.write("a.txt", "staged\n");
  await repo.git("add", "a.txt");
  await repo.write("a.txt", "and changed again\n");
  await repo.write("b.txt", "changed\n");
  await repo.git("rm", "--quiet", "c.txt");
  await repo.write("new one.txt", "new\n");
  await repo.write("folder/x.txt", "x\n");
  await repo.write("folder/y.txt", "y\n");
  assert.deepEqual(await readWorkingTree(repo.dir), {
    ...CLEAN,
    staged: 2,
    modified: 2,
    untracked: 2,
  });
});

test("a renamed file counts once", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "? old.txt": "a long enough line\n" });
  await repo.git("mv", "? old.txt", "new.txt");
  assert.deepEqual(await readWorkingTree(repo.dir), { ...CLEAN, staged: 1 });
});

test("conflicting files are listed by name", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("base", { "b.txt": "0\n", "a file.txt": "0\n", "calm.txt": "0\n" });
  await repo.git("checkout", "--quiet", "-b", "topic");
  await repo.commit("ours", { "b.txt": "1\n", "a file.txt": "1\n" });
  await repo.git("checkout", "--quiet", "main");
  await repo.commit("theirs", { "b.txt": "2\n", "a file.txt": "2\n", "calm.txt": "2\n" });
  await repo.gitFails("merge", "topic");
  assert.deepEqual(await readWorkingTree(repo.dir), {
    ...CLEAN,
    conflicts: ["a file.txt", "b.txt"],
  });
});

test("ahead of and behind the upstream", async (t) => {
  const repo = await makeConflict(t);
  await repo.git("branch", "--quiet", "--set-upstream-to=main");
  assert.deepEqual(await readWorkingTree(repo.dir), {
    ...CLEAN,
    upstream: "main",
    ahead: 3,
    behind: 1,
  });
});

test("an upstream that is gone", () => {
  const output = "# branch.oid (initial)\0# branch.head main\0# branch.upstream origin/main\0";
  assert.deepEqual(parseStatus(output), { ...CLEAN, upstream: "origin/main" });
});

test("no stash", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await readStashes(repo.gitDir), { count: 0, latest: null });
});

test("two stashes", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  for (const message of ["first idea", "second idea"]) {
    await repo.write("a.txt", `${message}\n`);
    await repo.git("stash", "push", "--quiet", "-m", message);
  }
  assert.deepEqual(await readStashes(repo.gitDir), {
    count: 2,
    latest: "On main: second idea",
  });
});

test("submodules", async (t) => {
  const repo = await makeRepo(t);
  const recorded = {};
  for (const name of ["lib/moved", "lib/same"]) {
    await repo.write(`${name}/a.txt`, "a\n");
    const module = new Repo(path.join(repo.dir, name));
    await module.git("init", "--quiet", "-b", "main", "--template=");
    recorded[name] = await module.commit("one", {});
  }
  await repo.git("add", "lib");
  const absent = recorded["lib/same"];
  await repo.git("update-index", "--add", "--cacheinfo", `160000,${absent},absent`);
  await repo.git("commit", "--quiet", "-m", "submodules");
  const moved = new Repo(path.join(repo.dir, "lib/moved"));
  const current = await moved.commit("two", { "b.txt": "b\n" });

  assert.deepEqual(await readSubmodules(repo.dir), [
    { path: "absent", recorded: absent, current: null },
    { path: "lib/moved", recorded: recorded["lib/moved"], current },
    { path: "lib/same", recorded: recorded["lib/same"], current: recorded["lib/same"] },
  ]);
});

test("no submodules", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  assert.deepEqual(await readSubmodules(repo.dir), []);
});
