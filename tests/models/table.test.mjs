// The table of models in docs/models.md says what the models say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { PAGE, withTable } from "../../scripts/models-table.mjs";

test("the table of models is up to date", () => {
  const page = readFileSync(PAGE, "utf8");
  const remedy = "run `node scripts/models-table.mjs`";
  assert(withTable(page) === page, `the table of docs/models.md is out of date: ${remedy}`);
});
