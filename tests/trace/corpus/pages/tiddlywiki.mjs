import { serveProgram } from "../lib/serve.mjs";
import { installTiddlywiki, TIDDLYWIKI, tiddlywiki } from "../lib/tiddlywiki.mjs";
import { clickAt, pointOf, scroll, typeWords, until } from "../lib/user.mjs";

const NOTES = ["The ''kettle'' is on the stove.", "The //lamp// is in the [[hall]]."];

/**
 * Writes a note and closes it for editing. It keeps the name that the wiki gives it, which is new
 * each time.
 * @param {import("../lib/user.mjs").Page} page @param {string} text
 */
async function write(page, text) {
  const notes = `document.querySelectorAll(".tc-tiddler-view-frame").length`;
  const before = await page.evaluate(notes);
  await page.click(`button[aria-label="new tiddler"]`);
  await page.waitForTimeout(800);
  await clickAt(page, await pointOf(page, ".tc-tiddler-edit-frame iframe"));
  await page.waitForTimeout(500);
  await page.keyboard.press("Control+a");
  await typeWords(page, text);
  await page.waitForTimeout(500);
  await page.click(`.tc-tiddler-edit-frame button[aria-label="Confirm changes to this tiddler"]`);
  await until(page, `${notes} > ${before}`, "the new note");
  await page.waitForTimeout(800);
}

export default {
  name: "tiddlywiki",
  about: `${TIDDLYWIKI}, a wiki that runs in the browser and saves to its own server.`,

  /** @param {string} folder */
  install: installTiddlywiki,

  /** @param {string} folder */
  start: (folder) => serveProgram("", (port) => tiddlywiki(folder, port)),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector(`button[aria-label="new tiddler"]`, { timeout: 20_000 });
    for (const text of NOTES) await write(page, text);
    await page.click(".tc-sidebar-scrollable input[type=search]");
    await typeWords(page, "kettle");
    await until(page, `document.querySelector(".tc-search-drop-down a")`, "what was found");
    await page.waitForTimeout(800);
    await page.click(`button[aria-label="control panel"]`);
    await until(page, `document.body.innerText.includes("Appearance")`, "the control panel");
    await page.waitForTimeout(800);
    await scroll(page, { x: 400, y: 400 }, 300, 5);
    await until(page, `!document.querySelector(".tc-dirty-indicator.tc-dirty")`, "all saved");
  },
};
