import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { installNpm } from "../lib/install.mjs";
import { serveProgram } from "../lib/serve.mjs";
import { scroll, typeWords, until } from "../lib/user.mjs";

/** Who commits; nothing of the machine's own git configuration is used. */
const WHO = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];

const BRANCHES = ".branch";

/** The place of the commit of the last chapter among those that are shown. */
const LAST_CHAPTER =
  `[...document.querySelectorAll(".nodeContainer")]` +
  `.findIndex((node) => node.innerText.includes("chapter 8"))`;

/**
 * A repository with a few commits on two branches.
 * @param {string} folder
 */
function makeRepository(folder) {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", [...WHO, ...args], { cwd: folder, stdio: "ignore" });
  mkdirSync(folder);
  git("init", "--initial-branch=main");
  for (let i = 1; i <= 8; i++) {
    if (i === 4) git("checkout", "-b", "side", "HEAD~1");
    if (i === 6) git("checkout", "main");
    writeFileSync(join(folder, `chapter${i}.txt`), `It was night number ${i}.\n`.repeat(i));
    git("add", ".");
    git("commit", "-m", `chapter ${i}`);
  }
}

/**
 * Chooses a branch in the list of branches.
 * @param {import("../lib/user.mjs").Page} page @param {string} name
 */
async function checkout(page, name) {
  await page.click(`${BRANCHES} .dropdown-toggle`);
  await page.waitForTimeout(500);
  await page.click(`[data-ta-clickable="checkoutrefs/heads/${name}"]`);
  const current = `document.querySelector("${BRANCHES} .btn-main").innerText.trim()`;
  await until(page, `${current} === "${name}"`, `the branch ${name}`);
  await page.waitForTimeout(800);
}

export default {
  name: "ungit",
  about: "ungit 1.5.30 (MIT), a page that shows and changes a git repository; Knockout, socket.io.",

  /** @param {string} folder */
  install: (folder) => installNpm(folder, { dependencies: { ungit: "1.5.30" } }),

  /** @param {string} folder */
  start(folder) {
    const data = emptyFolder(folder);
    const repository = join(data, "repository");
    makeRepository(repository);
    writeFileSync(join(data, ".gitconfig"), "[user]\n  name = Ada\n  email = ada@example.org\n");
    const program = join(folder, "node_modules/ungit/bin/ungit");
    const options = ["--launchBrowser=false", "--bugtracking=false", "--sendUsageStatistics=false"];
    return serveProgram(`#/repository?path=${encodeURIComponent(repository)}`, (port) => ({
      argv: [process.execPath, program, ...options, `--port=${port}`],
      cwd: data,
      env: { HOME: data },
    }));
  },

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector(`[data-ta-clickable="node-clickable-0"]`, { timeout: 30_000 });
    await page.waitForTimeout(1000);
    await checkout(page, "main");
    const node = `[data-ta-clickable="node-clickable-${await page.evaluate(LAST_CHAPTER)}"]`;
    await page.click(node);
    await page.waitForSelector(".commit-diff-filename", { timeout: 10_000 });
    await page.waitForTimeout(500);
    await page.click(".commit-diff-filename");
    await until(page, `document.body.innerText.includes("It was night number 8")`, "the change");
    await page.waitForTimeout(800);
    await page.click(".empty-commit-link");
    await page.waitForTimeout(500);
    await page.click(".staging input.form-control");
    await typeWords(page, "a commit of nothing");
    await page.click(".staging .commit-btn");
    await until(page, `document.body.innerText.includes("a commit of nothing")`, "the commit");
    await checkout(page, "side");
    await scroll(page, { x: 900, y: 500 }, 200, 5);
    await scroll(page, { x: 900, y: 500 }, -200, 5);
    await checkout(page, "main");
  },
};
