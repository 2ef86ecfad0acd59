// Every member of a modelled module has a row, and every row has a member: the models beside the
// modules of the Node that runs this. The same holds for the types of the language and of the web
// platform, beside the prototypes of their classes.
import assert from "node:assert/strict";
import { isBuiltin } from "node:module";
import { test } from "node:test";
import { IS_REFERENCE, modelsIn } from "./rows.mjs";

/**
 * @typedef {import("./rows.mjs").Row} Row
 * @typedef {import("./rows.mjs").Rows} Members
 * @typedef {{ prototype: object, sample?: object }} Instances
 */

/**
 * What has a row although older versions of Node do not have it, and a version that certainly has:
 * where something came to several lines of releases, the first of the last line. A `*` at the end
 * stands for any more of a name.
 */
const NEWER = new Map([
  ["assert#Assert", "25.0.0"],
  ["assert#partialDeepStrictEqual", "24.0.0"],
  ["crypto#argon2", "25.0.0"],
  ["crypto#argon2Sync", "25.0.0"],
  ["crypto#decapsulate", "25.0.0"],
  ["crypto#encapsulate", "25.0.0"],
  ["crypto#randomUUIDv7", "27.0.0"],
  ["dns#resolveTlsa", "24.0.0"],
  ["dns/promises#resolveTlsa", "24.0.0"],
  ["ecmascript#ArrayBuffer#detached", "22.0.0"],
  ["ecmascript#ArrayBuffer#transfer", "22.0.0"],
  ["ecmascript#ArrayBuffer#transferToFixedLength", "22.0.0"],
  ["ecmascript#DataView#getFloat16", "24.0.0"],
  ["ecmascript#DataView#setFloat16", "24.0.0"],
  ["ecmascript#Float16Array", "24.0.0"],
  ["ecmascript#Generator#drop", "22.0.0"],
  ["ecmascript#Generator#every", "22.0.0"],
  ["ecmascript#Generator#filter", "22.0.0"],
  ["ecmascript#Generator#find", "22.0.0"],
  ["ecmascript#Generator#flatMap", "22.0.0"],
  ["ecmascript#Generator#forEach", "22.0.0"],
  ["ecmascript#Generator#map", "22.0.0"],
  ["ecmascript#Generator#reduce", "22.0.0"],
  ["ecmascript#Generator#some", "22.0.0"],
  ["ecmascript#Generator#take", "22.0.0"],
  ["ecmascript#Generator#toArray", "22.0.0"],
  ["ecmascript#Iterator#drop", "22.0.0"],
  ["ecmascript#Iterator#every", "22.0.0"],
  ["ecmascript#Iterator#filter", "22.0.0"],
  ["ecmascript#Iterator#find", "22.0.0"],
  ["ecmascript#Iterator#flatMap", "22.0.0"],
  ["ecmascript#Iterator#forEach", "22.0.0"],
  ["ecmascript#Iterator#map", "22.0.0"],
  ["ecmascript#Iterator#reduce", "22.0.0"],
  ["ecmascript#Iterator#some", "22.0.0"],
  ["ecmascript#Iterator#take", "22.0.0"],
  ["ecmascript#Iterator#toArray", "22.0.0"],
  ["ecmascript#Locale#firstDayOfWeek", "24.0.0"],
  ["ecmascript#Locale#get*", "24.0.0"],
  ["ecmascript#Set#difference", "22.0.0"],
  ["ecmascript#Set#intersection", "22.0.0"],
  ["ecmascript#Set#isDisjointFrom", "22.0.0"],
  ["ecmascript#Set#isSubsetOf", "22.0.0"],
  ["ecmascript#Set#isSupersetOf", "22.0.0"],
  ["ecmascript#Set#symmetricDifference", "22.0.0"],
  ["ecmascript#Set#union", "22.0.0"],
  ["ecmascript#Uint8Array#setFromBase64", "25.0.0"],
  ["ecmascript#Uint8Array#setFromHex", "25.0.0"],
  ["ecmascript#Uint8Array#toBase64", "25.0.0"],
  ["ecmascript#Uint8Array#toHex", "25.0.0"],
  ["fs#Utf8Stream", "25.0.0"],
  ["fs#glob", "22.0.0"],
  ["fs#globSync", "22.0.0"],
  ["fs#mkdtempDisposableSync", "25.0.0"],
  ["fs/promises#glob", "22.0.0"],
  ["fs/promises#mkdtempDisposable", "25.0.0"],
  ["globals#Array#fromAsync", "22.0.0"],
  ["globals#AsyncDisposableStack", "24.0.0"],
  ["globals#Atomics#pause", "24.0.0"],
  ["globals#CloseEvent", "23.0.0"],
  ["globals#DisposableStack", "24.0.0"],
  ["globals#Error#isError", "24.0.0"],
  ["globals#ErrorEvent", "25.0.0"],
  ["globals#Float16Array", "24.0.0"],
  ["globals#Intl#DurationFormat", "23.0.0"],
  ["globals#Iterator", "22.0.0"],
  ["globals#JSON#isRawJSON", "21.0.0"],
  ["globals#JSON#rawJSON", "21.0.0"],
  ["globals#Map#groupBy", "21.0.0"],
  ["globals#Math#f16round", "24.0.0"],
  ["globals#Navigator", "21.0.0"],
  ["globals#Object#groupBy", "21.0.0"],
  ["globals#Promise#try", "23.0.0"],
  ["globals#Promise#withResolvers", "22.0.0"],
  ["globals#RegExp#escape", "24.0.0"],
  ["globals#SuppressedError", "24.0.0"],
  ["globals#URLPattern", "24.0.0"],
  ["globals#Uint8Array#fromBase64", "25.0.0"],
  ["globals#Uint8Array#fromHex", "25.0.0"],
  ["globals#WebSocket", "22.0.0"],
  ["globals#navigator", "21.0.0"],
  ["globals#navigator#locks", "25.0.0"],
  ["http#CloseEvent", "24.0.0"],
  ["http#MessageEvent", "24.0.0"],
  ["http#WebSocket", "24.0.0"],
  ["http#setGlobalProxyFromEnv", "26.0.0"],
  ["net#BlockList#isBlockList", "24.0.0"],
  ["net#BoundSocket", "27.0.0"],
  ["net#SocketAddress#parse", "24.0.0"],
  ["perf_hooks#eventLoopUtilization", "26.0.0"],
  ["perf_hooks#timerify", "26.0.0"],
  ["process#execve", "24.0.0"],
  ["process#features#typescript", "24.0.0"],
  ["process#finalization", "24.0.0"],
  ["process#ref", "24.0.0"],
  ["process#report#excludeEnv", "24.0.0"],
  ["process#threadCpuUsage", "25.0.0"],
  ["process#unref", "24.0.0"],
  ["tls#getCACertificates", "24.0.0"],
  ["tls#getCertificateCompressionAlgorithms", "27.0.0"],
  ["tls#setDefaultCACertificates", "25.0.0"],
  ["url#URLPattern", "24.0.0"],
  ["url#fileURLToPathBuffer", "25.0.0"],
  ["util#MIMEType#parse", "27.0.0"],
  ["util#convertProcessSignalToExitCode", "26.0.0"],
  ["util#diff", "24.0.0"],
  ["util#getCallSites", "23.0.0"],
  ["util#getSystemErrorMessage", "24.0.0"],
  ["util#setTraceSigInt", "25.0.0"],
  ["util/types#isFloat16Array", "24.0.0"],
  ["web#WebSocket", "22.0.0"],
  ["worker_threads#isInternalThread", "24.0.0"],
  ["worker_threads#isMarkedAsUntransferable", "21.0.0"],
  ["worker_threads#locks", "25.0.0"],
  ["worker_threads#markAsUncloneable", "23.0.0"],
  ["worker_threads#threadName", "25.0.0"],
  ["zlib#ZstdCompress", "24.0.0"],
  ["zlib#ZstdDecompress", "24.0.0"],
  ["zlib#constants#ZSTD_*", "24.0.0"],
  ["zlib#createZstdCompress", "24.0.0"],
  ["zlib#createZstdDecompress", "24.0.0"],
  ["zlib#zstdCompress", "24.0.0"],
  ["zlib#zstdCompressSync", "24.0.0"],
  ["zlib#zstdDecompress", "24.0.0"],
  ["zlib#zstdDecompressSync", "24.0.0"],
]);

