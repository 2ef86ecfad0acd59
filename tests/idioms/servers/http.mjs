// Servers that are asked by HTTP: small ones of our own, and one that stands before a real one.
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** @typedef {import("../record.mjs").Recorder} Recorder */

/**
 * @typedef {object} Question
 * @property {string} method
 * @property {string} url path and query
 * @property {import("node:http").IncomingHttpHeaders} headers
 * @property {string} body
 * @property {string} text what the recorder notes
 */

/** @typedef {{ status?: number, type?: string, body: string } | "hang up"} Answer */

/**
 * @param {Recorder} recorder
 * @param {(question: Question) => Answer | Promise<Answer>} answer
 * @returns {Promise<{ port: number, close: () => void }>}
 */
export async function openHttp(recorder, answer) {
  const server = createServer(async (request, response) => {
    const question = await read(request);
    const seen = recorder.see(question.text);
    const [reply] = await Promise.all([answer(question), delay(seen.delay)]);
    recorder.answer(seen);
    if (reply === "hang up") return void response.destroy();
    response.writeHead(reply.status ?? 200, { "content-type": reply.type ?? "application/json" });
    response.end(reply.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: /** @type {import("node:net").AddressInfo} */ (server.address()).port, close };
}

/** Numbers that a client makes up for each request. */
const MADE_UP = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** @param {import("node:http").IncomingMessage} request @returns {Promise<Question>} */
async function read(request) {
  const { method = "GET", url = "/", headers } = request;
  const body = (await request.toArray()).join("");
  const text = [method, url, body].filter(Boolean).join(" ").replace(MADE_UP, "ID");
  return { method, url, headers, body, text };
}
