import { cpSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../lib/bundle.mjs";
import { installNpm } from "../lib/install.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { clickAt, drag, pointOf, pressTimes, scroll, typeWords, until } from "../lib/user.mjs";

const PAGE = `<!doctype html>
<link rel="icon" href="data:," />
<title>Excalidraw</title>
<link rel="stylesheet" href="main.css">
<style>html, body, #root { height: 100%; margin: 0; }</style>
<div id="root"></div>
<script>window.EXCALIDRAW_ASSET_PATH = "/assets/";</script>
<script type="module" src="main.js"></script>
`;

const MAIN = `import { Excalidraw } from "@excalidraw/excalidraw";
import "@excalidraw/excalidraw/index.css";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const excalidrawAPI = (api) => (window.api = api);
createRoot(document.getElementById("root")).render(createElement(Excalidraw, { excalidrawAPI }));
`;

const FONTS = "node_modules/@excalidraw/excalidraw/dist/prod/fonts";

/** How many shapes are drawn. @param {number} count */
const shapes = (count) => `window.api.getSceneElements().length === ${count}`;

export default {
  name: "excalidraw",
  about: "Excalidraw 0.18.1 (MIT), a whiteboard on a canvas, in React.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: {
        "@excalidraw/excalidraw": "0.18.1",
        esbuild: "0.28.2",
        react: "19.3.1",
        "react-dom": "19.3.1",
      },
      files: { "index.html": PAGE, "main.jsx": MAIN },
      after: async () => {
        await bundle(folder, "main.jsx");
        cpSync(join(folder, FONTS), join(folder, "site/assets/fonts"), { recursive: true });
      },
    }),

  /** @param {string} folder */
  start: (folder) => serveFiles(join(folder, "site")),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    const middle = await pointOf(page, "canvas.interactive");
    await page.waitForTimeout(1500);
    await page.evaluate(`window.api.resetScene()`);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      x: middle.x + x,
      y: middle.y + y,
    });
    await clickAt(page, at(0, 0));
    for (const [key, x] of /** @type {[string, number][]} */ ([
      ["r", -300],
      ["o", -100],
      ["d", 100],
    ])) {
      await page.keyboard.press(key);
      await drag(page, [at(x, -150), at(x + 120, -60)]);
    }
    await page.keyboard.press("a");
    await drag(page, [at(-240, -50), at(-40, 60), at(100, -20)]);
    await page.keyboard.press("p");
    await drag(page, [at(-300, 50), at(-200, 120), at(-100, 60), at(0, 140), at(120, 80)]);
    await until(page, shapes(5), "five shapes");
    await page.keyboard.press("t");
    await clickAt(page, at(150, 150));
    await typeWords(page, "drawn by hand");
    await page.keyboard.press("Escape");
    await until(page, shapes(6), "the text");
    await page.keyboard.press("Control+a");
    await pressTimes(page, "ArrowRight", 10);
    await page.keyboard.press("Control+d");
    await until(page, shapes(12), "everything twice");
    await scroll(page, at(0, 0), 100, 6);
    await scroll(page, at(0, 0), -100, 6);
    await pressTimes(page, "Control+z", 4);
  },
};
