// Stands between a program and a database: writes down what is asked, and holds the answers back.
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** @typedef {import("../record.mjs").Recorder} Recorder */
/** @typedef {import("../record.mjs").Request} Request */

/**
 * Understands the bytes of one connection.
 *
 * @typedef {object} Reader
 * @property {(bytes: Buffer) => string[]} asked the queries that are complete with these bytes
 * @property {(bytes: Buffer) => void} [answered] sees what the server sends
 */

/**
 * @param {number} port of the server
 * @param {Recorder} recorder
 * @param {() => Reader} newReader
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export async function openProxy(port, recorder, newReader) {
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => [client, upstream].forEach((end) => end.destroy()));
    }
    join(client, upstream, recorder, newReader());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { port: /** @type {import("node:net").AddressInfo} */ (server.address()).port, close };
}

/**
 * @param {import("node:net").Socket} client @param {import("node:net").Socket} upstream
 * @param {Recorder} recorder @param {Reader} reader
 */
function join(client, upstream, recorder, reader) {
  /** @type {Request[]} */
  let pending = [];
  let previous = Promise.resolve();
  client.on("data", (bytes) => {
    pending.push(...reader.asked(bytes).map((text) => recorder.see(text)));
    upstream.write(bytes);
  });
  upstream.on("data", (bytes) => {
    reader.answered?.(bytes);
    const answered = pending;
    pending = [];
    const held = delay(Math.max(0, ...answered.map((request) => request.delay)));
    previous = Promise.all([previous, held]).then(() => {
      for (const request of answered) recorder.answer(request);
      client.write(bytes);
    });
  });
}

/** Bytes of which messages are taken from the front as they become complete. */
export class Messages {
  #bytes = Buffer.alloc(0);

  /**
   * @template T
   * @param {Buffer} bytes what has come
   * @param {(bytes: Buffer) => { size: number, message: T } | undefined} take the first message of all
   *   that is there, and how many bytes it has; undefined while it is not complete
   * @returns {T[]}
   */
  add(bytes, take) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const messages = [];
    for (let taken = take(this.#bytes); taken; taken = take(this.#bytes)) {
      messages.push(taken.message);
      this.#bytes = this.#bytes.subarray(taken.size);
    }
    return messages;
  }
}
