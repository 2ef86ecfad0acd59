// Starts entries of the corpus and shows whether they work:
//
//   node try.mjs NAME… | pages | servers
//
// A page is driven in a fresh browser, and a picture of its end is saved. A server is loaded for
// three seconds.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { entryFolder } from "./lib/cache.mjs";
import { findEntries } from "./lib/entries.mjs";
import { startReady, tail } from "./lib/group.mjs";
import { freePort } from "./lib/port.mjs";

const BROWSER = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

const pictures = mkdtempSync(join(tmpdir(), "headstart-corpus-"));

/** Seconds since a time, for people. @param {number} start */
const since = (start) => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** @param {string} name @param {any} entry @param {string} folder */
async function tryPage(name, entry, folder) {
  const server = await entry.start(folder);
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: BROWSER });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  /** @type {string[]} */
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error).split("\n")[0]));
  const start = Date.now();
  try {
    await page.goto(server.url);
    await entry.drive(page);
    console.log(`${name}: works, driven for ${since(start)}`);
  } finally {
    await page.screenshot({ path: join(pictures, `${name}.png`) }).catch(() => undefined);
    for (const error of new Set(errors)) console.log(`  page error: ${error.slice(0, 200)}`);
    console.log(`  picture: ${join(pictures, `${name}.png`)}`);
    await browser.close();
    await server.stop();
  }
}

/** @param {string} name @param {any} entry @param {string} folder */
async function tryServer(name, entry, folder) {
  const beside = await entry.services?.(folder);
  try {
    const port = await freePort();
    const { argv, cwd, env } = entry.command(folder, port);
    const how = { cwd, env: { ...env, ...beside?.env } };
    const server = await startReady(argv, how, () => entry.ready(port));
    try {
      const { requests } = await entry.load(port, 3);
      console.log(`${name}: works, ${requests} requests, ${(requests / 3).toFixed(0)} each second`);
    } catch (error) {
      console.log(tail(server));
      throw error;
    } finally {
      await server.stop();
    }
  } finally {
    await beside?.stop();
  }
}

/** @param {string} kind @param {string} name */
async function tryEntry(kind, name) {
  const { default: entry } = await import(`./${kind}/${name}.mjs`);
  const folder = entryFolder(name);
  const start = Date.now();
  await entry.install(folder);
  console.log(`${name}: installed, ${since(start)}`);
  await (kind === "pages" ? tryPage : tryServer)(name, entry, folder);
}

for (const { kind, name } of findEntries(process.argv.slice(2))) {
  try {
    await tryEntry(kind, name);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${name}: FAILED: ${error}`);
  }
}
process.exit();
