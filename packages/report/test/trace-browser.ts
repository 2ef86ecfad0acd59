import { after, before } from "node:test";

import type { Browser, Page } from "playwright-core";

import { traceReportHtml } from "../src/trace/html.js";
import type { TraceReport } from "../src/trace/report.js";
import { launch } from "./chromium.js";
import { openPage, type OpenOptions } from "./open-page.js";

/** Opens the page of a report and looks at it. */
export type Open = (
  report: TraceReport,
  look: (page: Page) => Promise<void>,
  options?: OpenOptions,
) => Promise<void>;

/** To be called in a `describe`: a browser for all of its tests. */
export function inBrowser(): Open {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
  });
  return async (report, look, options = {}) => {
    await openPage(browser, await traceReportHtml(report), look, options);
  };
}
