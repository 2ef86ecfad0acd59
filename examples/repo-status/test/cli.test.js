import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { main } from "../src/cli.js";
import { COMMIT_DATE, makeConflict, makeFolder, makeRepo } from "../testing/repo.js";

const BIN = fileURLToPath(new URL("../bin/repo-status.js", import.meta.url));

/** @param {...string} argv */
async function run(...argv) {
  const result = { code: 0, out: "", err: "" };
  result.code = await main(argv, {
    stdout: { write: (text) => (result.out += text) },
    stderr: { write: (text) => (result.err += text) },
  });
  return result;
}

test("the line of a new repository", async (t) => {
  const repo = await makeRepo(t);
  assert.deepEqual(await run(repo.dir), {
    code: 0,
    out: "repo main [no commits yet]: clean\n",
    err: "",
  });
});

test("the line during a rebase", async (t) => {
  const repo = await makeConflict(t);
  const onto = (await repo.rev("main")).slice(0, 7);
  await repo.gitFails("rebase", "--merge", "main");
  const head = (await repo.rev("HEAD")).slice(0, 7);
  assert.deepEqual(await run(repo.dir), {
    code: 0,
    out: `repo detached at ${head} [rebase 2/3 of topic onto ${onto}]: 1 conflict\n`,
    err: "",
  });
});

test("the line of a bare repository", async (t) => {
  const repo = await makeRepo(t, "--bare");
  assert.deepEqual(await run(repo.dir), {
    code: 0,
    out: "repo main [no working tree] [no commits yet]\n",
    err: "",
  });
});

test("JSON of a merge conflict", async (t) => {
  const repo = await makeConflict(t);
  const commit = await repo.rev("HEAD");
  const main = await repo.rev("main");
  await repo.gitFails("merge", "main");
  await repo.write("package.json", '{ "name": "it", "version": "1.0.0" }\n');

  const { code, out } = await run("--json", repo.dir);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), {
    directory: repo.dir,
    root: repo.dir,
    gitDir: repo.gitDir,
    description: null,
    shallow: false,
    head: { branch: "topic", commit, detached: false },
    commit: {
      hash: commit,
      shortHash: commit.slice(0, 7),
      author: "Ada Author",
      date: COMMIT_DATE,
      subject: "third",
    },
    operation: {
      type: "merge",
      heads: [main],
      subject: "Merge branch 'main' into topic",
      noFastForward: false,
    },
    remote: { name: null, branch: null, url: null, fetchedAt: null },
    branches: ["main", "topic"],
    stashes: { count: 0, latest: null },
    worktrees: [],
    workingTree: {
      upstream: null,
      ahead: 0,
      behind: 0,
      staged: 0,
      modified: 0,
      untracked: 1,
      conflicts: ["file.txt"],
    },
    submodules: [],
    project: {
      readme: null,
      license: null,
      package: { name: "it", version: "1.0.0", lockFile: null, lockInSync: null },
    },
  });
});

test("JSON in a linked worktree", async (t) => {
  const repo = await makeRepo(t);
  const commit = await repo.commit("one", { "a.txt": "a\n" });
  await repo.git("worktree", "add", "--quiet", "-b", "topic", "../linked");
  const linked = path.join(path.dirname(repo.dir), "linked");
  const report = JSON.parse((await run("--json", linked)).out);
  assert.equal(report.root, linked);
  assert.equal(report.gitDir, path.join(repo.gitDir, "worktrees", "linked"));
  assert.deepEqual(report.head, { branch: "topic", commit, detached: false });
  assert.deepEqual(report.worktrees, [
    { path: linked, branch: "topic", locked: false, missing: false },
  ]);
});

test("the repository is left as it was", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  // A touched file is what makes a plain `git status` rewrite the index.
  await utimes(path.join(repo.dir, "a.txt"), 1_000_000_000, 1_000_000_000);
  const index = path.join(repo.gitDir, "index");
  await utimes(index, 1_100_000_000, 1_100_000_000);
  const files = await readdir(repo.dir, { recursive: true });

  assert.equal((await run(repo.dir)).code, 0);
  assert.deepEqual(await readdir(repo.dir, { recursive: true }), files);
  assert.equal((await stat(index)).mtimeMs, 1_100_000_000_000);
});

test("--cache writes the report, in folders made as needed", async (t) => {
  const repo = await makeRepo(t);
  const folder = path.join(await makeFolder(t), "a", "b");
  const file = path.join(folder, "status.json");
  const { out } = await run("--json", "--cache", file, repo.dir);
  assert.deepEqual(JSON.parse(await readFile(file, "utf8")), JSON.parse(out));
  assert.deepEqual(await readdir(folder), ["status.json"]);
});

test("--max-age prints a young result again, and only of the same folder", async (t) => {
  const repo = await makeRepo(t);
  const other = await makeRepo(t);
  const file = path.join(await makeFolder(t), "status.json");
  const args = ["--cache", file, "--max-age", "3600"];
  assert.equal((await run(...args, repo.dir)).out, "repo main [no commits yet]: clean\n");
  await repo.write("a.txt", "a\n");
  assert.equal((await run(...args, repo.dir)).out, "repo main [no commits yet]: clean\n");

  await other.commit("one", {});
  assert.equal((await run(...args, other.dir)).out, "repo main: clean\n");
  assert.equal((await run(...args, repo.dir)).out, "repo main [no commits yet]: 1 untracked\n");

  await repo.write("b.txt", "b\n");
  await utimes(file, 1_000_000_000, 1_000_000_000);
  assert.equal((await run(...args, repo.dir)).out, "repo main [no commits yet]: 2 untracked\n");
});

test("errors go to stderr with exit code 1", async (t) => {
  const folder = await makeFolder(t);
  const file = path.join(folder, "file");
  await writeFile(file, "");
  assert.deepEqual(await run(folder), {
    code: 1,
    out: "",
    err: "repo-status: fatal: not a git repository (or any of the parent directories): .git\n",
  });
  assert.deepEqual(await run(file), {
    code: 1,
    out: "",
    err: `repo-status: ${file} is not a directory\n`,
  });
});

test("wrong arguments are explained with exit code 2", async () => {
  for (const argv of [["--nonsense"], ["a", "b"], ["--max-age", "soon"]]) {
    const { code, out, err } = await run(...argv);
    assert.equal(code, 2);
    assert.equal(out, "");
    assert.match(err, /^repo-status: .+\n\nUsage: repo-status/);
  }
});

test("--help", async () => {
  const { code, out, err } = await run("--help");
  assert.equal(code, 0);
  assert.match(out, /^Usage: repo-status \[options\] \[DIR\]\n/);
  assert.equal(err, "");
});

test("the program itself, in the current folder", async (t) => {
  const repo = await makeRepo(t);
  await repo.commit("one", { "a.txt": "a\n" });
  await repo.git("checkout", "--quiet", "--detach");
  const head = (await repo.rev("HEAD")).slice(0, 7);
  const { stdout } = await promisify(execFile)(process.execPath, [BIN], { cwd: repo.dir });
  assert.equal(stdout, `repo detached at ${head}: clean\n`);
});
