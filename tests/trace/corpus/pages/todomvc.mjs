import { join } from "node:path";
import { installNpm } from "../lib/install.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { typeWords, until } from "../lib/user.mjs";

const TODOS = ["buy bread", "call the plumber", "read the paper", "water the plants"];

export default {
  name: "todomvc",
  about: "TodoMVC 0.1.1 (MIT), the list of things to do that frameworks are compared by; in Ember.",

  /** @param {string} folder */
  install: (folder) => installNpm(folder, { dependencies: { todomvc: "0.1.1" } }),

  /** @param {string} folder */
  start: (folder) => serveFiles(join(folder, "node_modules/todomvc"), "examples/emberjs/"),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector("#new-todo", { timeout: 20_000 });
    for (const todo of TODOS) {
      await page.click("#new-todo");
      await typeWords(page, todo);
      await page.keyboard.press("Enter");
      await page.waitForTimeout(400);
    }
    await until(page, `document.querySelectorAll("#todo-list li").length === 4`, "four todos");
    await page.click("#todo-list li:nth-of-type(2) .toggle");
    await page.waitForTimeout(600);
    for (const filter of ["active", "completed", ""]) {
      await page.click(`#filters a[href="#/${filter}"]`);
      await page.waitForTimeout(1000);
    }
    await page.click("#toggle-all");
    await page.waitForTimeout(800);
    await page.click("#clear-completed");
    await until(page, `document.querySelectorAll("#todo-list li").length === 0`, "an empty list");
  },
};
