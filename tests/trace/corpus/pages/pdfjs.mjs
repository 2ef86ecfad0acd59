import { cpSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { emptyFolder } from "../lib/cache.mjs";
import { unpackDebian } from "../lib/debian.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { pointOf, scroll, typeWords, until } from "../lib/user.mjs";

/** The viewer, and a manual of some 150 pages to read in it. */
const PACKAGES = {
  "gri-pdf-doc": "2.12.27-1.1",
  "libjs-pdf": "2.14.305+dfsg-2",
  "pdf.js-common": "2.14.305+dfsg-2",
};

export default {
  name: "pdfjs",
  about: "pdf.js 2.14.305 (Apache-2.0), a viewer of documents that a worker reads; from Debian.",

  /** @param {string} folder */
  install: (folder) =>
    unpackDebian(folder, PACKAGES, () => {
      const share = join(folder, "root/usr/share");
      const notLink = (/** @type {string} */ file) => !lstatSync(file).isSymbolicLink();
      const site = emptyFolder(folder, "site");
      cpSync(join(share, "javascript/pdf"), site, { recursive: true, filter: notLink });
      for (const part of ["cmaps", "images", "locale"]) {
        cpSync(join(share, "pdf.js", part), join(site, "web", part), { recursive: true });
      }
      const manual = gunzipSync(readFileSync(join(share, "doc/gri/gri.pdf.gz")));
      writeFileSync(join(site, "web/manual.pdf"), manual);
    }),

  /** @param {string} folder */
  start: (folder) => serveFiles(join(folder, "site"), "web/viewer.html?file=manual.pdf"),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await until(page, `document.querySelector(".textLayer span")`, "the first page", 30);
    const middle = await pointOf(page, "#viewerContainer");
    await scroll(page, middle, 500, 15);
    await page.click("#sidebarToggle");
    await page.waitForTimeout(1500);
    await page.click("#zoomIn");
    await page.waitForTimeout(500);
    await page.click("#zoomIn");
    await page.waitForTimeout(800);
    await page.click("#viewFind");
    await page.waitForTimeout(400);
    await typeWords(page, "draw curve");
    await until(
      page,
      `/of/.test(document.querySelector("#findResultsCount").innerText)`,
      "matches",
    );
    for (let i = 0; i < 4; i++) {
      await page.click("#findNext");
      await page.waitForTimeout(700);
    }
    await page.keyboard.press("Escape");
    await page.click("#sidebarToggle");
    await scroll(page, middle, -800, 8);
  },
};
