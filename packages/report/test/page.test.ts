import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import type { Browser, Page } from "playwright-core";

import { reportHtml } from "../src/html.js";
import type { VerifyResult } from "../src/result.js";
import { launch, skip } from "./chromium.js";
import { broken, HOSTILE, verified } from "./fixture.js";
import { nameOfFocus, violations } from "./in-page.js";
import { openPage, type OpenOptions } from "./open-page.js";

const VERIFIED = verified();
const BROKEN = broken(VERIFIED);

describe("the report in Chromium", { skip }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser.close();
  });

  /** Opens the report without a network, and fails on whatever the browser complains of. */
  async function open(
    results: readonly VerifyResult[],
    look: (page: Page) => Promise<void>,
    options: OpenOptions = {},
  ): Promise<void> {
    await openPage(browser, await reportHtml(results), look, options);
  }

  const chart = (page: Page, heading: string) =>
    page.locator("section", { has: page.locator(`h2#${heading}`) }).locator(".chart svg");
  const choice = (page: Page, name: string) => page.getByRole("combobox", { name, exact: true });
  const shown = (page: Page) => page.getByRole("status").textContent();

  it("says first whether the program is right and how much faster", async () => {
    await open([VERIFIED], async (page) => {
      const verdict = await page.locator(".verdict").innerText();
      assert.match(verdict, /Right: 142 of 142 tests say the same before and after the rewrite\./);
      assert.match(
        verdict,
        /Faster: tests that run the rewritten code take \d+\.\d% less time on average/,
      );
      assert.match(verdict, /\(95% interval: \d+\.\d% to \d+\.\d% less\)/);
    });
  });

  it("draws a mark for each test, run, delay and operation", async () => {
    await open([VERIFIED], async (page) => {
      const { tests, summary } = VERIFIED;
      const dots = chart(page, "tests").locator('[aria-label="dot"]');
      const faster = tests.filter(({ statistics }) => statistics.significantAdjusted).length;
      assert.ok(faster > summary.slowerAdjusted && summary.slowerAdjusted > 0);
      // One more for the ring around the test whose runs are shown.
      assert.equal(await dots.locator("circle, path").count(), tests.length + 1);
      const runs = chart(page, "runs").locator('[aria-label="dot"]').locator("circle, path");
      assert.equal(await runs.count(), 2 * 30);
      assert.equal(await chart(page, "latency").locator("circle").count(), 4);
      assert.equal(await chart(page, "sites").count(), 2);
      const bars = chart(page, "sites").first().locator('[aria-label="bar"] :is(rect, path)');
      assert.equal(await bars.count(), 6);
      assert.equal(await page.locator(".diff .add").count(), 3 * 5);
    });
  });

  it("draws operations one after the other before, and at the same time after", async () => {
    await open([VERIFIED], async (page) => {
      const bars = chart(page, "sites").first().locator('[aria-label="bar"] :is(rect, path)');
      const boxes = await bars.evaluateAll((all) =>
        all.map((bar) => {
          const { left, right } = bar.getBoundingClientRect();
          return { left, right };
        }),
      );
      const [a, b, , d, e] = boxes;
      assert.ok(a !== undefined && b !== undefined && d !== undefined && e !== undefined);
      assert.ok(b.left >= a.right, "before, the second starts when the first has ended");
      assert.ok(e.left < d.right, "after, it starts while the first is under way");
    });
  });

  it("says which operations no figure is about", async () => {
    await open([VERIFIED], async (page) => {
      const said = page.locator(`section[aria-labelledby="sites"] article`, {
        hasText: "not found again",
      });
      assert.equal(await said.count(), 1);
      assert.match(
        (await said.innerText()).replaceAll(/\s+/g, " "),
        /nor drawn: fetch\(stockUrl\)\./,
      );
    });
  });

  it("filters, orders and searches", async () => {
    await open([VERIFIED], async (page) => {
      const { tests } = VERIFIED;
      assert.equal(await shown(page), `${tests.length} of ${tests.length} tests`);
      await choice(page, "Show").selectOption("slower");
      assert.equal(await shown(page), `1 of ${tests.length} tests`);
      assert.equal(await page.locator("table.tests tbody tr").count(), 1);
      await choice(page, "Show").selectOption("all");
      await choice(page, "Place").selectOption("2");
      assert.equal(await shown(page), `16 of ${tests.length} tests`);
      await choice(page, "Place").selectOption("");
      await choice(page, "Order").selectOption("slower");
      assert.match(await page.locator("table.tests tbody tr").first().innerText(), /page 9 /);
      await page.getByRole("searchbox").fill("PAGE 12 ");
      assert.equal(await shown(page), `1 of ${tests.length} tests`);
      await page.getByRole("searchbox").fill("there is no such test");
      assert.match(await page.locator(".empty").innerText(), /No test matches/);
    });
  });

  it("judges by the paper's level when asked to", async () => {
    await open([VERIFIED], async (page) => {
      const { summary } = VERIFIED;
      assert.ok(summary.significant > summary.significantAdjusted, "the fixture tells them apart");
      await choice(page, "Show").selectOption("faster");
      assert.match((await shown(page)) ?? "", new RegExp(`^${summary.significantAdjusted} of`));
      await choice(page, "Significance").selectOption("paper");
      assert.match((await shown(page)) ?? "", new RegExp(`^${summary.significant} of`));
    });
  });

  it("shows the runs of the test that is picked in the chart", async () => {
    await open([VERIFIED], async (page) => {
      await choice(page, "Show").selectOption("slower");
      await chart(page, "tests").locator('[aria-label="dot"] path').first().click();
      assert.match(await page.locator("h3.name").innerText(), /page 9 /);
    });
  });

  it("works with the keyboard alone", async () => {
    await open([VERIFIED], async (page) => {
      const reached = new Set<string>();
      for (let press = 0; press < 60; press++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(nameOfFocus));
      }
      const expected = [
        ...["Skip to the result", "auto", "Search", "Show", "Place", "Order", "Significance"],
        ...["Table of the tests", "Show all 48", "Previous test", "Test", "Next test"],
        ...["Figures by delay", "Diff of src/catalogue/load-1.ts:12"],
      ];
      assert.deepEqual(
        expected.filter((name) => !reached.has(name)),
        [],
      );
      await page.getByRole("button", { name: /^3\. catalogue/ }).focus();
      await page.keyboard.press("Enter");
      assert.match(await page.locator("h3.name").innerText(), /page 3 /);
      await page.getByRole("button", { name: "Next test" }).focus();
      await page.keyboard.press("Space");
      assert.match(await page.locator("h3.name").innerText(), /page 4 /);
    });
  });

  it("shows a name that tries to be markup as it is", async () => {
    await open([VERIFIED], async (page) => {
      await page.getByRole("searchbox").fill("</script>");
      assert.ok((await page.locator("table.tests tbody th").innerText()).includes(HOSTILE));
    });
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no fault that axe finds: ${colorScheme}`, async () => {
      const look = async (page: Page) => {
        assert.deepEqual(await violations(page), []);
      };
      // With several results, as that shows all that there is.
      await open([{ ...BROKEN, interrupted: true }, VERIFIED], look, { colorScheme });
    });
  }

  it("follows the system's theme, and the reader's where chosen", async () => {
    const back = (page: Page) =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await open(
      [VERIFIED],
      async (page) => {
        const dark = await back(page);
        await page.getByLabel("light").check();
        const light = await back(page);
        assert.notEqual(light, dark);
        await page.getByLabel("dark").check();
        assert.equal(await back(page), dark);
        await page.emulateMedia({ colorScheme: "light" });
        assert.equal(await back(page), dark);
        await page.getByLabel("auto").check();
        assert.equal(await back(page), light);
      },
      { colorScheme: "dark" },
    );
  });

  it("fits a phone without scrolling sideways", async () => {
    const options = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    const look = async (page: Page) => {
      await chart(page, "tests").waitFor();
      const widths = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        ...[...document.querySelectorAll(".chart svg")].map((svg) => svg.clientWidth),
      ]);
      assert.ok(Math.max(...widths) <= 360, String(widths));
    };
    await open([BROKEN], look, options);
  });

  it("draws charts again for another width", async () => {
    await open([VERIFIED], async (page) => {
      await page.setViewportSize({ width: 1200, height: 800 });
      await chart(page, "runs").waitFor();
      await page.setViewportSize({ width: 500, height: 800 });
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".chart svg")].every((svg) => svg.clientWidth < 500),
      );
    });
  });

  it("names what broke, to blame and flaky before any figure", async () => {
    await open([BROKEN], async (page) => {
      assert.match(await page.locator(".verdict").innerText(), /Wrong: the rewrite breaks 1 test/);
      const first = page.locator("h2").first();
      assert.equal(await first.innerText(), "Broken by the rewrite");
      const card = await page.locator(".card.bad").innerText();
      assert.match(
        card,
        /keeps the order of writes fails[\s\S]*Under schedule 7 only: [\s\S]*--seed 7[\s\S]*To blame is src\/catalogue\/load-3/,
      );
      await page.locator(".card.bad a").click();
      assert.match(page.url(), /#site-3$/);
      assert.match(await page.locator("#flaky + p + ul").innerText(), /passed 9, failed 1/);
    });
  });

  it("lets the reader choose among several projects", async () => {
    await open([VERIFIED, { ...BROKEN, project: "other" }], async (page) => {
      await page.getByRole("searchbox").fill("page 3");
      await page.getByRole("button", { name: "other" }).click();
      assert.equal(await page.locator("h1").innerText(), "other");
      assert.equal(await page.getByRole("searchbox").inputValue(), "");
    });
  });

  it("says the result where no script may run", async () => {
    const look = async (page: Page) => {
      assert.match(await page.locator("body").innerText(), /Right: 142 of 142 tests say the same/);
    };
    await open([VERIFIED], look, { javaScriptEnabled: false });
  });
});
