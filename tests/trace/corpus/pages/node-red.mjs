import { installNodeRed, NODE_RED, nodeRed } from "../lib/node-red.mjs";
import { serveProgram } from "../lib/serve.mjs";
import { clickAt, drag, pointOf, typeWords, until } from "../lib/user.mjs";

/** How many nodes are on the sheet. */
const nodes = `document.querySelectorAll(".red-ui-flow-node-group").length`;

/**
 * Where the port of one kind of a node is, counted among those that have such a port.
 * @param {import("../lib/user.mjs").Page} page @param {string} kind @param {number} i
 */
async function port(page, kind, i) {
  const { x, y, width, height } = await page.evaluate(
    `(({ x, y, width, height }) => ({ x, y, width, height }))([...document.querySelectorAll(` +
      `".red-ui-flow-port-${kind} .red-ui-flow-port")][${i}].getBoundingClientRect())`,
  );
  return { x: x + width / 2, y: y + height / 2 };
}

export default {
  name: "node-red",
  about: `${NODE_RED}, an editor of flows that runs them, over a web socket.`,

  /** @param {string} folder */
  install: installNodeRed,

  /** @param {string} folder */
  start: (folder) => serveProgram("", (port) => nodeRed(folder, port)),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    const sheet = await pointOf(page, ".red-ui-workspace-chart-event-layer", 0, 0);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      x: sheet.x + x,
      y: sheet.y + y,
    });
    await page.waitForTimeout(1500);
    await clickAt(page, at(500, 500));
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.waitForTimeout(500);
    for (const [i, kind] of ["inject", "change", "debug"].entries()) {
      const from = await pointOf(page, `[data-palette-type="${kind}"]`);
      await drag(page, [from, at(150 + 220 * i, 150)]);
      await page.waitForTimeout(400);
    }
    await until(page, `${nodes} === 3`, "three nodes");
    for (const i of [0, 1]) {
      await drag(page, [await port(page, "output", i), await port(page, "input", i)]);
    }
    await until(page, `document.querySelectorAll(".red-ui-flow-link-line").length >= 2`, "wires");
    await page.click("#red-ui-header-button-deploy");
    await page.waitForTimeout(2000);
    await page.keyboard.press("Control+g");
    await page.keyboard.press("d");
    for (let i = 0; i < 4; i++) {
      await page.click(".red-ui-flow-node-button-button");
      await page.waitForTimeout(600);
    }
    await until(page, `document.querySelectorAll(".red-ui-debug-msg").length >= 4`, "messages");
    await page.click("#red-ui-palette-search input");
    await typeWords(page, "http");
    await page.waitForTimeout(800);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.waitForTimeout(800);
  },
};
