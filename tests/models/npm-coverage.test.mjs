// Every member of a modelled npm package has a row, and every row has a member: the models of
// `models/npm` beside the packages in `node_modules`, at the versions that `package.json` names.
// `npm-packages.json` says what the packages themselves cannot: it is described below.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { IS_REFERENCE, isFor, modelsIn, Types } from "./rows.mjs";

/**
 * What is known of a package, beside its model. Where something is listed, it stands under the
 * reason for it.
 * @typedef {object} Package
 * @property {string} [unloadable] why the package cannot be held against its model at all
 * @property {string[]} [load] the modules to load where the name of the model is a pattern
 * @property {Record<string, string | string[]>} [objects] an object of each type, as expressions
 *   in which `m` is the module and `require` loads others; the members of several are taken
 *   together
 * @property {Record<string, string[]>} [sometimes] rows for what these versions, or this Node, do
 *   not have
 * @property {Record<string, string[]>} [rowless] members that have no row
 * @property {Record<string, string[]>} [untestable] types that there is no object of
 *
 * @typedef {import("./rows.mjs").Row} Row
 * @typedef {import("./rows.mjs").Rows} Rows
 * @typedef {import("./rows.mjs").Model} Model
 * @typedef {Record<string, unknown>} Namespace
 */

const PACKAGES = new URL("node_modules/", import.meta.url);

/** @type {Record<string, Package>} */
const packages = readJson("npm-packages.json");
/** @type {{ dependencies: Record<string, string> }} */
const manifest = readJson("package.json");

const models = modelsIn("npm/");
const types = new Types([...modelsIn(""), ...models]);
const require = createRequire(import.meta.url);

/** Every specifier or `module#member` that a model is for. */
const modelled = new Set(models.flatMap((model) => [model.module, ...(model.also ?? [])]));

/** The places of `sometimes` and `rowless` that were needed. */
const used = new Set();

/** Properties that every function has, or inherits. */
const OF_EVERY_FUNCTION = new Set([
  "length",
  "name",
  "prototype",
  "arguments",
  "caller",
  "toString",
]);

/** Names under which an ES module has its exports as a whole, or says that it was one. */
const WHOLE_MODULE = new Set(["default", "module.exports", "__esModule"]);

