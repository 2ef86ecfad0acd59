// Rewrites docs/models/, a page for each file of models/: `node scripts/model-pages.mjs`. A test of
// tests/models holds that they are up to date. Members that do the same share a line.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { parse } from "yaml";

import { modelFiles } from "./models-table.mjs";

const MODELS = new URL("../models/", import.meta.url);
export const PAGES = new URL("../docs/models/", import.meta.url);

/** What each word of the schema for a resource is called in a sentence. */
const RESOURCES = {
  "any-file": "files",
  "any-network": "the network",
  "any-process": "other processes",
  "working-directory": "the working directory",
  environment: "the environment",
  clock: "the clock",
  randomness: "randomness",
  output: "the output",
  input: "the input",
  timers: "timers",
  "process-state": "the state of the process",
  "module-state": "state of the module",
  connection: "the connection",
  storage: "storage",
};
const NUMBERED = {
  file: "the file",
  tree: "all below the folder",
  handle: "the handle",
  network: "the host",
  process: "the process",
};
const NTH = ["first", "second", "third", "fourth", "fifth", "sixth"];

const nth = (/** @type {number} */ index) => `the ${NTH[index] ?? `${index + 1}th`} argument`;

/** @param {string | Record<string, number>} resource */
function nameOf(resource) {
  if (typeof resource === "string") return RESOURCES[resource];
  const [[kind, index]] = Object.entries(resource);
  return `${NUMBERED[kind]} that ${nth(index)} names`;
}

/** @param {string} verb @param {readonly (string | Record<string, number>)[] | undefined} resources */
const effect = (verb, resources = []) =>
  resources.length === 0 ? [] : [`${verb} ${resources.map(nameOf).join(", ")}`];

/** @param {Record<string, unknown>} when */
function conditionOf(when) {
  const [[kind, value]] = Object.entries(when);
  switch (kind) {
    case "query-in":
      return `where the option \`${value.option}\` of ${nth(value.position)} is a query that only reads`;
    case "query":
      return `where ${nth(value)} is a query that only reads`;
    case "command":
      return "with a command line that is known to only read";
    case "reading-method":
      return "with `GET` or `HEAD`";
    case "untold-method":
      return "with options that name no method";
    case "argument":
      return `where ${nth(value.position)} is a \`${value.type}\``;
    default:
      return `with fewer than ${value} arguments`;
  }
}

const THROWS = {
  may: "may throw before it returns",
  "unless-strings": "throws before it returns where a string is none",
};
const PROMISES = {
  settles: "its promise settles by itself",
  answers: "its promise waits for an answer from outside",
  waits: "its promise may wait for the program, or for ever",
};
const CALLS_BACK = {
  now: "calls what it is given before it returns",
  later: "calls what it is given later",
};
const RECEIVER = {
  reads: "reads its object",
  "reads-below": "reads its object and what that holds",
  writes: "changes its object",
};

/** An argument that becomes a part of a query. @param {Record<string, number>} sql */
function sqlText(sql) {
  const [[kind, index]] = Object.entries(sql);
  return kind === "function" ? `the function that ${nth(index)} names` : nth(index);
}

/** What a call does, in a sentence. */
function callText(call) {
  const cases = (call.cases ?? []).map((it) => {
    const effects = [...effect("reads", it.reads), ...effect("writes", it.writes)];
    return `${conditionOf(it.when)} only ${effects.join(" and ") || "computes"}`;
  });
  const parts = [
    ...effect("reads", call.reads),
    ...effect("writes", call.writes),
    RECEIVER[call.receiver],
    call.keeps ? "keeps what it is given" : undefined,
    call.mutates?.length > 0 ? `changes ${call.mutates.map(nth).join(", ")}` : undefined,
    call["mutates-below"]?.length > 0
      ? `changes ${call["mutates-below"].map(nth).join(", ")} and what is below`
      : undefined,
    CALLS_BACK[call["calls-back"]],
    PROMISES[call.promise],
    THROWS[call.throws],
    call.sql?.length > 0 ? `${call.sql.map(sqlText).join(", ")} is SQL in a query` : undefined,
    call.gives === undefined ? undefined : "gives what somebody has to close",
    call["goes-on"] === true ? "goes on behind that" : undefined,
    call.lock === undefined ? undefined : "fails where something exists already",
    ...cases,
  ].filter((it) => it !== undefined);
  return parts.length === 0 ? "only computes" : parts.join("; ");
}

/** What a row says, by the way the member is used. */
function uses(name, row) {
  const out = [];
  if (row.call !== undefined) out.push([callText(row.call), `${name}()`]);
  if (row.construct !== undefined) out.push([callText(row.construct), `new ${name}()`]);
  if (row.await !== undefined) out.push([callText(row.await), `await ${name}`]);
  if (row.constant === true) out.push(["never changes", name]);
  if (row.anything === true) out.push(["may do anything", name]);
  return out;
}

/** All rows below some members, with names from the module on. */
function rowsBelow(members, prefix) {
  return Object.entries(members ?? {}).flatMap(([name, row]) => {
    const full = prefix === "" ? name : `${prefix}.${name}`;
    return [...uses(full, row), ...rowsBelow(row.members, full)];
  });
}

/** The sentences at the start of a model, which say what holds for all of it. */
function introduction(text) {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  const said = lines.slice(0, end).filter((line) => !line.includes("yaml-language-server"));
  return said
    .map((line) => line.replace(/^# ?/, ""))
    .join("\n")
    .trim();
}

const escape = (/** @type {string} */ text) => text.replaceAll("|", "\\|");

/**
 * The page of a model.
 * @param {string} file Below `models/`.
 */
export function page(file) {
  const text = readFileSync(new URL(file, MODELS), "utf8");
  const model = parse(text);
  const rows = [
    ...uses("default", model.default ?? {}),
    ...rowsBelow(model.default?.members, "default"),
    ...rowsBelow(model.members, ""),
    ...Object.entries(model.types ?? {}).flatMap(([name, row]) => [
      ...uses(name, row),
      ...rowsBelow(row.members, `${name}#`).map(([what, it]) => [what, it.replace("#.", "#")]),
    ]),
  ];
  const groups = new Map();
  for (const [what, name] of rows) groups.set(what, [...(groups.get(what) ?? []), name]);
  const lines = [...groups].map(
    ([what, names]) => `| ${what} | ${names.map((it) => `\`${escape(it)}\``).join(", ")} |`,
  );
  const up = "../".repeat(file.split("/").length + 1);
  const also =
    model.also === undefined
      ? ""
      : ` It holds for ${model.also.map((it) => `\`${it}\``).join(", ")}, too.`;
  const said = introduction(text);
  return (
    `# ${model.module}\n\n` +
    `What is known of [\`${model.module}\`](${model.documentation}); ` +
    `each row of [the model](${up}models/${file}) names what it rests on.${also} ` +
    `\`Type#member\` is a member of objects of that type.\n\n` +
    `${said === "" ? "" : `${said}\n\n`}` +
    `| what it does | members |\n| --- | --- |\n${lines.join("\n")}\n`
  );
}

/** The page's place below `docs/models/`. */
export const pageOf = (/** @type {string} */ file) => file.replace(/\.yml$/, ".md");

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(new URL("npm/", PAGES), { recursive: true });
  for (const file of modelFiles()) writeFileSync(new URL(pageOf(file), PAGES), page(file));
}
