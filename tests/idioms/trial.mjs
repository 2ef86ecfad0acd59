// Runs one program in a process of its own, several times: as it should go, and with requests that fail.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** @typedef {import("./idioms.mjs").Idiom} Idiom */
/** @typedef {import("./record.mjs").Request} Request */

/**
 * @typedef {object} Run
 * @property {string} [value] what the program gave, as JSON
 * @property {string} [error] what it threw instead
 * @property {number} ms
 * @property {string[]} unhandled errors that nobody met
 * @property {string[]} lines what it printed
 * @property {Request[]} requests
 */

/** @typedef {"all well" | "second fails" | "first fails" | "both fail"} Scenario */

/**
 * Of each scenario, but for those in which one fails alone, if both only fail together.
 *
 * @typedef {Record<Scenario, Run>} Runs
 */

/** @type {Record<Scenario, ("first" | "second")[]>} */
const FAILING = {
  "all well": [],
  "second fails": ["second"],
  "first fails": ["first"],
  "both fail": ["first", "second"],
};

/** Runs at the same time, so that a pool has its connections before anything is counted. */
const WARM_UPS = 4;
const LIMIT_MS = 30_000;

/**
 * @param {string} name of the idiom @param {Idiom} idiom
 * @param {string} file the program, as JavaScript
 * @param {import("./idioms.mjs").Running} server
 * @returns {Promise<Runs>}
 */
export async function observe(name, idiom, file, server) {
  const program = await startProgram(name, file, server);
  const runs = /** @type {Runs} */ ({});
  try {
    await Promise.all(Array.from({ length: WARM_UPS }, () => program.run()));
    for (const [scenario, parts] of scenarios(idiom)) {
      await server.fail(parts);
      server.recorder.restart(idiom.first);
      const run = await program.run();
      runs[scenario] = { ...run, requests: [...server.recorder.requests] };
    }
  } finally {
    program.end();
    await server.fail([]);
  }
  return runs;
}

/** @param {Idiom} idiom @returns {[Scenario, string[]][]} each with what fails in it */
function scenarios(idiom) {
  const breaks = idiom.breaks ?? idiom;
  if (breaks.first === breaks.second)
    return [
      ["all well", []],
      ["both fail", [breaks.first]],
    ];
  return Object.entries(FAILING).map(([scenario, parts]) => [
    /** @type {Scenario} */ (scenario),
    parts.map((part) => breaks[part]),
  ]);
}

/** @param {string} name @param {string} file @param {import("./idioms.mjs").Running} server */
async function startProgram(name, file, server) {
  const child = fork(fileURLToPath(new URL("child.mjs", import.meta.url)), [file, name], {
    env: { ...process.env, ...server.env },
    // The client of Supabase wants it to be there, which it is in newer versions of Node.js.
    execArgv: ["--experimental-websocket"],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let said = "";
  child.stderr?.on("data", (text) => (said = (said + text).slice(-3000)));
  const ended = once(child, "exit").then(() => {
    throw new Error(`the program has ended: ${said}`);
  });
  ended.catch(() => {});
  child.on("message", (/** @type {any} */ message) => {
    if (message.query) server.recorder.answer(server.recorder.see(message.query));
  });
  let lastId = 0;
  /** @param {number} id @returns {Promise<any>} */
  const answerTo = (id) => Promise.race([messageWith(child, id), ended, tooLate(() => said)]);
  await answerTo(0);
  return {
    run: () => {
      const id = ++lastId;
      child.send({ id });
      return answerTo(id);
    },
    end: () => child.disconnect(),
  };
}

/** @param {import("node:child_process").ChildProcess} child @param {number} id */
function messageWith(child, id) {
  return new Promise((resolve) => {
    const listen = (/** @type {any} */ message) => {
      if (message.id !== id) return;
      child.off("message", listen);
      resolve(message);
    };
    child.on("message", listen);
  });
}

/** @param {() => string} said @returns {Promise<never>} */
async function tooLate(said) {
  await delay(LIMIT_MS, undefined, { ref: false });
  throw new Error(`no answer from the program; it said: ${said()}`);
}
