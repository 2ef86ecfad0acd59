import { cpSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../lib/bundle.mjs";
import { installNpm } from "../lib/install.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { clickAt, drag, pointOf, pressTimes, typeWords, until } from "../lib/user.mjs";

const PAGE = `<!doctype html>
<title>tldraw</title>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="main.css">
<style>html, body, #root { height: 100%; margin: 0; }</style>
<div id="root"></div>
<script type="module" src="main.js"></script>
`;

/** The assets come from a package instead of the maker's own servers. */
const MAIN = `import { getAssetUrls } from "@tldraw/assets/selfHosted";
import { createElement } from "react";
import { createRoot } from "react-dom/client";
import { Tldraw } from "tldraw";
import "tldraw/tldraw.css";

const onMount = (editor) => {
  window.editor = editor;
};
const assetUrls = getAssetUrls({ baseUrl: "/assets" });
createRoot(document.getElementById("root")).render(createElement(Tldraw, { assetUrls, onMount }));
`;

/** How many shapes are drawn. @param {number} count */
const shapes = (count) => `window.editor.getCurrentPageShapes().length === ${count}`;

export default {
  name: "tldraw",
  about: "tldraw 5.4.2 (its own licence), a whiteboard of SVG and HTML with a reactive store.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: {
        "@tldraw/assets": "5.4.2",
        esbuild: "0.28.2",
        react: "19.3.1",
        "react-dom": "19.3.1",
        tldraw: "5.4.2",
      },
      files: { "index.html": PAGE, "main.jsx": MAIN },
      after: async () => {
        await bundle(folder, "main.jsx");
        for (const kind of ["embed-icons", "fonts", "icons", "translations"]) {
          const from = join(folder, "node_modules/@tldraw/assets", kind);
          cpSync(from, join(folder, "site/assets", kind), { recursive: true });
        }
      },
    }),

  /** @param {string} folder */
  start: (folder) => serveFiles(join(folder, "site")),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    const middle = await pointOf(page, ".tl-canvas");
    await until(page, `window.editor`, "the editor");
    await page.waitForTimeout(1000);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      x: middle.x + x,
      y: middle.y + y,
    });
    await page.keyboard.press("r");
    await drag(page, [at(-300, -150), at(-180, -60)]);
    await page.keyboard.press("o");
    await drag(page, [at(-60, -150), at(60, -60)]);
    await page.keyboard.press("a");
    await drag(page, [at(-180, -100), at(-60, -100)]);
    await page.keyboard.press("d");
    await drag(page, [at(-300, 50), at(-200, 120), at(-100, 60), at(0, 140), at(120, 80)]);
    await until(page, shapes(4), "four shapes");
    await page.keyboard.press("t");
    await clickAt(page, at(100, 0));
    await typeWords(page, "the arrow follows what it points at");
    await page.keyboard.press("Escape");
    await until(page, shapes(5), "the text");
    await drag(page, [at(-2, -148), at(100, -200), at(150, -150)]);
    await page.keyboard.press("Control+a");
    await pressTimes(page, "ArrowRight", 10);
    await page.keyboard.press("Control+d");
    await until(page, shapes(10), "everything twice");
    await pressTimes(page, "Control+z", 6);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await until(page, shapes(0), "an empty board");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Shift+1");
    await page.waitForTimeout(600);
  },
};
