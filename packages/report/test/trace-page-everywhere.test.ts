import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Page } from "playwright-core";

import type { TraceReport } from "../src/trace/report.js";
import { skip } from "./chromium.js";
import { HOSTILE } from "./fixture.js";
import { nameOfFocus, violations } from "./in-page.js";
import { inBrowser } from "./trace-browser.js";
import { deep, large, nothing, small } from "./trace-fixture.js";

const LONG = "averylongname".repeat(400);
const RIGHT_TO_LEFT = "\u202eשלום\u0627\u0644\u0633\u0644\u0627\u0645";

/** The small report with names that try to break out of everything. */
function hostile(): TraceReport {
  const report = small();
  const names = [HOSTILE, LONG, RIGHT_TO_LEFT];
  return {
    ...report,
    metadata: { recorder: HOSTILE, subject: HOSTILE, folder: HOSTILE, started: NaN },
    threads: names.map((name) => ({ name, events: 1, continuations: 1 })),
    notes: names,
    places: report.places.map((place, index) => {
      const name = names[index] ?? "";
      return { ...place, function: name, file: name, kind: name };
    }),
    tree: report.tree.map((node, index) => {
      const name = names[index % 3] ?? "";
      return { ...node, kind: name, site: `${name} ${name}:1:1` };
    }),
  };
}