/** What has a row although it is only there under a condition. */
const SOMETIMES = new Set([
  // A flag of the command line, in some versions.
  "globals#EventSource",
  "globals#Storage",
  "globals#localStorage",
  "globals#sessionStorage",
  "web#Storage",
  "process#_eval",
  "process#noDeprecation",
  "process#permission",
  "process#throwDeprecation",
  "process#traceDeprecation",
  "process#traceProcessWarnings",
  // A parent that talks to the process.
  "process#channel",
  "process#connected",
  "process#disconnect",
  "process#send",
  // A CommonJS module as what is run.
  "process#mainModule",
  // Only Node 22 and 23.
  "util#getCallSite",
]);

/** What has a row although only browsers have it. */
const BROWSER = new Set([
  "globals#IDBKeyRange",
  "globals#XMLHttpRequest",
  "globals#alert",
  "globals#caches",
  "globals#cancelAnimationFrame",
  "globals#cancelIdleCallback",
  "globals#confirm",
  "globals#document",
  "globals#history",
  "globals#indexedDB",
  "globals#location",
  "globals#prompt",
  "globals#requestAnimationFrame",
  "globals#requestIdleCallback",
  "globals#self",
  "globals#window",
  "web#File#webkitRelativePath",
]);

/** Models of types alone: no module is loaded for them, but classes are looked up. */
const OF_TYPES = new Set(["ecmascript", "web"]);

