// Every file of `models/` fits its schema.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import Ajv from "ajv";
import { FOLDER, modelsIn } from "./rows.mjs";

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"));
}

/**
 * Fails where a value does not fit a schema, and says all that is wrong with it.
 * @param {string} file
 * @param {unknown} value
 * @param {import("ajv").ValidateFunction} fits
 */
function check(file, value, fits) {
  const isRight = fits(value);
  const errors = (fits.errors ?? []).map(
    (it) => `${file}${it.dataPath}: ${it.message} ${JSON.stringify(it.params)}`,
  );
  assert(isRight, errors.join("\n"));
}

test("every model fits models/schema.json", () => {
  const fits = new Ajv({ allErrors: true }).compile(readJson("schema.json"));
  for (const { file, ...model } of [...modelsIn(""), ...modelsIn("npm/")]) {
    check(file, model, fits);
  }
});

/** What a row says, whatever its documentation is. @param {unknown} row */
function withoutDocumentation(row) {
  return JSON.parse(JSON.stringify(row, (key, it) => (key === "documentation" ? undefined : it)));
}

test("a package that is one function of lodash has the row of that", () => {
  const models = modelsIn("npm/");
  const lodash = models.find((it) => it.module === "lodash");
  const rows = Object.entries(lodash?.members ?? {});
  for (const { module, default: row } of models.filter((it) => it.module.startsWith("lodash."))) {
    const name = module.slice("lodash.".length);
    const [, whole] = rows.find(([member]) => member.toLowerCase() === name) ?? [];
    assert.deepEqual(withoutDocumentation(row), withoutDocumentation(whole), module);
  }
});

test("commands.json fits models/commands.schema.json", () => {
  const fits = new Ajv({ allErrors: true }).compile(readJson("commands.schema.json"));
  check("commands.json", readJson("commands.json"), fits);
});

test("the programs of commands.json are in order", () => {
  const programs = Object.keys(readJson("commands.json"));
  assert.deepEqual(programs, [...programs].sort());
});
