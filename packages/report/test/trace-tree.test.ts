import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { Page } from "playwright-core";

import { skip } from "./chromium.js";
import { inBrowser } from "./trace-browser.js";
import { deep, large, small } from "./trace-fixture.js";

describe("the tree on the page of a trace in Chromium", { skip }, () => {
  const open = inBrowser();

  const picture = (page: Page) => page.getByRole("application");
  const up = (page: Page) => page.getByRole("button", { name: "↑ Up" });
  const said = async (page: Page) =>
    (await page.locator("#node").innerText()).replaceAll("\u00a0", " ");

  /** The nodes that are drawn, with their widths in percent of the whole. */
  const drawn = async (page: Page): Promise<Record<string, number>> => {
    const found = await page.locator(".icicle > svg").evaluate((svg) =>
      [...svg.querySelectorAll("svg[data-id]")].map((box): [string, number] => {
        const part = Number(box.getAttribute("width")) / svg.clientWidth;
        return [box.getAttribute("data-id") ?? "", Math.round(100 * part)];
      }),
    );
    return Object.fromEntries(found);
  };

  /** The rows of the table: how deep, open or not, and what they say. */
  const rows = async (page: Page) => {
    const found = await page.locator(".tree tbody tr").evaluateAll((all) =>
      all.map((row) => {
        const open = { true: "▾", false: "▸" }[row.getAttribute("aria-expanded") ?? ""] ?? "";
        const [name, ...more] = [...row.children].map((cell) => cell.textContent);
        return `${row.getAttribute("aria-level") ?? ""}${open} ${[name?.replace(/^[▾▸]/, ""), ...more].join(" ; ")}`;
      }),
    );
    return found.map((row) => row.replaceAll("\u00a0", " "));
  };
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.querySelector("bdi")?.textContent);

  it("is as wide as its runs, or as its times", async () => {
    await open(small(), async (page) => {
      // Of 15 runs: 14 below the program, 9 of them below the reaction, 3 at the end.
      assert.deepEqual(await drawn(page), { 0: 100, 1: 93, 5: 7, 3: 60, 2: 27, 4: 20 });
      await page.getByRole("radio", { name: "Time waited" }).check();
      // Of 121 ms: 100 for the timer, 21 below the reaction, 9 at the end.
      assert.deepEqual(await drawn(page), { 0: 100, 1: 100, 2: 83, 3: 17, 4: 7 });
      await page.getByRole("radio", { name: "Time ran" }).check();
      // Of 20 ms: 19 below the program, 7 of them below the reaction, 1 at the end.
      assert.deepEqual(await drawn(page), { 0: 100, 1: 95, 5: 5, 3: 35, 2: 10, 4: 5 });
    });
  });

  it("says what the pointer is at", async () => {
    await open(small(), async (page) => {
      assert.equal(
        await said(page),
        "Everything, all below it included: 15 runs, ran 20 ms, waited 121 ms.",
      );
      await page.locator('[data-id="3"]').hover();
      assert.equal(
        await said(page),
        "reaction (after an await or a then), registered at shop.mjs:7:2: 6 runs, ran 6 ms, " +
          "waited 12 ms, 100% interrupted. With all below it included: 9 runs, ran 7 ms, waited 21 ms.",
      );
      await page.locator('[data-id="2"]').hover();
      assert.match(
        await said(page),
        /^Timeout \(a timer\), registered at tick shop\.mjs:3:5: 4 runs, .* 25\.0% interrupted/,
      );
    });
  });

  it("zooms in where it is clicked, and out again", async () => {
    await open(small(), async (page) => {
      assert.ok(await up(page).isDisabled());
      await page.locator('[data-id="3"]').click();
      assert.deepEqual(await drawn(page), { 3: 100, 4: 33 });
      const way = page.getByRole("navigation", { name: "Way to what is shown" });
      assert.deepEqual(await way.locator("li").allInnerTexts(), [
        ...["everything", "program", "reaction shop.mjs:7:2"],
      ]);
      assert.equal(
        (await rows(page))[0]?.split(" ;")[0],
        "1▾ reaction after an await or a thenshop.mjs:7:2",
      );
      await up(page).click();
      assert.deepEqual(Object.keys(await drawn(page)), ["1", "2", "3", "4"]);
      await way.getByRole("button", { name: "everything" }).click();
      assert.equal(Object.keys(await drawn(page)).length, 6);
    });
  });

  it("moves and zooms with the keyboard", async () => {
    await open(small(), async (page) => {
      const steps: readonly (readonly [key: string, said: RegExp])[] = [
        ["ArrowUp", /^Everything/],
        ["ArrowDown", /^program \(the program’s first run\): 1 run/],
        ["ArrowRight", /^registered before the recording: 1 run/],
        ["ArrowRight", /^registered before the recording/],
        ["ArrowLeft", /^program/],
        ["ArrowDown", /^reaction .* shop\.mjs:7:2/],
        ["ArrowRight", /^Timeout/],
        ["ArrowLeft", /^reaction/],
        ["Enter", /^reaction/],
        ["ArrowDown", /^reaction .* load a\.mjs:1:1/],
        ["Escape", /^reaction .* shop\.mjs:7:2/],
        ["Escape", /^program/],
        ["Escape", /^Everything|^program/],
      ];
      await picture(page).focus();
      for (const [key, expected] of steps) {
        await page.keyboard.press(key);
        assert.match(await said(page), expected, key);
      }
      assert.equal(Object.keys(await drawn(page)).length, 6);
    });
  });

  it("has the same as a table, which opens row by row", async () => {
    await open(small(), async (page) => {
      assert.deepEqual(await rows(page), [
        "1▾ everything ; – ; – ; – ; – ; 100%15 runs",
        "2▾ program the program’s first run ; 1 ; 10 ms ; 0 µs ; 0% ; 93.3%14 runs",
        "3▾ reaction after an await or a thenshop.mjs:7:2 ; 6 ; 6 ms ; 12 ms ; 100% ; 60.0%9 runs",
        "4 reaction after an await or a thenload a.mjs:1:1 ; 3 ; 1 ms ; 9 ms ; 0% ; 20.0%3 runs",
        "3 Timeout a timertick shop.mjs:3:5 ; 4 ; 2 ms ; 100 ms ; 25.0% ; 26.7%4 runs",
        "2 registered before the recording ; 1 ; 1 ms ; 0 µs ; 0% ; 6.7%1 run",
      ]);
      await page.locator(".tree tbody td.node").nth(1).click();
      assert.deepEqual(
        (await rows(page)).map((row) => row.slice(0, 5)),
        ["1▾ ev", "2▸ pr", "2 reg"],
      );
      await page.locator(".tree tbody td.node").nth(1).click();
      // What was open below it still is.
      assert.equal((await rows(page)).length, 6);
    });
  });

  it("opens, closes and zooms in the table with the keyboard", async () => {
    await open(small(), async (page) => {
      await page.locator(".tree tbody tr").first().focus();
      const steps: readonly (readonly [key: string, focused: string, rows: number])[] = [
        ["ArrowDown", "program", 6],
        ["ArrowLeft", "program", 3],
        ["ArrowRight", "program", 6],
        ["ArrowRight", "reaction", 6],
        [" ", "reaction", 5],
        [" ", "reaction", 6],
        ["End", "registered before the recording", 6],
        ["ArrowUp", "Timeout", 6],
        ["ArrowLeft", "program", 6],
        ["Home", "everything", 6],
        ["ArrowDown", "program", 6],
        ["Enter", "program", 4],
        ["ArrowDown", "reaction", 4],
        ["Enter", "reaction", 2],
        ["Escape", "program", 4],
      ];
      for (const [key, name, count] of steps) {
        await page.keyboard.press(key);
        assert.deepEqual([await focused(page), (await rows(page)).length], [name, count], key);
      }
    });
  });

  it("has no elements for what is closed, and gives many children bit by bit", async () => {
    await open(large(), async (page) => {
      const before = (await rows(page)).length;
      const more = page.getByText(/^\+?Show 100 more of/).last();
      await more.click();
      assert.equal((await rows(page)).length, before + 100);
    });
  });

  it("zooms into a chain of 20,000 without end", async () => {
    await open(deep(), async (page) => {
      await picture(page).focus();
      for (let press = 0; press < 23; press++) await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      assert.equal(Object.keys(await drawn(page)).length, 24);
      const way = page.getByRole("navigation", { name: "Way to what is shown" });
      assert.match(await way.innerText(), /… 19 more …/);
      assert.match(
        await page.locator(".tree-section").innerText(),
        /19,953 of 19,977 are too narrow/,
      );
    });
  });
});
