// Runs in a process of its own: one program of an idiom, before or after the rewrite.
import { pathToFileURL } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { idioms } from "./idioms.mjs";

/** Time for a second request to be answered, and for its error to be seen by nobody. */
const SETTLE_MS = 100;

const [file, name] = process.argv.slice(2);
const { call, view } = idioms[name];
/** @type {string[]} */
const unhandled = [];
/** @type {string[]} */
const lines = [];
process.on("unhandledRejection", (error) => unhandled.push(String(error)));
process.on("disconnect", () => process.exit());
console.log = (...values) =>
  void lines.push(values.filter((value) => typeof value === "string").join(" "));

if (process.env.IDIOMS_PROBE === "sqlite") await import("./servers/sqlite-probe.mjs");
const program = await import(pathToFileURL(file).href);

/** What the run gives or throws, as a text that can be compared. */
async function outcome() {
  const [entry, ...args] = call;
  try {
    const value = await program[entry](...args);
    return { value: JSON.stringify(view ? await view(value) : value, showUndefined) };
  } catch (error) {
    return { error: describe(error) };
  }
}

/** @param {string} _key @param {unknown} value */
const showUndefined = (_key, value) => (value === undefined ? "(undefined)" : value);

/** @param {any} error */
function describe(error) {
  const { name: kind, message, code, cause } = error;
  const reason = cause instanceof Error ? ` because of ${cause.name}: ${cause.message}` : "";
  return `${kind} ${code ?? ""} ${message}${reason}`;
}

/** @param {{ id: number }} message */
async function run({ id }) {
  unhandled.length = 0;
  lines.length = 0;
  const begun = performance.now();
  const result = await outcome();
  const ms = performance.now() - begun;
  await delay(SETTLE_MS);
  process.send?.({ id, ...result, ms, unhandled: [...unhandled], lines: [...lines].sort() });
}

process.on("message", run);
process.send?.({ id: 0 });