describe("the page of a trace, whatever is in it and wherever it is read", { skip }, () => {
  const open = inBrowser();

  const openAll = (page: Page) =>
    page.evaluate(() => {
      for (const each of document.querySelectorAll("details")) each.open = true;
    });
  const widest = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has no fault that axe finds: ${colorScheme}`, async () => {
      const look = async (page: Page) => {
        await openAll(page);
        assert.deepEqual(await violations(page), []);
        await page.getByRole("radio", { name: "Macrotasks only" }).check();
        await page.getByRole("radio", { name: "Time waited" }).check();
        await page.getByRole("application").press("ArrowDown");
        await page.getByRole("application").press("Enter");
        assert.deepEqual(await violations(page), []);
      };
      await open(small(), look, { colorScheme });
      const lookAtNothing = async (page: Page) => {
        assert.deepEqual(await violations(page), []);
      };
      await open(nothing(), lookAtNothing, { colorScheme, hasCharts: false });
    });
  }

  it("shows names that try to be markup, that are long or run from right to left, as they are", async () => {
    await open(hostile(), async (page) => {
      assert.equal(await page.locator("h1").innerText(), HOSTILE);
      const place = page.locator("table.places tbody th > bdi").first();
      assert.equal(await place.innerText(), HOSTILE);
      assert.equal(await page.locator("script").count(), 2);
      await openAll(page);
      assert.equal(await widest(page), page.viewportSize()?.width);
      const texts = page.locator(".icicle text");
      assert.ok((await texts.count()) > 0);
      const boxes = await page
        .locator(".icicle > svg > svg")
        .evaluateAll((all) =>
          all.map((box) => [getComputedStyle(box).overflow, box.querySelector("text") !== null]),
        );
      assert.ok(
        boxes.every(([overflow]) => overflow === "hidden"),
        "no name leaves its rectangle",
      );
    });
    const look = async (page: Page) => {
      assert.equal(await page.locator("h1").innerText(), HOSTILE);
      assert.equal(await page.locator("table td:first-child > bdi").first().innerText(), HOSTILE);
    };
    await open(hostile(), look, { javaScriptEnabled: false });
  });

  it("says that nothing ran where nothing did", async () => {
    const look = async (page: Page) => {
      assert.match(await page.locator("section").first().innerText(), /Nothing ran: There is no/);
      assert.equal(await page.getByText("There are none in this recording.").count(), 7);
      assert.equal(await page.locator(".places, .icicle, .callout").count(), 0);
      const [row] = await page.locator("table.shapes tbody tr").allInnerTexts();
      assert.equal(row?.replaceAll(/\s+/g, " "), "1 ms 0 – 0 – 0 – 0 – 0 – 0 – 0");
    };
    await open(nothing(), look, { hasCharts: false });
  });

  it("has its head and the most important tables where no script may run", async () => {
    const look = async (page: Page) => {
      const text = (await page.locator("body").innerText()).replaceAll("\u00a0", " ");
      assert.match(text, /node shop\.mjs\s+Recorded by node 24\.21\.0 .* 15 continuations/);
      assert.match(text, /It waits: 10 times/);
      assert.match(text, /The recorder did not close this trace\./);
      assert.match(text, /load\s+shop\.mjs:7:1\s+reaction\s+after an await or a then\s+8\s+1\.2 s/);
      assert.match(text, /Linear, loose: A chain/);
      assert.match(text, /1 ms\s+8\s+75\.0%\s+6\s+62\.5%\s+5/);
      assert.match(text, /The curves and the tree are shown where scripts may run/);
    };
    await open(small(), look, { javaScriptEnabled: false });
  });

  it("prints its notes and all tables, dark on light", async () => {
    await open(
      small(),
      async (page) => {
        const isOpen = () =>
          page
            .locator("details")
            .evaluateAll((all) => all.map((each) => each.hasAttribute("open")));
        await page.getByLabel("dark").check();
        await page.emulateMedia({ media: "print" });
        await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
        assert.ok((await isOpen()).every(Boolean));
        assert.ok(await page.getByText("Times of the worker are an estimate.").isVisible());
        assert.ok(await page.getByText("With microtasks: each one").isVisible());
        assert.equal(await page.locator(".views").isVisible(), false);
        const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.equal(back, "rgb(246, 245, 241)");
        await page.evaluate(() => dispatchEvent(new Event("afterprint")));
        assert.ok(!(await isOpen()).some(Boolean));
      },
      { colorScheme: "light" },
    );
  });

  it("fits a phone without scrolling sideways", async () => {
    const options = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    const look = async (page: Page) => {
      await openAll(page);
      assert.equal(await widest(page), 360);
      // Its column is left out there.
      assert.ok(await page.locator("table.places th .narrow").first().isVisible());
    };
    await open(small(), look, options);
    await open(hostile(), look, options);
  });

  it("is reached by the keyboard alone", async () => {
    await open(small(), async (page) => {
      const reached = new Set<string>();
      for (let press = 0; press < 60; press++) {
        await page.keyboard.press("Tab");
        reached.add(await page.evaluate(nameOfFocus));
      }
      const expected = [
        ...["Skip to the summary", "What the words mean", "The 2 threads", "With microtasks"],
        ...["Search", "Table of the places", "In percent", "Table: how long they wait"],
        ...["Potentially atomic subtrees by limit and shape", "Runs", "everything"],
        "Picture of the tree. The arrow keys move, Enter zooms in, Escape zooms out.",
      ];
      assert.deepEqual(
        expected.filter((name) => !reached.has(name)),
        [],
      );
    });
  });

  it("draws and holds no more than can be seen of the largest reports", async () => {
    const counts = (page: Page) =>
      page.evaluate(() => ({
        elements: document.querySelectorAll("*").length,
        rectangles: document.querySelectorAll(".icicle rect").length,
        rows: document.querySelectorAll(".tree tbody tr").length,
        // The longest line of all plots.
        line: Math.max(
          ...[...document.querySelectorAll(".chart path")].map((path) => path.outerHTML.length),
        ),
      }));
    await open(large(), async (page) => {
      const found = await counts(page);
      assert.ok(found.rectangles > 100 && found.rectangles <= 2001, JSON.stringify(found));
      assert.ok(found.elements < 10_000, JSON.stringify(found));
      assert.ok(found.rows < 200, JSON.stringify(found));
      assert.ok(found.line < 40_000, JSON.stringify(found));
    });
    await open(deep(), async (page) => {
      const found = await counts(page);
      assert.ok(found.rectangles <= 25 && found.rows < 20, JSON.stringify(found));
    });
  });
});
