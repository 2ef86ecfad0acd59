import * as apis from "./apis.mjs";
import postgres from "./postgres.mjs";
import redis from "./redis.mjs";

/**
 * @typedef {object} Server
 * @property {string[]} needs programs
 * @property {string} package of Debian, which has them
 * @property {boolean} isReal it is the server itself, no stand-in
 * @property {(folder: string, recorder: import("../record.mjs").Recorder) =>
 *   Promise<Omit<import("../idioms.mjs").Running, "recorder">>} start
 */

/** @type {Record<string, Server>} */
export const servers = { postgres, redis, ...apis };