/** Types of these models that nothing in Node can be held against, and why. */
const UNTESTABLE = new Map([
  ["web#Cache", "Node does not offer the cache of a browser"],
  ["web#CacheStorage", "Node does not offer the cache of a browser"],
  ["web#IDBCursor", "Node has no IndexedDB"],
  ["web#IDBCursorWithValue", "Node has no IndexedDB"],
  ["web#IDBDatabase", "Node has no IndexedDB"],
  ["web#IDBFactory", "Node has no IndexedDB"],
  ["web#IDBIndex", "Node has no IndexedDB"],
  ["web#IDBKeyRange", "Node has no IndexedDB"],
  ["web#IDBObjectStore", "Node has no IndexedDB"],
  ["web#IDBOpenDBRequest", "Node has no IndexedDB"],
  ["web#IDBRequest", "Node has no IndexedDB"],
  ["web#IDBTransaction", "Node has no IndexedDB"],
]);

/**
 * The objects that are of the same kind as a sample, which may have members of its own.
 * @param {object} sample
 * @returns {Instances}
 */
const like = (sample) => ({ prototype: Object.getPrototypeOf(sample), sample });

/**
 * What calls of a generator function return.
 * @param {{ prototype: object }} generator
 * @returns {Instances}
 */
const ofFunction = (generator) => ({ prototype: Object.getPrototypeOf(generator.prototype) });

/**
 * The objects of types that have no global class of their name, or more than the prototype of
 * their class shows.
 * @type {Map<string, () => Instances>}
 */
const INSTANCES = new Map([
  ["ecmascript#AsyncGenerator", () => ofFunction(async function* () {})],
  ["ecmascript#Error", () => like(new Error("", { cause: 0 }))],
  ["ecmascript#Function", () => like(() => {})],
  ["ecmascript#Generator", () => ofFunction(function* () {})],
  ["ecmascript#Iterator", () => like([].values())],
  ["ecmascript#PlainObject", () => like({})],
  ["ecmascript#PromiseResolve", () => like(() => {})],
  // What `Promise.withResolvers` returns.
  ["ecmascript#PromiseResolvers", () => like({ promise: 0, reject: 0, resolve: 0 })],
  ["ecmascript#RegExp", () => like(/(?:)/)],
  ["ecmascript#Segments", () => like(new Intl.Segmenter().segment(""))],
  ["ecmascript#TypedArray", () => ({ prototype: Object.getPrototypeOf(Uint8Array.prototype) })],
  ["web#MessageChannel", () => like(new MessageChannel())],
]);

/** Properties of functions that are none of their own; Node itself needs the last. */
const OF_EVERY_FUNCTION = new Set([
  "length",
  "name",
  "prototype",
  "arguments",
  "caller",
  "withoutStackTrace",
]);

/** Names under which an ES module has its CommonJS exports as a whole. */
const WHOLE_MODULE = new Set(["default", "module.exports"]);

const models = modelsIn("");

/** Every specifier or `module#member` that a model is for. */
const modelled = new Set(models.flatMap((model) => [model.module, ...(model.also ?? [])]));

/**
 * Whether an entry of the lists above is about `place`: it, or what it is in.
 * @param {string} entry
 * @param {string} place
 */
function isAbout(entry, place) {
  if (entry.endsWith("*")) return place.startsWith(entry.slice(0, -1));
  return place === entry || place.startsWith(`${entry}#`);
}

