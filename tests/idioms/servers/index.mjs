import * as apis from "./apis.mjs";
import clickhouse from "./clickhouse.mjs";
import mariadb from "./mariadb.mjs";
import mongodb from "./mongodb.mjs";
import postgres from "./postgres.mjs";
import redis from "./redis.mjs";
import sqlite from "./sqlite.mjs";

/**
 * @typedef {object} Server
 * @property {string[]} needs programs
 * @property {string} package of Debian, which has them
 * @property {"real server" | "stand-in" | "in the process"} kind
 * @property {(folder: string, recorder: import("../record.mjs").Recorder) =>
 *   Promise<Omit<import("../idioms.mjs").Running, "recorder">>} start
 */

/** @type {Record<string, Server>} */
export const servers = { clickhouse, mariadb, mongodb, postgres, redis, sqlite, ...apis };
