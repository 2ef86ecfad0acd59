// Runs one program in a process of its own, several times: as it should go, and with requests that fail.
import { fork } from "node:child_process";
import { once } from "node:events";
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
 * @returns {Promise<Record<Scenario, Run>>}
 */
export async function observe(name, idiom, file, server) {
  const program = await startProgram(name, file, server);
  const runs = /** @type {Record<Scenario, Run>} */ ({});
  try {
    await Promise.all(Array.from({ length: WARM_UPS }, () => program.run()));
    for (const [scenario, parts] of Object.entries(FAILING)) {
      await server.fail(parts.map((part) => idiom[part]));
      server.recorder.restart(idiom.first);
      const run = await program.run();
      runs[/** @type {Scenario} */ (scenario)] = { ...run, requests: server.recorder.requests };
    }
  } finally {
    program.end();
    await server.fail([]);
  }
  return runs;
}

/** @param {string} name @param {string} file @param {import("./idioms.mjs").Running} server */
async function startProgram(name, file, server) {
  const child = fork(fileURLToPath(new URL("child.mjs", import.meta.url)), [file, name], {
    env: { ...process.env, ...server.env },
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
function tooLate(said) {
  return new Promise((_, reject) => {
    const fail = () => reject(new Error(`no answer from the program; it said: ${said()}`));
    setTimeout(fail, LIMIT_MS).unref();
  });
}
