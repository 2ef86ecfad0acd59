// The idioms: which server each program asks, and how its two requests are told apart.

/**
 * @typedef {object} Idiom
 * @property {string} server a name of servers/index.mjs
 * @property {[string, ...unknown[]]} call the function of the program, and its arguments
 * @property {string} first a part of the first request: what fails is named like this, too
 * @property {string} second
 * @property {(value: any) => unknown} [view] the part of the value that is the same in each run
 * @property {boolean} [inProcess] nothing is sent, so nothing can overlap
 */

/**
 * @typedef {object} Running
 * @property {Record<string, string>} env what the program reads
 * @property {(parts: string[]) => Promise<void>} fail makes requests of these fail, and no others
 * @property {() => Promise<void>} stop
 * @property {import("./record.mjs").Recorder} recorder
 */

/** @param {string} server @param {Partial<Idiom>} [rest] @returns {Idiom} */
const idiom = (server, rest) => ({
  server,
  call: ["page", 1],
  first: "users",
  second: "posts",
  ...rest,
});

const KEYS = { first: "user:", second: "posts:" };

/** @type {Record<string, Idiom>} */
export const idioms = {
  pg: idiom("postgres"),
  redis: idiom("redis", KEYS),
  ioredis: idiom("redis", KEYS),
  "fetch-then-json": idiom("garbled"),
};
