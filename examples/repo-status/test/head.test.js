import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { readHead, readLastCommit, resolveRef, shortName } from "../src/head.js";
import { COMMIT_DATE, makeRepo } from "../testing/repo.js";

test("a branch with commits", async (t) => {
  const repo = await makeRepo(t);
  const commit = await repo.commit("one", { "a.txt": "a\n" });
  assert.deepEqual(await readHead(repo.gitDir, repo.gitDir), {
    branch: "main",
    commit,
    detached: false,
  });
});

test("a branch with no commits yet", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await readHead(repo.gitDir, repo.gitDir), {
    branch: "main",
    commit: null,
    detached: false,
  });
});

test("a branch with a slash in its name", async (t) => {
  const repo = await makeRepo(t);
  const commit = await repo.commit("one", {});
  await repo.git("checkout", "--quiet", "-b", "fix/some/thing");
  assert.deepEqual(await readHead(repo.gitDir, repo.gitDir), {
    branch: "fix/some/thing",
    commit,
    detached: false,
  });
});

test("a detached head", async (t) => {
  const repo = await makeRepo(t);
  const commit = await repo.commit("one", {});
  await repo.commit("two", { "a.txt": "a\n" });
  await repo.git("checkout", "--quiet", "--detach", "HEAD~1");
  assert.deepEqual(await readHead(repo.gitDir, repo.gitDir), {
    branch: null,
    commit,
    detached: true,
  });
});

test("refs are found in packed-refs, and a newer loose file wins", async (t) => {
  const repo = await makeRepo(t);
  const first = await repo.commit("one", {});
  await repo.git("branch", "other");
  await repo.git("tag", "-a", "-m", "a tag", "v1");
  const tag = await repo.rev("v1");
  await repo.git("pack-refs", "--all");
  const second = await repo.commit("two", { "a.txt": "a\n" });

  assert.equal(await resolveRef(repo.gitDir, "refs/heads/other"), first);
  assert.equal(await resolveRef(repo.gitDir, "refs/tags/v1"), tag);
  assert.equal(await resolveRef(repo.gitDir, "refs/heads/main"), second);
  assert.equal(await resolveRef(repo.gitDir, "refs/heads/missing"), null);
});

test("a symbolic ref is followed", async (t) => {
  const repo = await makeRepo(t);
  const commit = await repo.commit("one", {});
  await repo.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
  assert.equal(await resolveRef(repo.gitDir, "refs/heads/alias"), commit);
});

test("the last commit", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", {});
  const hash = await repo.commit('Fix: "quotes" and | bars\n\nA body.', { "a.txt": "a\n" });
  assert.deepEqual(await readLastCommit(repo.dir), {
    hash,
    shortHash: hash.slice(0, 7),
    author: "Ada Author",
    date: COMMIT_DATE,
    subject: 'Fix: "quotes" and | bars',
  });
});

test("a repository without HEAD is an error", async (t) => {
  const repo = await makeRepo(t);
  const missing = path.join(repo.dir, "nowhere");
  await assert.rejects(readHead(missing, missing), { code: "ENOENT" });
});

test("shortName drops refs/heads/ and nothing else", () => {
  assert.equal(shortName("refs/heads/topic\n"), "topic");
  assert.equal(shortName("refs/remotes/origin/topic"), "refs/remotes/origin/topic");
});
