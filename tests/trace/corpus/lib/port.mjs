// Ports on loopback, and waiting until a program listens on one.
import { get } from "node:http";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A port of 127.0.0.1 that nothing listens on. @returns {Promise<number>} */
export function freePort() {
  return new Promise((done, failed) => {
    const server = createServer().once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => done(port));
    });
  });
}

/**
 * The status that the address answers with, or 0 when nothing answers.
 * @param {string} url @returns {Promise<number>}
 */
function status(url) {
  return new Promise((done) => {
    const request = get(url, { agent: false, timeout: 5000 }, (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    request.on("error", () => done(0)).on("timeout", () => request.destroy());
  });
}

/**
 * Waits until the address answers with success or a redirect.
 * @param {string} url @param {number} [seconds]
 */
export async function answers(url, seconds = 90) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    const code = await status(url);
    if (code >= 200 && code < 400) return;
    await sleep(100);
  }
  throw new Error(`nothing answers at ${url} after ${seconds} seconds`);
}

/** Whether something listens on a port, whatever it speaks. @param {number} port */
function listensNow(port) {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true));
    socket.on("connect", () => socket.destroy()).on("error", () => done(false));
  });
}

/**
 * Waits until something listens on a port.
 * @param {number} port @param {number} [seconds]
 */
export async function listens(port, seconds = 30) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await listensNow(port)) return;
    await sleep(100);
  }
  throw new Error(`nothing listens on port ${port} after ${seconds} seconds`);
}
