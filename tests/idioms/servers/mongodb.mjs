// A stand-in for MongoDB, which Debian does not have: it speaks as much of the protocol as reads need.
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { BSON } from "mongodb";
import { Messages } from "./proxy.mjs";
import { ROWS } from "./rows.mjs";

const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** What the primary member of a set says of itself: only sets have transactions. */
const HELLO = {
  ok: 1,
  setName: "idioms",
  setVersion: 1,
  logicalSessionTimeoutMinutes: 30,
  helloOk: true,
  ismaster: true,
  isWritablePrimary: true,
  maxBsonObjectSize: 16777216,
  maxMessageSizeBytes: 48000000,
  maxWriteBatchSize: 100000,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
};
/** Commands of connections and transactions, which read nothing. */
const QUIET = [
  ...["hello", "ismaster", "isMaster", "ping"],
  ...["endSessions", "commitTransaction", "abortTransaction"],
];

/** @param {Buffer} bytes */
function takeMessage(bytes) {
  if (bytes.length < HEADER) return undefined;
  const size = bytes.readInt32LE(0);
  if (bytes.length < size) return undefined;
  const code = bytes.readInt32LE(12);
  return {
    size,
    message: { id: bytes.readInt32LE(4), code, command: commandIn(code, bytes, size) },
  };
}

/** @param {number} code @param {Buffer} bytes @param {number} size */
function commandIn(code, bytes, size) {
  if (code === OP_MSG) return BSON.deserialize(bytes.subarray(HEADER + 5, size));
  if (code !== OP_QUERY) throw new Error(`nobody speaks like ${code}`);
  const nameEnd = bytes.indexOf(0, HEADER + 4);
  return BSON.deserialize(bytes.subarray(nameEnd + 1 + 8, size));
}

/** @param {{ id: number, code: number }} question @param {object} reply @returns {Buffer} */
function encode({ id, code }, reply) {
  const document = BSON.serialize(reply);
  // A legacy question has flags, a cursor, a place and a count in front; a modern one flags and a kind.
  const front = Buffer.alloc(code === OP_QUERY ? 20 : 5);
  if (code === OP_QUERY) front.writeInt32LE(1, 16);
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + front.length + document.length, 0);
  header.writeInt32LE(id, 8);
  header.writeInt32LE(code === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  return Buffer.concat([header, front, document]);
}

/** @param {string} collection @param {object} filter whose fields all have to be the same */
function find(collection, filter) {
  const documents = ROWS.filter(([name]) => name === collection).map(([, [id, second, title]]) =>
    collection === "posts" ? { _id: id, author: second, title } : { _id: id, name: second },
  );
  return documents.filter((document) =>
    Object.entries(filter).every(([key, value]) => document[/** @type {"_id"} */ (key)] === value),
  );
}

/** @param {any} command @param {string[]} broken @param {string} host */
function reply(command, broken, host) {
  if (QUIET.includes(Object.keys(command)[0]))
    return { ...HELLO, hosts: [host], me: host, primary: host, localTime: new Date() };
  const { find: collection, filter } = command;
  if (collection === undefined || broken.includes(collection))
    return { ok: 0, code: 13, codeName: "Unauthorized", errmsg: `not allowed: ${text(command)}` };
  return {
    ok: 1,
    cursor: { id: BSON.Long.ZERO, ns: `test.${collection}`, firstBatch: find(collection, filter) },
  };
}

/** @param {any} command of which a driver's own numbers are left out */
const text = ({ find, filter, projection, limit }) =>
  JSON.stringify({ find, filter, projection, limit });

/** @param {string} _folder @param {import("../record.mjs").Recorder} recorder */
async function start(_folder, recorder) {
  let broken = /** @type {string[]} */ ([]);
  let host = "";
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    const messages = new Messages();
    socket.on("data", (bytes) => {
      for (const question of messages.add(bytes, takeMessage)) answer(socket, question);
    });
  });
  /** @param {import("node:net").Socket} socket @param {{ id: number, code: number, command: any }} question */
  async function answer(socket, question) {
    const { command } = question;
    const bytes = encode(question, reply(command, broken, host));
    if (!QUIET.includes(Object.keys(command)[0])) {
      const seen = recorder.see(text(command));
      await delay(seen.delay);
      recorder.answer(seen);
    }
    socket.write(bytes);
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  host = `127.0.0.1:${port}`;
  return {
    env: { MONGODB_URL: `mongodb://${host}/test` },
    fail: async (/** @type {string[]} */ parts) => void (broken = parts),
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @type {import("./index.mjs").Server} */
export default { needs: [], package: "", kind: "stand-in", start };
