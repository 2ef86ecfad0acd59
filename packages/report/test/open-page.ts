import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import type { Browser, BrowserContextOptions, Page } from "playwright-core";

import { isDrawn } from "./in-page.js";

/** How a page is opened. */
export interface OpenOptions extends BrowserContextOptions {
  /** Whether there are charts to wait for; there are, unless it says otherwise. */
  readonly hasCharts?: boolean;
}

/** Opens a page from a file without a network, and fails on whatever the browser complains of. */
export async function openPage(
  browser: Browser,
  html: string,
  look: (page: Page) => Promise<void>,
  { hasCharts = true, ...options }: OpenOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "headstart-report-"));
  const file = join(folder, "report.html");
  writeFileSync(file, html);
  const context = await browser.newContext({ offline: true, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  try {
    await page.goto(pathToFileURL(file).href);
    if (hasCharts && options.javaScriptEnabled !== false) await page.waitForFunction(isDrawn);
    await look(page);
  } finally {
    await context.close();
    rmSync(folder, { recursive: true });
  }
  assert.deepEqual(complaints, []);
}

/** Collects what a page does that it should not. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const own = /^(file:.*report\.html|data:)/.test(request.url());
    if (!own) complaints.push(`request: ${request.url()}`);
  });
  return complaints;
}
