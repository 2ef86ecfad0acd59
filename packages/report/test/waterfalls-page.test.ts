import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Browser, Page } from "playwright-core";

import { waterfallsHtml } from "../src/waterfalls/html.js";
import type { WaterfallsReport } from "../src/waterfalls/report.js";
import { editorLink, facts, headline } from "../src/waterfalls/words.js";
import { launch, skip } from "./chromium.js";
import { violations } from "./in-page.js";
import { openPage, type OpenOptions } from "./open-page.js";
import { HOSTILE, waterfalls } from "./waterfalls-fixture.js";

it("links open an editor, whatever is in a path", () => {
  const at = { line: 3, column: 0 };
  const link = (project: string, file: string) => editorLink(project, { file, ...at });
  assert.equal(link("/srv/shop", "src/a.js"), "vscode://file/srv/shop/src/a.js:3:1");
  assert.equal(link("/srv/shop", "/else/where.js"), "vscode://file/else/where.js:3:1");
  assert.equal(link("C:/my shop", "a#b?.js"), "vscode://file/C:/my%20shop/a%23b%3F.js:3:1");
});

it("says in front what all routes come to, also those that it does not show", () => {
  const report = waterfalls();
  assert.match(headline(report), /^Rewrites would have saved 61\.3\ss of waiting\.$/);
  assert.deepEqual(
    facts(report).map(([name, figure]) => `${figure.replace(/\s/g, " ")} ${name}`),
    [
      "61.3 s saved by rewrites, in all requests",
      "90 s saved if all that waits ran at once",
      "4 routes that wait",
      "2,000 requests of these",
      "3 rewrites",
      "1,234 spans",
    ],
  );
});

it("planted markup is text", async () => {
  const html = await waterfallsHtml(waterfalls());
  assert.ok(!html.includes("<img"));
  assert.ok(!html.includes("<b>"));
  assert.equal(html.match(/<\/script>/g)?.length, 2);
});

describe("the page of waterfalls in Chromium", { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
  });

  async function open(
    look: (page: Page) => Promise<void>,
    options: OpenOptions = {},
    report: WaterfallsReport = waterfalls(),
  ): Promise<void> {
    await openPage(browser, await waterfallsHtml(report), look, { hasCharts: false, ...options });
  }

  const text = async (page: Page, selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((it) => it.replace(/\s+/g, " "));

  it("says what would be saved, of each route, and that it is computed", async () => {
    await open(async (page) => {
      assert.match(
        (await text(page, "h1"))[0] ?? "",
        /Rewrites would have saved 61\.3 s of waiting\./,
      );
      const [first = "", second = ""] = await text(page, "summary");
      assert.match(
        first,
        /GET \/products\/:id 1,012 requests 100 ms before, → 60 ms after, 40\.0% less/,
      );
      assert.ok(second.includes(HOSTILE));
      const [figure = ""] = await text(page, "figure");
      assert.match(
        figure,
        /The median of the 1,000 requests that a rewrite would make shorter, of 1,012/,
      );
      assert.match(figure, /Before: 100 ms as it was recorded/);
      assert.match(figure, /After: 60 ms 40\.0% less; computed from the trace, not measured/);
      assert.match(figure, /3 more spans of this request left out/);
      assert.match((await text(page, "main"))[0] ?? "", /2 more routes left out/);
    });
  });

  it("draws each operation before and after, on one scale", async () => {
    await open(async (page) => {
      const bars = (when: string) =>
        page
          .locator(`.route >> nth=0 >> .bars.${when} .track > span`)
          .evaluateAll((all) => all.map((it) => (it as HTMLElement).style.cssText));
      assert.deepEqual(await bars("before"), [
        "left: 0%; width: 100%;",
        "left: 0%; width: 40%;",
        "left: 40%; width: 50%;",
        "left: 90%; width: 10%;",
      ]);
      assert.deepEqual(await bars("after"), [
        "left: 0%; width: 60%;",
        "left: 0%; width: 40%;",
        "left: 0%; width: 50%;",
        "left: 50%; width: 10%;",
      ]);
      const links = page.locator(".bars.before a");
      assert.deepEqual(
        await links.allInnerTexts(),
        [11, 12, 13].map((it) => `src/a page.js:${it}`),
      );
      const href = await links.first().getAttribute("href");
      assert.equal(href, "vscode://file/srv/shop%231/src/a%20page.js:11:3");
    });
  });

  it("has the rewrite to copy, what it rests on, and what stands in the way of more", async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    await open(
      async (page) => {
        const { findings } = waterfalls();
        const copied = () => page.evaluate(() => navigator.clipboard.readText());
        await page.getByRole("button", { name: "Copy as a patch" }).click();
        await page.getByRole("button", { name: "Copied" }).waitFor();
        assert.equal(await copied(), findings[0]?.diff);
        await page.getByRole("button", { name: "Copy", exact: true }).click();
        await page.waitForFunction(async () =>
          (await navigator.clipboard.readText()).startsWith("headstart fix"),
        );
        assert.equal(await copied(), "headstart fix --level likely 'src/a page.js'");
        const [rewrite = "", obstacles = ""] = await text(page, "article");
        assert.match(rewrite, /as it did when it was observed \(12 times\)/);
        assert.match(obstacles, /What stands in the way of more\s+src\/a page\.js:13: b needs a/);
      },
      { permissions },
    );
  });

  it("opens a route where nothing is offered, by the keyboard", async () => {
    await open(async (page) => {
      const route = page.locator("details").nth(1);
      await route.locator("summary").focus();
      await page.keyboard.press("Enter");
      assert.equal(await route.locator(".bars").count(), 1);
      const shown = await route.innerText();
      assert.match(shown, /No rewrite would make these requests shorter\./);
      assert.match(shown, /What stands in the way\n/);
    });
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no fault that axe finds: ${colorScheme}`, async () => {
      await open(
        async (page) => {
          await page.locator("summary").nth(1).click();
          assert.deepEqual(await violations(page), []);
        },
        { colorScheme },
      );
    });
  }

  it("fits on a phone", async () => {
    await open(
      async (page) => {
        await page.locator("summary").nth(1).click();
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      },
      { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
    );
  });

  it("has all that matters without its script", async () => {
    await open(
      async (page) => {
        const [all = ""] = await text(page, "main");
        assert.match(all, /100 ms before, 60 ms after: 40\.0% less\./);
        assert.match(all, /src\/a page\.js:12/);
        assert.match(all, /headstart fix --level likely 'src\/a page\.js'/);
        assert.ok(all.includes(HOSTILE));
      },
      { javaScriptEnabled: false },
    );
  });

  it("says so where nothing waits", async () => {
    await open(
      async (page) => {
        assert.match((await text(page, "h1"))[0] ?? "", /No operations always ran/);
      },
      {},
      { ...waterfalls(), routes: [], findings: [], routesLeft: 0 },
    );
  });
});