/** What objects inherit from needs no rows of the package. */
const ROOTS = new Set([Object, Function, Promise, Array, Error].map((it) => it.prototype));

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * A property of a value; none where it has no such property or reading it throws.
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
function property(value, name) {
  try {
    return isObject(value) ? Reflect.get(value, name) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether a property is no member: every function has it, it is an element of an array, or it is
 * private by its name.
 * @param {unknown} value
 * @param {string} name
 */
function isNoMember(value, name) {
  const isOfFunction = typeof value === "function" && OF_EVERY_FUNCTION.has(name);
  return isOfFunction || name === "constructor" || /^([_~]|\d+$)/.test(name);
}

/**
 * The names of the own members of a value.
 * @param {unknown} value
 */
function ownNames(value) {
  if (!isObject(value)) return [];
  return Object.getOwnPropertyNames(value).filter((name) => !isNoMember(value, name));
}

/**
 * The names of the members of an object, those that it inherits included.
 * @param {unknown} value
 */
function allNames(value) {
  const names = new Set();
  for (let it = value; isObject(it) && !ROOTS.has(it); it = Object.getPrototypeOf(it)) {
    for (const name of ownNames(it)) names.add(name);
  }
  return [...names].filter((name) => !isNoMember(value, name));
}

/**
 * Whether a list of a package names what is at `place`, or what that is in.
 * @param {"sometimes" | "rowless" | "untestable"} kind
 * @param {string} place
 */
function isListed(kind, place) {
  const [module = ""] = place.split("#");
  const entries = Object.values(packages[module]?.[kind] ?? {}).flat();
  const found = entries
    .map((entry) => `${module}#${entry}`)
    .find((entry) => place === entry || place.startsWith(`${entry}#`));
  if (found !== undefined) used.add(found);
  return found !== undefined;
}

/**
 * What is wrong with the rows for the members of a value.
 * @param {string} place where it is, as in `axios#interceptors`
 * @param {Rows} rows
 * @param {unknown[]} values it, on every way to it: one of them has to have each member
 * @param {string[]} names the names of the members that they have
 * @param {unknown[]} within what is not looked into again: what the value is a member of
 * @returns {string[]}
 */
function problems(place, rows, values, names, within) {
  return [...missing(place, rows, names), ...others(place, rows, values, names, within)];
}

/**
 * The members that have no row.
 * @param {string} place
 * @param {Rows} rows
 * @param {string[]} names
 * @returns {string[]}
 */
function missing(place, rows, names) {
  return names
    .filter((name) => !hasRow(rows, name))
    .map((name) => `${place}#${name}`)
    .filter((at) => !modelled.has(at) && !isListed("rowless", at))
    .map((at) => `${at} has no row`);
}

/**
 * What is wrong with the rows that there are.
 * @param {string} place
 * @param {Rows} rows
 * @param {unknown[]} values
 * @param {string[]} names
 * @param {unknown[]} within
 * @returns {string[]}
 */
function others(place, rows, values, names, within) {
  return Object.entries(rows).flatMap(([name, row]) => {
    const at = `${place}#${name}`;
    if (name.includes("*")) {
      // In a model of several modules a pattern need not stand for something in each.
      const isOfAny = name === "*" || place.includes("*") || names.some((it) => isFor(name, it));
      return isOfAny ? [] : [`${at} has a row, but the package has no such members`];
    }
    const having = values.filter((it) => isObject(it) && name in it);
    if (having.length === 0 && !names.includes(name)) {
      return isListed("sometimes", at) ? [] : [`${at} has a row, but the package does not have it`];
    }
    return problemsOfMember(at, row, having, name, within);
  });
}

/**
 * @param {string} at
 * @param {Row} row
 * @param {unknown[]} having the values that have the member
 * @param {string} name
 * @param {unknown[]} within
 * @returns {string[]}
 */
function problemsOfMember(at, row, having, name, within) {
  const members = having.map((it) => property(it, name)).filter((it) => it !== undefined);
  const isCalled = row.call !== undefined || row.construct !== undefined;
  if (isCalled && members.length > 0 && !members.some((it) => typeof it === "function")) {
    return [`${at} is no function`];
  }
  // What may do anything or is a constant stands for all that is in it, and the members of what
  // is of a type stand with the type.
  const isWhole = row.anything === true || row.constant === true || row.type !== undefined;
  const isElsewhere = modelled.has(at) && row.members === undefined;
  if (isWhole || isElsewhere) return [];
  const next = members.filter((it) => row.members !== undefined || !within.includes(it));
  return problems(at, row.members ?? {}, next, next.flatMap(ownNames), [...next, ...within]);
}

/**
 * @param {Rows} rows
 * @param {string} name
 */
function hasRow(rows, name) {
  return Object.hasOwn(rows, name) || Object.keys(rows).some((row) => isFor(row, name));
}

/**
 * The modules that a model is for.
 * @param {Model} model
 */
function specifiers(model) {
  const ways = packages[model.module]?.load ?? [model.module, ...(model.also ?? [])];
  return ways.filter((it) => !it.includes("#"));
}

/**
 * What `require` gives in CommonJS; nothing where a package is an ES module there too.
 * @param {string} specifier a module that has been imported
 * @returns {unknown}
 */
function ofCommonJs(specifier) {
  try {
    const file = require.resolve(specifier);
    const isImported = file === fileURLToPath(import.meta.resolve(specifier));
    return isImported ? require.cache[file]?.exports : require(specifier);
  } catch {
    return undefined;
  }
}

/**
 * What is wrong with the rows of a module, and of its default export.
 * @param {Model} model
 * @returns {Promise<string[]>}
 */
async function problemsOfModule(model) {
  const ways = specifiers(model);
  /** @type {Namespace[]} */
  const namespaces = await Promise.all(ways.map((it) => import(it)));
  const defaults = namespaces.map((it) => it.default).filter(isObject);
  // In CommonJS the module is the default export too, and has the members of both.
  const whole = ways.map(ofCommonJs).filter(isObject);
  const inner = (model.also ?? []).filter((it) => it.includes("#"));
  const found = inner.map((way) => ({ way, value: follow(way, [...namespaces, ...whole]) }));
  const absent = found.filter((it) => !isObject(it.value));
  whole.push(...found.map((it) => it.value).filter(isObject));
  const within = [...namespaces, ...defaults, ...whole];
  const exported = namespaces.flatMap(exportsOf);
  const ofModule = (model.default === undefined ? [...defaults, ...whole] : whole).flatMap(
    exportsOf,
  );
  const ofDefault = rowsOfDefault(model);
  return [
    ...absent.map((it) => `the package has no ${it.way}`),
    ...missing(model.module, model.members, exported),
    ...missing(model.module, { ...ofDefault, ...model.members }, ofModule),
    ...others(model.module, model.members, within, [...exported, ...ofModule], within),
    ...problemsOfDefault(model, defaults, within),
  ];
}

/**
 * What is wrong with the rows of a default export, where it has any of its own.
 * @param {Model} model
 * @param {object[]} defaults
 * @param {object[]} within
 * @returns {string[]}
 */
function problemsOfDefault(model, defaults, within) {
  if (model.default === undefined) return [];
  const place = `${model.module}#default`;
  const rows = rowsOfDefault(model);
  const names = defaults.flatMap(exportsOf);
  // The rows of a type are held against an object of the type.
  const found = model.default.type === undefined ? others(place, rows, within, names, within) : [];
  return [...missing(place, rows, names), ...found];
}

/**
 * The rows for what a default export has of its own.
 * @param {Model} model
 * @returns {Rows}
 */
function rowsOfDefault(model) {
  const { type, members = {} } = model.default ?? {};
  return type === undefined ? members : types.rows(model.module, type);
}

/**
 * What `module#member` leads to from one of several values.
 * @param {string} way
 * @param {unknown[]} values
 */
function follow(way, values) {
  const [, ...path] = way.split("#");
  return values.map((it) => path.reduce(property, it)).find(isObject);
}

/**
 * The names of the own members of a module.
 * @param {unknown} module
 */
function exportsOf(module) {
  return ownNames(module).filter((name) => !WHOLE_MODULE.has(name));
}

/**
 * What is wrong with the rows of a type.
 * @param {Model} model
 * @param {string} name
 * @returns {Promise<string[]>}
 */
async function problemsOfType(model, name) {
  const place = `${model.module}#${name}`;
  const listed = packages[model.module]?.objects?.[name];
  if (isListed("untestable", place)) {
    return listed === undefined ? [] : [`${place} is listed as untestable, but there is an object`];
  }
  if (listed === undefined) return [`npm-packages.json has no object of the type ${place}`];
  const module = await import(specifiers(model)[0] ?? "");
  const values = [listed].flat().map((it) => evaluate(it, module));
  const names = values.flatMap(allNames);
  const own = model.types?.[name]?.members ?? {};
  return [
    ...missing(place, types.rows(model.module, name), names),
    ...others(place, own, values, names, values),
  ];
}

/**
 * @param {string} expression
 * @param {Namespace} module
 * @returns {unknown}
 */
function evaluate(expression, module) {
  return new Function("m", "require", `return ${expression}`)(module, require);
}

/**
 * Fails with what was found, or only says so where this is not the Node that counts.
 * @param {import("node:test").TestContext} t
 * @param {string[]} found
 */
function report(t, found) {
  const all = [...new Set(found)];
  if (all.length > 0 && IS_REFERENCE) assert.fail(all.join("\n"));
  for (const problem of all) t.diagnostic(problem);
}

const isInstalled = existsSync(PACKAGES);

test("the packages are installed, at exact versions", () => {
  const remedy = "run `npm ci --ignore-scripts` in tests/models";
  assert(isInstalled, `tests/models/node_modules is missing: ${remedy}`);
  for (const [name, version] of Object.entries(manifest.dependencies)) {
    assert.match(version, /^\d+\.\d+\.\d+$/, `${name} is not pinned`);
    const file = new URL(`${name}/package.json`, PACKAGES);
    const installed = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : "none";
    assert.equal(installed, version, `${name} ${version} is not installed: ${remedy}`);
  }
});

for (const model of isInstalled ? models : []) {
  const { unloadable } = packages[model.module] ?? {};
  if (unloadable !== undefined) {
    test(`${model.file} is not checked`, { skip: unloadable }, () => {});
    continue;
  }
  test(`${model.file} has a row for every member, and no other`, async (t) => {
    const ofTypes = Object.keys(model.types ?? {}).map((name) => problemsOfType(model, name));
    report(t, [...(await problemsOfModule(model)), ...(await Promise.all(ofTypes)).flat()]);
  });
}

test("what rows refer to is there", () => {
  const unknown = models.flatMap((model) =>
    types.unknown(model).map((name) => `${model.module} refers to ${name}, which is no type`),
  );
  assert.deepEqual(unknown, []);
});

test("what npm-packages.json lists is needed", { skip: !isInstalled }, (t) => {
  const byModule = new Map(models.map((model) => [model.module, model]));
  const stale = Object.entries(packages).flatMap(([module, known]) => {
    const model = byModule.get(module);
    if (model === undefined) return [`there is no model of ${module}`];
    const ofTypes = [
      ...Object.keys(known.objects ?? {}),
      ...Object.values(known.untestable ?? {}).flat(),
    ];
    const rows = [known.sometimes, known.rowless].flatMap((it) => Object.values(it ?? {}).flat());
    return [
      ...ofTypes
        .filter((name) => model.types?.[name] === undefined)
        .map((name) => `${module} has no type ${name}`),
      ...rows
        .map((entry) => `${module}#${entry}`)
        .filter((place) => !used.has(place))
        .map((place) => `${place} is listed, but does not differ from its row`),
    ];
  });
  report(t, stale);
});
