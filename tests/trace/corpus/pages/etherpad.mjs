import { ETHERPAD, etherpad, installEtherpad } from "../lib/etherpad.mjs";
import { serveProgram } from "../lib/serve.mjs";
import { clickAt, pointOf, pressTimes, typeWords, until } from "../lib/user.mjs";

/** The text, which is two frames deep. */
const TEXT =
  "document.querySelector('iframe[name=ace_outer]')" +
  "?.contentDocument.querySelector('iframe[name=ace_inner]')?.contentDocument.body";

const LINES = ["It was a dark night.", "The wind blew from the sea.", "to be continued"];

export default {
  name: "etherpad",
  about: `${ETHERPAD}, an editor that several people write in at once, over socket.io.`,

  /** @param {string} folder */
  install: installEtherpad,

  /** @param {string} folder */
  start: (folder) => serveProgram("p/corpus", (port) => etherpad(folder, port)),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await until(page, `${TEXT}?.getAttribute("contenteditable") === "true"`, "the pad", 40);
    await clickAt(page, await pointOf(page, "iframe[name=ace_outer]", 0.5, 0.3));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    for (const line of LINES) {
      await typeWords(page, line);
      await page.keyboard.press("Enter");
    }
    await until(page, `${TEXT}.innerText.includes("to be continued")`, "what was typed");
    await page.keyboard.press("Control+a");
    for (const style of ["bold", "italic", "insertunorderedlist"]) {
      await page.click(`li[data-key=${style}] button`);
      await page.waitForTimeout(500);
    }
    await pressTimes(page, "Control+z", 3);
    await page.click("li[data-key=showusers] button");
    await page.waitForTimeout(800);
    await page.click("#myusernameedit");
    await page.keyboard.press("Control+a");
    await typeWords(page, "Ada");
    await page.keyboard.press("Enter");
    await page.click("#chaticon");
    await page.waitForTimeout(800);
    await page.click("#chatinput");
    await typeWords(page, "is anybody here?");
    await page.keyboard.press("Enter");
    await until(
      page,
      `document.querySelector("#chattext").innerText.includes("anybody")`,
      "the chat",
    );
    await page.click("#titlecross");
    await page.waitForTimeout(1000);
  },
};
