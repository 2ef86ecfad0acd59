import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { emptyFolder } from "../lib/cache.mjs";
import { installPython, pythonProgram } from "../lib/python.mjs";
import { serveProgram } from "../lib/serve.mjs";
import { typeWords, until } from "../lib/user.mjs";

/** Nothing is asked of the makers' servers. */
const SETTINGS = {
  "@jupyterlab/apputils-extension:notification": { fetchNews: "false", checkForUpdates: false },
};

const NEW_NOTEBOOK = `.jp-LauncherCard[data-category="Notebook"]`;

/** The editor indents the second line by itself. */
const COUNT = ["import time", "for i in range(10):", "print('count', i); time.sleep(0.1)"];

/** What the cells have printed. */
const outputs = `[...document.querySelectorAll(".jp-OutputArea-output")].map((o) => o.innerText).join()`;

/**
 * Types the lines into the cell, runs it, and waits for what it makes.
 * @param {import("../lib/user.mjs").Page} page @param {string[]} lines @param {string} made
 */
async function run(page, lines, made) {
  for (const [i, line] of lines.entries()) {
    if (i > 0) await page.keyboard.press("Enter");
    await typeWords(page, line);
  }
  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+Enter");
  await until(page, made, "what the cell makes");
  await page.waitForTimeout(500);
  await page.keyboard.press("Enter");
}

export default {
  name: "jupyterlab",
  about: "JupyterLab 4.6.6 (BSD-3-Clause), notebooks whose code a kernel runs, over web sockets.",

  /** @param {string} folder */
  install: (folder) => installPython(folder, ["jupyterlab==4.6.6"]),

  /** @param {string} folder */
  start(folder) {
    const data = emptyFolder(folder);
    const settings = join(folder, "python/share/jupyter/lab/settings");
    mkdirSync(settings, { recursive: true });
    writeFileSync(join(settings, "overrides.json"), JSON.stringify(SETTINGS));
    const options = [
      "--allow-root",
      "--no-browser",
      "--IdentityProvider.token=",
      "--expose-app-in-browser",
    ];
    return serveProgram("lab?reset", (port) => ({
      argv: [pythonProgram(folder, "jupyter-lab"), ...options, `--port=${port}`],
      cwd: data,
      env: { HOME: data },
    }));
  },

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector(NEW_NOTEBOOK, { timeout: 60_000 });
    await page.click(NEW_NOTEBOOK);
    await page.waitForSelector(".jp-Notebook .cm-content", { timeout: 30_000 });
    await until(page, `document.querySelector("[data-status=idle]")`, "the kernel", 60);
    await page.click(".jp-Notebook .cm-content");
    await run(page, COUNT, `${outputs}.includes("count 9")`);
    await run(page, ["sum(x * x for x in range(1000))"], `${outputs}.includes("332833500")`);
    await run(page, ["import th"], `${outputs}.includes("ModuleNotFoundError")`);
    await run(
      page,
      ["from IPython.display import HTML", "HTML('<b>'*3 + 'bold')"],
      `${outputs}.includes("bold")`,
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("m");
    await page.keyboard.press("Enter");
    await run(
      page,
      ["# A title", "", "and a *paragraph*"],
      `document.querySelector(".jp-RenderedMarkdown h1")`,
    );
    await page.keyboard.press("Control+s");
    await page.waitForSelector(".jp-Dialog input", { timeout: 10_000 });
    await page.keyboard.press("Enter");
    await page.waitForTimeout(1500);
  },
};