/**
 * Whether what is at `place` need not be there: it came with a later version or depends on a
 * condition.
 * @param {string} place
 */
function mayBeAbsent(place) {
  const isTooNew = [...NEWER].some(
    ([entry, version]) => isAbout(entry, place) && isOlder(process.versions.node, version),
  );
  const others = [...SOMETIMES, ...BROWSER];
  return isTooNew || others.some((entry) => isAbout(entry, place));
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  const numbers = than.split(".").map(Number);
  const [difference = 0] = version
    .split(".")
    .map((part, index) => parseInt(part, 10) - (numbers[index] ?? 0))
    .filter((it) => it !== 0);
  return difference < 0;
}

/**
 * @param {unknown} value
 * @returns {value is object}
 */
function isObject(value) {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/**
 * The names of the own properties of a value.
 * @param {unknown} value
 */
function ownNames(value) {
  if (!isObject(value)) return [];
  const names = Object.getOwnPropertyNames(value);
  return typeof value === "function" ? names.filter((it) => !OF_EVERY_FUNCTION.has(it)) : names;
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
 * What a specifier or `module#member` leads to, and the names of its members; none where this Node
 * does not have it.
 * @param {string} place
 * @returns {Promise<{ value: object, names: string[] } | undefined>}
 */
async function load(place) {
  const [specifier = "", ...path] = place.split("#");
  const namespace = specifier === "globals" ? undefined : await importBuiltin(specifier);
  const start = specifier === "globals" ? globalThis : namespace?.default;
  const value = path.reduce(property, /** @type {unknown} */ (start));
  if (!isObject(value)) return undefined;
  const exported = path.length === 0 ? ownNames(namespace) : [];
  const names = [...ownNames(value), ...exported.filter((it) => !WHOLE_MODULE.has(it))];
  return { value, names };
}

/**
 * @param {string} specifier
 * @returns {Promise<{ default: unknown } | undefined>}
 */
async function importBuiltin(specifier) {
  return isBuiltin(`node:${specifier}`) ? import(`node:${specifier}`) : undefined;
}

/**
 * What is wrong with the rows for the members of `value`.
 * @param {string} place where `value` is, as in `fs#promises`
 * @param {Members} members the rows
 * @param {string[]} names the names of the members that `value` has
 * @param {unknown[]} within `value`, and what is not looked into again: what it is a member of
 * @returns {string[]}
 */
function problems(place, members, names, within) {
  const [value] = within;
  const missing = [...new Set(names)]
    .map((name) => ({ name, at: `${place}#${name}` }))
    .filter(({ name, at }) => !Object.hasOwn(members, name) && !modelled.has(at))
    .map(({ at }) => `${at} has no row`);
  const others = Object.entries(members).flatMap(([name, row]) => {
    const at = `${place}#${name}`;
    // What a value inherits may have a row, but needs none.
    if (!isObject(value) || !(names.includes(name) || name in value)) {
      return mayBeAbsent(at) ? [] : [`${at} has a row, but this Node does not have it`];
    }
    const member = property(value, name);
    // What may do anything or is a constant stands for all that is in it, and the members of what
    // is of a type stand with the type.
    const isWhole =
      row.anything === true ||
      row.constant === true ||
      row.type !== undefined ||
      within.includes(member);
    const isElsewhere = modelled.has(at) && row.members === undefined;
    if (isWhole || isElsewhere) return [];
    return problems(at, row.members ?? {}, ownNames(member), [member, ...within]);
  });
  return [...missing, ...others];
}

/**
 * The objects of a type of the language or of the web platform; none where this Node has no such
 * class.
 * @param {string} place
 * @returns {Instances | undefined}
 */
function instances(place) {
  const known = INSTANCES.get(place);
  if (known !== undefined) return known();
  const name = place.split("#")[1] ?? "";
  const prototypes = [globalThis, Intl].map((it) => property(property(it, name), "prototype"));
  const prototype = prototypes.find(isObject);
  return prototype && { prototype };
}

/**
 * The names of the members of the objects of a type that those of `base` do not have.
 * @param {object} prototype
 * @param {object | undefined} base
 * @returns {string[]}
 */
function ownMembers(prototype, base) {
  if (prototype === base) return [];
  const next = Object.getPrototypeOf(prototype);
  // `constructor` is a member of every object.
  const names = Object.getOwnPropertyNames(prototype).filter((it) => it !== "constructor");
  return next === null ? names : [...names, ...ownMembers(next, base)];
}

/**
 * What is wrong with the rows for the members of a type.
 * @param {string} place the type, as in `web#Response`
 * @param {Row} row
 * @returns {string[]}
 */
function problemsOfType(place, row) {
  const found = instances(place);
  if (found === undefined) {
    return UNTESTABLE.has(place) || mayBeAbsent(place) ? [] : [`this Node has no ${place}`];
  }
  if (UNTESTABLE.has(place)) return [`${place} is listed as untestable, but this Node has it`];
  const { prototype, sample } = found;
  const [specifier] = place.split("#");
  const base = row.extends?.includes("#") === false ? `${specifier}#${row.extends}` : row.extends;
  const names = ownMembers(prototype, base === undefined ? undefined : instances(base)?.prototype);
  const rows = row.members ?? {};
  const missing = names.filter((name) => name !== "constructor" && !Object.hasOwn(rows, name));
  const others = Object.keys(rows).filter(
    (name) => !(keyOf(name) in (sample ?? prototype)) && !mayBeAbsent(`${place}#${name}`),
  );
  return [
    ...missing.map((name) => `${place}#${name} has no row`),
    ...others.map((name) => `${place}#${name} has a row, but this Node does not have it`),
  ];
}

/**
 * The key that a row is about: `@@iterator` stands for the symbol.
 * @param {string} name
 * @returns {string | symbol}
 */
function keyOf(name) {
  if (!name.startsWith("@@")) return name;
  return /** @type {symbol} */ (Reflect.get(Symbol, name.slice(2)));
}

/**
 * The places of rows, as in `NEWER`.
 * @param {string} place
 * @param {Members} members
 * @returns {string[]}
 */
function places(place, members) {
  return Object.entries(members).flatMap(([name, row]) => {
    const at = `${place}#${name}`;
    return [at, ...places(at, row.members ?? {})];
  });
}

/**
 * Fails with all that was found: a comparison of lists would leave out most of a long one.
 * @param {string[]} found
 */
function assertNone(found) {
  if (found.length > 0) assert.fail([...new Set(found)].join("\n"));
}

// Loading a module may add to these two: they are looked at as they are without it.
const first = ["globals", "process"];
const inOrder = [
  ...models.filter((it) => first.includes(it.module)),
  ...models.filter((it) => !first.includes(it.module)),
];

/**
 * Fails with what was found, or only says so where this is not the Node that counts: a member
 * without a row may do anything, so a newer Node is not misjudged, only less known.
 * @param {import("node:test").TestContext} t
 * @param {string[]} found
 */
function report(t, found) {
  if (IS_REFERENCE) return assertNone(found);
  for (const problem of new Set(found)) t.diagnostic(problem);
}

for (const model of inOrder.filter((it) => !OF_TYPES.has(it.module))) {
  test(`${model.file} has a row for every member, and no other`, async (t) => {
    const ways = [model.module, ...(model.also ?? [])];
    const loaded = await Promise.all(ways.map(load));
    const values = loaded.map((it) => it?.value);
    const found = loaded.flatMap((it, index) => {
      const way = ways[index] ?? "";
      if (it === undefined) return mayBeAbsent(way) ? [] : [`this Node has no ${way}`];
      // Every way leads to members of the same names, and perhaps to another way again.
      return problems(model.module, model.members, it.names, [it.value, ...values]);
    });
    report(t, found);
  });
}

for (const model of models.filter((it) => OF_TYPES.has(it.module))) {
  test(`the types of ${model.file} have a row for every member, and no other`, (t) => {
    const types = Object.entries(model.types ?? {});
    report(
      t,
      types.flatMap(([name, row]) => problemsOfType(`${model.module}#${name}`, row)),
    );
  });
}

test("what may be absent has a row", () => {
  const rows = models.flatMap((it) => [
    it.module,
    ...places(it.module, it.members),
    ...(OF_TYPES.has(it.module) ? places(it.module, it.types ?? {}) : []),
  ]);
  const entries = [
    ...NEWER.keys(),
    ...SOMETIMES,
    ...BROWSER,
    ...UNTESTABLE.keys(),
    ...INSTANCES.keys(),
  ];
  const stale = entries.filter((entry) => !rows.some((place) => isAbout(entry, place)));
  assertNone(stale.map((entry) => `${entry} is listed in this test, but has no row`));
});
