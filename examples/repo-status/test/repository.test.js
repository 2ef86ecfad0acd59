import assert from "node:assert/strict";
import { rm, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { readRemote, withoutCredentials } from "../src/remote.js";
import { listBranches, openRepository, readDetails } from "../src/repository.js";
import { readWorktrees } from "../src/worktrees.js";
import { makeFolder, makeRepo, Repo } from "../testing/repo.js";

test("a repository is found from a folder inside it", async (t) => {
  const repo = await makeRepo(t);
  await repo.write("deep/down/a.txt", "a\n");
  assert.deepEqual(await openRepository(path.join(repo.dir, "deep/down")), {
    root: repo.dir,
    gitDir: repo.gitDir,
    commonDir: repo.gitDir,
  });
});

test("a bare repository has no root", async (t) => {
  const repo = await makeRepo(t, "--bare");
  assert.deepEqual(await openRepository(repo.dir), {
    root: null,
    gitDir: repo.dir,
    commonDir: repo.dir,
  });
});

test("a folder outside any repository", async (t) => {
  const folder = await makeFolder(t);
  await assert.rejects(openRepository(folder), {
    message: "fatal: not a git repository (or any of the parent directories): .git",
    exitCode: 128,
  });
});

test("a file is not a folder", async (t) => {
  const file = path.join(await makeFolder(t), "file");
  await writeFile(file, "");
  await assert.rejects(openRepository(file), { message: `${file} is not a directory` });
});

test("linked worktrees", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", {});
  assert.deepEqual(await readWorktrees(repo.gitDir), []);

  const parent = path.dirname(repo.dir);
  await repo.git("worktree", "add", "--quiet", "-b", "topic", "../b-topic");
  await repo.git("worktree", "add", "--quiet", "--detach", "../a-detached");
  await repo.git("worktree", "add", "--quiet", "-b", "gone", "../c-gone");
  await repo.git("worktree", "lock", "../b-topic");
  await rm(path.join(parent, "c-gone"), { recursive: true });
  assert.deepEqual(await readWorktrees(repo.gitDir), [
    { path: path.join(parent, "a-detached"), branch: null, locked: false, missing: false },
    { path: path.join(parent, "b-topic"), branch: "topic", locked: true, missing: false },
    { path: path.join(parent, "c-gone"), branch: "gone", locked: false, missing: true },
  ]);
});

test("a linked worktree has a git folder of its own", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", {});
  await repo.git("worktree", "add", "--quiet", "-b", "topic", "../linked");
  const root = path.join(path.dirname(repo.dir), "linked");
  assert.deepEqual(await openRepository(root), {
    root,
    gitDir: path.join(repo.gitDir, "worktrees", "linked"),
    commonDir: repo.gitDir,
  });
});

test("description and shallow file", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await readDetails(repo.gitDir), { description: null, shallow: false });

  await writeFile(
    path.join(repo.gitDir, "description"),
    "Unnamed repository; edit this file 'description' to name the repository.\n",
  );
  assert.deepEqual(await readDetails(repo.gitDir), { description: null, shallow: false });

  await writeFile(path.join(repo.gitDir, "description"), "Tools of ours\n");
  const commit = await repo.commit("one", {});
  await writeFile(path.join(repo.gitDir, "shallow"), `${commit}\n`);
  assert.deepEqual(await readDetails(repo.gitDir), { description: "Tools of ours", shallow: true });
});

test("a shallow clone", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  await repo.commit("two", { "a.txt": "b\n" });
  await repo.git("clone", "--quiet", "--depth=1", `file://${repo.dir}`, "../clone");
  const clone = new Repo(path.join(path.dirname(repo.dir), "clone"));
  const { shallow } = await readDetails(clone.gitDir);
  assert.equal(shallow, true);
});

test("branches are sorted, whatever HEAD is", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await listBranches(repo.dir), []);
  await repo.commit("one", {});
  await repo.git("branch", "zeta");
  await repo.git("branch", "fix/alpha");
  await repo.git("checkout", "--quiet", "--detach");
  await repo.git("config", "branch.sort", "-refname");
  assert.deepEqual(await listBranches(repo.dir), ["fix/alpha", "main", "zeta"]);
});

test("no remote", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await readRemote(repo.dir, repo.gitDir, "main"), {
    name: null,
    branch: null,
    url: null,
    fetchedAt: null,
  });
});

test("the remote of a branch, and the time of the last fetch", async (t) => {
  const repo = await makeRepo(t);
  await repo.git("remote", "add", "origin", "https://me:secret@example.com/it.git");
  await repo.git("config", "branch.main.remote", "origin");
  await repo.git("config", "branch.main.merge", "refs/heads/trunk");
  const fetchHead = path.join(repo.gitDir, "FETCH_HEAD");
  await writeFile(fetchHead, "");
  await utimes(fetchHead, new Date("2024-03-01T12:00:00Z"), new Date("2024-03-01T12:00:00Z"));

  assert.deepEqual(await readRemote(repo.dir, repo.gitDir, "main"), {
    name: "origin",
    branch: "trunk",
    url: "https://example.com/it.git",
    fetchedAt: "2024-03-01T12:00:00.000Z",
  });
  assert.deepEqual(await readRemote(repo.dir, repo.gitDir, null), {
    name: null,
    branch: null,
    url: null,
    fetchedAt: "2024-03-01T12:00:00.000Z",
  });
});

test("a broken config file is an error", async (t) => {
  const repo = await makeRepo(t);
  await writeFile(path.join(repo.gitDir, "config"), "[core\n");
  await assert.rejects(readRemote(repo.dir, repo.gitDir, "main"), /bad config line 1/);
});

test("only the credentials are taken out of a URL", () => {
  assert.equal(withoutCredentials("https://token@example.com/a@b"), "https://example.com/a@b");
  assert.equal(withoutCredentials("https://example.com/a@b"), "https://example.com/a@b");
  assert.equal(withoutCredentials("git@example.com:it.git"), "git@example.com:it.git");
  assert.equal(withoutCredentials("ssh://git@example.com/it"), "ssh://git@example.com/it");
});
