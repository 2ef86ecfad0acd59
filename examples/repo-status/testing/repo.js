import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

// Nothing of the user's own git setup may reach the tests or the code under test.
for (const name of Object.keys(process.env)) {
  if (name.startsWith("GIT_")) delete process.env[name];
}
Object.assign(process.env, {
  GIT_CONFIG_GLOBAL: os.devNull,
  GIT_CONFIG_SYSTEM: os.devNull,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CEILING_DIRECTORIES: await realpath(os.tmpdir()),
  GIT_DEFAULT_HASH: "sha1",
  GIT_DEFAULT_REF_FORMAT: "files",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  GIT_AUTHOR_NAME: "Ada Author",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: "2024-01-02T03:04:05Z",
  GIT_COMMITTER_NAME: "Carl Committer",
  GIT_COMMITTER_EMAIL: "carl@example.com",
  GIT_COMMITTER_DATE: "2024-02-03T04:05:06Z",
  LC_ALL: "C",
  TZ: "UTC",
});

/** What `date` of a commit made here reads. */
export const COMMIT_DATE = "2024-02-03T04:05:06.000Z";

/**
 * Makes a temporary folder that goes away with the test.
 * @param {import('node:test').TestContext} t
 */
export async function makeFolder(t) {
  const folder = await mkdtemp(path.join(await realpath(os.tmpdir()), "repo-status-"));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/**
 * Makes an empty repository on the branch main.
 * @param {import('node:test').TestContext} t
 * @param {...string} initArgs
 */
export async function makeRepo(t, ...initArgs) {
  const repo = new Repo(path.join(await makeFolder(t), "repo"));
  await mkdir(repo.dir);
  await repo.git("init", "--quiet", "-b", "main", "--template=", ...initArgs);
  return repo;
}

/**
 * Makes a repository whose branches main and topic changed the same line of file.txt:
 * base - theirs (main) and base - first - second - third (topic, checked out). Only
 * the second commit of topic conflicts.
 * @param {import('node:test').TestContext} t
 */
export async function makeConflict(t) {
  const repo = await makeRepo(t);
  await repo.commit("base", { "file.txt": "base\n" });
  await repo.git("checkout", "--quiet", "-b", "topic");
  await repo.commit("first", { "other.txt": "first\n" });
  await repo.commit("second", { "file.txt": "ours\n" });
  await repo.commit("third", { "other.txt": "third\n" });
  await repo.git("checkout", "--quiet", "main");
  await repo.commit("theirs", { "file.txt": "theirs\n" });
  await repo.git("checkout", "--quiet", "topic");
  return repo;
}

export class Repo {
  /** @param {string} dir */
  constructor(dir) {
    this.dir = dir;
    this.gitDir = path.join(dir, ".git");
  }

  /** @param {...string} args */
  async git(...args) {
    const fixed = ["-c", "commit.gpgsign=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false"];
    const { stdout } = await run("git", [...fixed, ...args], { cwd: this.dir });
    return stdout.trim();
  }

  /**
   * Runs a git command that is meant to stop with an error, such as a conflict.
   * @param {...string} args
   */
  async gitFails(...args) {
    const failed = await this.git(...args).then(
      () => false,
      () => true,
    );
    if (!failed) throw new Error(`git ${args.join(" ")} was expected to fail`);
  }

  /**
   * @param {string} name
   * @param {string} content
   */
  async write(name, content) {
    const file = path.join(this.dir, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** @param {string} name */
  async read(name) {
    return readFile(path.join(this.dir, name), "utf8");
  }

  /**
   * @param {string} message
   * @param {Record<string, string>} files
   * @returns {Promise<string>} the new commit
   */
  async commit(message, files) {
    for (const [name, content] of Object.entries(files)) await this.write(name, content);
    await this.git("add", "--all");
    await this.git("commit", "--quiet", "--allow-empty", "-m", message);
    return this.rev("HEAD");
  }

  /** @param {string} name */
  async rev(name) {
    return this.git("rev-parse", name);
  }
}
