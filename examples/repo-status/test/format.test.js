import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAge, formatLine, formatOperation } from "../src/format.js";

const A = "a".repeat(40);
const B = "b".repeat(40);
const NOW = Date.parse("2024-03-01T12:00:00Z");

const TREE = {
  upstream: null,
  ahead: 0,
  behind: 0,
  staged: 0,
  modified: 0,
  untracked: 0,
  conflicts: [],
};

const REPORT = {
  root: "/home/me/it",
  gitDir: "/home/me/it/.git",
  shallow: false,
  head: { branch: "main", commit: A, detached: false },
  operation: null,
  remote: { name: null, branch: null, url: null, fetchedAt: null },
  stashes: { count: 0, latest: null },
  workingTree: TREE,
  submodules: [],
  project: { readme: null, license: null, package: null },
};

test("a clean repository", () => {
  assert.equal(formatLine(REPORT, NOW), "it main: clean");
});

test("everything at once", () => {
  const report = {
    ...REPORT,
    shallow: true,
    head: { branch: null, commit: A, detached: true },
    operation: { type: "rebase", branch: "topic", onto: B, origHead: A, step: 2, total: 5 },
    remote: { ...REPORT.remote, fetchedAt: "2024-03-01T09:30:00.000Z" },
    stashes: { count: 2, latest: "WIP" },
    workingTree: {
      upstream: "origin/main",
      ahead: 1,
      behind: 2,
      staged: 3,
      modified: 4,
      untracked: 5,
      conflicts: ["a.txt"],
    },
    submodules: [
      { path: "same", recorded: A, current: A },
      { path: "moved", recorded: A, current: B },
    ],
    project: { package: { name: "@me/it", lockInSync: false } },
  };
  assert.equal(
    formatLine(report, NOW),
    "@me/it detached at aaaaaaa [rebase 2/5 of topic onto bbbbbbb] [shallow]: " +
      "ahead 1, behind 2, 1 conflict, 3 staged, 4 modified, 5 untracked, " +
      "1 submodule out of date, 2 stashes, lock file out of date, fetched 2 h ago",
  );
});

test("a bare repository", () => {
  const report = { ...REPORT, root: null, gitDir: "/srv/it.git", workingTree: null, project: null };
  assert.equal(formatLine(report, NOW), "it.git main [no working tree]");
});

test("operations", () => {
  const rebase = { type: "rebase", branch: null, onto: B, step: null, total: null };
  assert.equal(formatOperation(rebase), "rebase of detached HEAD onto bbbbbbb");
  assert.equal(formatOperation({ type: "am", step: 1, total: 3 }), "am 1/3");
  assert.equal(formatOperation({ type: "merge", heads: [A, B] }), "merge of aaaaaaa, bbbbbbb");
  assert.equal(formatOperation({ type: "revert", commit: A }), "revert of aaaaaaa");
  assert.equal(
    formatOperation({ type: "bisect", start: "main", good: 1, bad: 2 }),
    "bisect from main, 1 good, 2 bad",
  );
});

test("ages", () => {
  const minute = 60_000;
  assert.equal(formatAge(-5), "0 min");
  assert.equal(formatAge(59 * minute), "59 min");
  assert.equal(formatAge(60 * minute), "1 h");
  assert.equal(formatAge(47 * 60 * minute), "47 h");
  assert.equal(formatAge(48 * 60 * minute), "2 days");
});
