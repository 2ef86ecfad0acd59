// The table of models in docs/models.md, and the page of each, say what the models say.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { page, pageOf, PAGES } from "../../scripts/model-pages.mjs";
import { modelFiles, PAGE, withTable } from "../../scripts/models-table.mjs";

test("the table of models is up to date", () => {
  const text = readFileSync(PAGE, "utf8");
  const remedy = "run `node scripts/models-table.mjs`";
  assert(withTable(text) === text, `the table of docs/models.md is out of date: ${remedy}`);
});

test("each model has its page, which is up to date", () => {
  const remedy = "run `node scripts/model-pages.mjs`";
  for (const file of modelFiles()) {
    const place = pageOf(file);
    const text = readFileSync(new URL(place, PAGES), "utf8");
    assert(page(file) === text, `docs/models/${place} is out of date: ${remedy}`);
  }
  const pages = readdirSync(PAGES, { recursive: true, encoding: "utf8" });
  const expected = modelFiles().map(pageOf).sort();
  assert.deepEqual(pages.filter((it) => it.endsWith(".md")).sort(), expected);
});
