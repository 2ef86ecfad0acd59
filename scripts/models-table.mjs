// Rewrites the table of models in docs/models.md from the files of models/:
// `node scripts/models-table.mjs`. A test of tests/models holds that it is up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const MODELS = new URL("../models/", import.meta.url);
export const PAGE = new URL("../docs/models.md", import.meta.url);
const BEGIN = "<!-- scripts/models-table.mjs writes this table -->\n";
const END = "<!-- end of the table -->\n";

/** What is no module; it goes before the modules. */
const FIRST = ["ecmascript.yml", "web.yml", "globals.yml"];

/** What a row says of its member; one with none of these only holds others. */
const KINDS = ["anything", "constant", "call", "construct", "await", "type"];

/**
 * The files of a folder below `models/`, in the order of their names.
 * @param {string} folder
 */
function filesIn(folder) {
  const names = readdirSync(new URL(folder, MODELS)).filter((it) => it.endsWith(".yml"));
  return names.sort().map((it) => `${folder}${it}`);
}

/**
 * All rows below some members; what only holds other rows is none.
 * @param {Record<string, object>} members
 * @returns {object[]}
 */
function rowsOf(members) {
  return Object.values(members).flatMap((row) => [
    ...(KINDS.some((kind) => kind in row) ? [row] : []),
    ...rowsOf(row.members ?? {}),
  ]);
}

/**
 * The cells of the line for a model.
 * @param {string} file
 */
function cells(file) {
  const model = parse(readFileSync(new URL(file, MODELS), "utf8"));
  const byDefault = model.default === undefined ? {} : { default: model.default };
  const rows = [model.members, byDefault, model.types ?? {}].flatMap(rowsOf);
  const known = rows.filter((row) => row.anything !== true);
  const page = file.replace(/\.yml$/, ".md");
  return [`[\`${file}\`](models/${page})`, `\`${model.module}\``, rows.length, known.length];
}

/** All models, in the order of the table. */
export function modelFiles() {
  const ofNode = filesIn("").filter((it) => !FIRST.includes(it));
  return [...FIRST, ...ofNode, ...filesIn("npm/")];
}

/** The table as it should be. */
function table() {
  const lines = modelFiles().map(cells);
  const sum = (/** @type {number} */ column) =>
    lines.reduce((total, line) => total + Number(line[column]), 0);
  const all = [
    ["model", "module", "rows", "of them with known effects"],
    ...lines,
    [`${lines.length} models`, "", sum(2), sum(3)],
  ].map((line) => line.map(String));
  const widths = all[0].map((_, column) => Math.max(...all.map((line) => line[column].length)));
  const line = (/** @type {string[]} */ cells, fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], fill)).join(" | ")} |\n`;
  const [head, ...body] = all.map((it) => line(it));
  const rule = line(["", "", "", ""], "-");
  return `${BEGIN}\n${head}${rule}${body.join("")}\n${END}`;
}

/**
 * A page with the table as it should be.
 * @param {string} page
 */
export function withTable(page) {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) throw new Error("docs/models.md has no place for the table");
  return page.slice(0, begin) + table() + page.slice(end + END.length);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(PAGE, withTable(readFileSync(PAGE, "utf8")));
}
