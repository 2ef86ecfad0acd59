import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Locator, Page } from "playwright-core";

import { skip } from "./chromium.js";
import { inBrowser } from "./trace-browser.js";
import { large, LIMITS, small } from "./trace-fixture.js";

const VIEWS = { micro: "With microtasks", macro: "Macrotasks only" } as const;

describe("the page of a trace in Chromium", { skip }, () => {
  const open = inBrowser();

  const places = (page: Page) => page.locator("table.places tbody th > bdi");
  const shown = (page: Page) =>
    page.locator("section", { has: page.locator("#places") }).getByRole("status");
  const figure = (page: Page, id: string) => page.locator(`article[aria-labelledby="${id}"]`);
  const choose = (page: Page, name: string) =>
    page.getByRole("radio", { name, exact: true }).check();

  /** The table under a plot, row by row; parts in percent stand behind a bar. */
  async function table(within: Locator): Promise<string[]> {
    await within
      .locator("details")
      .evaluate((element: HTMLDetailsElement) => (element.open = true));
    return rows(within.locator("table"));
  }

  async function rows(within: Locator): Promise<string[]> {
    const found = await within.locator("tbody tr").evaluateAll((all) =>
      all.map((row) =>
        [...row.children].map((cell) => {
          const [, below] = cell.childNodes.length > 1 ? cell.childNodes : [];
          const text = cell.firstChild?.textContent ?? "";
          return below === undefined ? text : `${text}|${below.textContent ?? ""}`;
        }),
      ),
    );
    return found.map((cells) => cells.join(" ; ").replaceAll("\u00a0", " "));
  }

  it("says first what was recorded, what is missing, and what it shows", async () => {
    await open(small(), async (page) => {
      assert.equal(await page.locator("h1").innerText(), "node shop.mjs");
      const head = (await page.locator("section").first().innerText()).replaceAll("\u00a0", " ");
      assert.match(
        head,
        /Recorded by node 24\.21\.0 on 2026-01-31 12:05 UTC in \/home\/shop \(1\.23 kB\)\./,
      );
      const facts = await page
        .locator(".facts > div")
        .evaluateAll((all) => all.map((fact) => fact.textContent.replaceAll("\u00a0", " ")));
      assert.deepEqual(facts, [
        "recorded2.5 s",
        "threads2",
        "continuations15",
        "macrotasks5",
        "events40",
      ]);
      assert.match(
        head,
        /The recorder did not close this trace\.\s+Times of the worker are an estimate\./,
      );
      assert.match(head, /It waits: 10 times/);
      await page.getByText("The 2 threads").click();
      const threads = await rows(page.getByRole("region", { name: "Threads" }));
      assert.deepEqual(threads, ["main ; 30 ; 12", "a worker ; 10 ; 3"]);
    });
  });

  it("has a table under each plot, and says what the plot shows", async () => {
    await open(small(), async (page) => {
      const found = await page.locator("article.figure").evaluateAll((all) =>
        all.map((article) => ({
          title: article.querySelector("h3")?.textContent,
          label: article.querySelector('[role="img"]')?.getAttribute("aria-label") ?? "",
          isDrawn: article.querySelector(".chart svg") !== null,
          next: article.querySelector(".chart + details table tbody tr") !== null,
        })),
      );
      assert.equal(found.length, 7);
      for (const { title = "", label, isDrawn, next } of found) {
        assert.ok(isDrawn && next, title);
        assert.ok(label.startsWith(`${title}, as cumulative curves.`), label);
        assert.match(label, /n = \d+, half at most/, title);
      }
    });
  });

  it("has the numbers of the report in its tables", async () => {
    await open(small(), async (page) => {
      assert.deepEqual(await table(figure(page, "durations")), [
        "n ; 8 ; 4 ; 12",
        "at most 1 µs ; 0|0% ; 0|0% ; 12|100%",
        "at most 10 µs ; 5|62.5% ; 0|0% ; 12|100%",
        "at most 100 µs ; 5|62.5% ; 4|100% ; 12|100%",
        "at most 1 ms ; 6|75.0% ; 4|100% ; 12|100%",
        "at most 10 ms ; 6|75.0% ; 4|100% ; 12|100%",
        "at most 100 ms ; 8|100% ; 4|100% ; 12|100%",
        "at most 1 s ; 8|100% ; 4|100% ; 12|100%",
        "a quarter at most ; 2 µs ; 50 µs ; 1 µs",
        "half at most ; 10 µs ; 50 µs ; 1 µs",
        "three quarters at most ; 500 µs ; 50 µs ; 1 µs",
        "99% at most ; 20 ms ; 50 µs ; 1 µs",
        "the largest ; 21 ms ; 51 µs ; 1 µs",
      ]);
      const gaps = await table(figure(page, "gaps"));
      assert.equal(gaps[0], "n ; 7 ; 1 ; 2 ; 3");
      assert.equal(gaps[4], "at most 1 ms ; 6|85.7% ; 1|100% ; 1|50.0% ; 0|0%");
      assert.match(await figure(page, "gaps").innerText(), /1 more began before that end/);
      assert.equal((await table(figure(page, "chains")))[0], "n ; 3 ; 2 ; 1");
      assert.equal((await table(figure(page, "batch-time")))[0], "n ; 3");
      assert.equal((await table(figure(page, "batch-size")))[1], "at most 1 ; 2|66.7%");
      assert.equal((await table(figure(page, "concurrency")))[1], "at most 0 ; 4|33.3% ; 3|25.0%");
      const branching = await table(figure(page, "branching"));
      assert.equal(branching[1], "at most 0 ; 9|75.0% ; 0|0%");
      assert.equal(branching.at(-1), "the largest ; 400 ; 1");
    });
  });

  it("tells lines apart by their dashes and their names beside them", async () => {
    await open(small(), async (page) => {
      const chart = figure(page, "gaps").locator(".chart");
      const dashes = await chart
        .locator('[aria-label="line"]')
        .evaluateAll((all) => all.map((line) => line.getAttribute("stroke-dasharray") ?? "none"));
      assert.equal(new Set(dashes).size, 4);
      const names = await figure(page, "gaps").locator(".legend li").allInnerTexts();
      assert.deepEqual(
        names.map((name) => name.trim()),
        [...["uninterrupted n = 7", "own tree n = 1", "another tree n = 2", "recurring n = 3"]],
      );
      const labels = await chart.locator('[aria-label="text"] text').allTextContents();
      assert.deepEqual(labels, ["uninterrupted", "own tree", "another tree", "recurring"]);
    });
  });

  it("draws from 1 µs, or 0, to beyond the largest", async () => {
    await open(small(), async (page) => {
      const ticks = (id: string) =>
        figure(page, id).locator('[aria-label="x-axis tick label"] text').allTextContents();
      const plain = (texts: string[]) => texts.map((text) => text.replaceAll("\u00a0", " "));
      assert.deepEqual(plain(await ticks("durations")), [
        "≤ 1 µs",
        "10 µs",
        "100 µs",
        "1 ms",
        "10 ms",
      ]);
      assert.deepEqual(await ticks("branching"), [
        "0",
        "1",
        "2",
        "5",
        "10",
        "20",
        "50",
        "100",
        "200",
        "500",
      ]);
    });
  });

  it("shows everything in the other view when asked to", async () => {
    await open(small(), async (page) => {
      await choose(page, VIEWS.macro);
      await page.getByText("Macrotasks only: a continuation is").waitFor();
      assert.equal((await table(figure(page, "durations")))[0], "n ; 5 ; 0 ; 5");
      assert.equal((await table(figure(page, "gaps")))[0], "n ; 3 ; 0 ; 0 ; 0");
      assert.match(await figure(page, "chains").innerText(), /There are none in this recording/);
      const [first] = await rows(page.locator("table.shapes"));
      assert.equal(first, "1 ms ; 1 ; 100%|1 ; 100%|1 ; 0%|0 ; 0%|0 ; 0%|0 ; 0%|0");
      assert.equal(await page.getByText("counts microtasks in both views").count(), 2);
      await choose(page, VIEWS.micro);
      assert.equal((await table(figure(page, "durations")))[0], "n ; 8 ; 4 ; 12");
    });
  });

  it("shows no times where none are known", async () => {
    const report = small();
    const untimed = { ...report, microtasks: { ...report.microtasks, timed: false } };
    await open(untimed, async (page) => {
      assert.ok(await page.getByRole("radio", { name: VIEWS.macro, exact: true }).isChecked());
      assert.equal(await figure(page, "gaps").count(), 1);
      assert.equal(await page.getByRole("radio", { name: "Time waited" }).count(), 0);
      assert.doesNotMatch((await page.locator("#node").textContent()) ?? "", /ran|waited/);
      await choose(page, VIEWS.micro);
      assert.equal(await figure(page, "gaps").count(), 0);
      assert.equal(await page.locator("table.shapes").count(), 0);
      assert.match((await page.locator("main").textContent()) ?? "", /its times say nothing/);
    });
  });

  it("counts the subtrees of each shape at nine limits, and says what the shapes are", async () => {
    await open(small(), async (page) => {
      const found = await rows(page.locator("table.shapes"));
      assert.equal(found.length, LIMITS.length);
      assert.equal(found[0], "1 ms ; 8 ; 75.0%|6 ; 62.5%|5 ; 12.5%|1 ; 0%|0 ; 25.0%|2 ; 12.5%|1");
      assert.equal(found[8], "100 ms ; 8 ; 75.0%|6 ; 62.5%|5 ; 12.5%|1 ; 0%|0 ; 37.5%|3 ; 12.5%|1");
      const explained = page.locator("section", { has: page.locator("#subtrees") }).locator("dt");
      const headings = await page.locator("table.shapes thead th").allInnerTexts();
      assert.deepEqual(await explained.allInnerTexts(), headings.slice(2));
    });
  });

  it("sorts the places by any column", async () => {
    await open(small(), async (page) => {
      assert.deepEqual(await rows(page.locator("table.places")), [
        "load|shop.mjs:7:1 ; reaction|after an await or a then ; 8 ; 1.2 s ; 150 ms ; 25.0% ; 0%",
        "shop.mjs:30:12|Timeout ; Timeout|a timer ; 1,000|from 10 samples ; 300 ms ; 250 µs ; 99.9% ; 0.1%",
        "listen|/lib/other.mjs:1:1 ; TCPSERVERWRAP|a server gets a connection ; 2 ; 0 µs ; – ; – ; –",
      ]);
      const sorted = async (heading: string) => {
        await page.getByRole("button", { name: heading }).click();
        const column = page.locator("th[aria-sort]:not([aria-sort=none])");
        return [await column.getAttribute("aria-sort"), ...(await places(page).allInnerTexts())];
      };
      assert.deepEqual(await sorted("Interrupted"), [
        "descending",
        "shop.mjs:30:12",
        "load",
        "listen",
      ]);
      assert.deepEqual(await sorted("Interrupted"), [
        "ascending",
        "listen",
        "load",
        "shop.mjs:30:12",
      ]);
      assert.deepEqual(await sorted("Place"), ["ascending", "load", "shop.mjs:30:12", "listen"]);
      assert.deepEqual(await sorted("Runs"), ["descending", "shop.mjs:30:12", "load", "listen"]);
    });
  });

  it("finds places by function, file and kind", async () => {
    await open(small(), async (page) => {
      assert.equal(await shown(page).textContent(), "3 of 3 places");
      for (const [text, name] of [
        ["LOAD", "load"],
        ["30:12", "shop.mjs:30:12"],
        ["tcp", "listen"],
      ] as const) {
        await page.getByRole("searchbox").fill(text);
        assert.equal(await shown(page).textContent(), "1 of 3 places");
        assert.deepEqual(await places(page).allInnerTexts(), [name]);
      }
      await page.getByRole("searchbox").fill("there is no such place");
      assert.match(await page.locator(".empty").first().innerText(), /No place matches/);
    });
  });

  it("shows 50 places until it is asked for all", async () => {
    await open(large(), async (page) => {
      assert.equal(await places(page).count(), 50);
      await page.getByRole("button", { name: "Show all 1000" }).click();
      assert.equal(await places(page).count(), 1000);
    });
  });
});
