import { join } from "node:path";
import mysql from "mysql2/promise";
import { Messages, openProxy } from "./proxy.mjs";
import { freePort, handOver, prepare, startServer } from "./process.mjs";
import { inserts, tables } from "./rows.mjs";

const QUERY = 0x03;
const PREPARE = 0x16;
const EXECUTE = 0x17;

/** @param {Buffer} bytes three bytes of length, the place in the conversation, and the rest */
function takePacket(bytes) {
  if (bytes.length < 4) return undefined;
  const size = 4 + bytes.readUIntLE(0, 3);
  if (bytes.length < size) return undefined;
  return { size, message: { place: bytes[3], body: bytes.subarray(4, size) } };
}

/** Takes the queries out of what a client of MariaDB sends, plain ones and prepared ones. */
function newReader() {
  const messages = new Messages();
  const statements = new Map();
  /** @type {string[]} whose numbers the server is still to tell */
  const prepared = [];
  /** @param {{ place: number, body: Buffer }} packet a command is the first of a conversation */
  const query = ({ place, body }) => {
    if (place !== 0) return [];
    const text = body.toString("utf8", 1);
    if (body[0] === PREPARE) prepared.push(text);
    if (body[0] === QUERY) return [text];
    return body[0] === EXECUTE ? [statements.get(body.readUInt32LE(1))] : [];
  };
  /** @param {Buffer} bytes the answer to a statement that is prepared begins with its number, if it is good */
  const answered = (bytes) => {
    const text = prepared.shift();
    if (text !== undefined && bytes[4] === 0) statements.set(bytes.readUInt32LE(5), text);
  };
  return {
    asked: (/** @type {Buffer} */ bytes) => messages.add(bytes, takePacket).flatMap(query),
    answered,
  };
}

/** @param {number} port @param {string[]} statements */
async function run(port, statements) {
  const connection = await mysql.createConnection({ host: "127.0.0.1", port, user: "idioms" });
  for (const statement of statements) await connection.query(statement);
  await connection.end();
}

/** @returns {string[]} */
function fill() {
  const create = tables().map(({ name, columns }) => `CREATE TABLE test.${name} (${columns})`);
  return ["CREATE DATABASE IF NOT EXISTS test", ...create, ...inserts("test.")];
}

/** @param {string} folder @param {number} port */
function options(folder, port) {
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  return [`--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, "--bind-address=127.0.0.1"];
}

/** @param {string} folder @param {import("../record.mjs").Recorder} recorder */
async function start(folder, recorder) {
  handOver(folder);
  const data = `--datadir=${join(folder, "data")}`;
  prepare(
    "mariadb-install-db",
    ["--no-defaults", data, "--auth-root-authentication-method=normal"],
    folder,
  );
  const port = await freePort();
  const args = [
    "--no-defaults",
    ...options(folder, port),
    "--skip-grant-tables",
    "--skip-networking=0",
  ];
  const end = await startServer("mariadbd", args, folder, () => run(port, fill()));
  const proxy = await openProxy(port, recorder, newReader);
  let gone = /** @type {string[]} */ ([]);
  return {
    env: { MYSQL_PORT: `${proxy.port}` },
    /** @param {string[]} parts tables that are not there any more; all others are */
    fail: async (parts) => {
      const back = gone.map((name) => `RENAME TABLE test.${name}_gone TO test.${name}`);
      const away = parts.map((name) => `RENAME TABLE test.${name} TO test.${name}_gone`);
      await run(port, [...back, ...away]);
      gone = parts;
    },
    stop: async () => {
      proxy.close();
      await end();
    },
  };
}

/** @type {import("./index.mjs").Server} */
export default {
  needs: ["mariadb-install-db", "mariadbd"],
  package: "mariadb-server",
  kind: "real server",
  start,
};
