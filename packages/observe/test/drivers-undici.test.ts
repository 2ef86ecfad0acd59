import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { COUNT, NODE, observed, of, program } from "./made.js";

const HALF = COUNT / 2;

/** A server that takes its time, sends those who ask for `/moved` elsewhere, and fails at first where it is asked for `/flaky`. */
async function server(): Promise<{ readonly url: string; stop(): void }> {
  const failed = new Set<string>();
  const made = createServer((request, response) => {
    request.resume();
    const url = request.url ?? "";
    void sleep(Math.random() * 8).then(() => {
      if (url.startsWith("/moved")) response.writeHead(302, { location: "/new" });
      if (url.startsWith("/flaky") && !failed.has(url)) response.writeHead(503);
      failed.add(url);
      response.end(url.startsWith("/large") ? "SECRET".repeat(1e5) : "SECRET");
    });
  });
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve));
  const address = made.address();
  const stop = (): void => {
    made.close();
    made.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`, stop };
}

const TEXT = `.then((it) => it.body.text())`;
const HEADERS = `headers: { authorization: "SECRET" }`;
const [ONE, TWO] = [[`GET /one`], [`POST /two`]];

for (const [name, setup, one, two, close, ones, twos] of [
  [
    "requests of a pool that is too small",
    `import { Pool } from "undici"; const pool = new Pool(process.env.SERVER, { connections: 3 });`,
    `pool.request({ path: "/one?key=SECRET" + n, method: "GET", ${HEADERS} })${TEXT}`,
    `pool.request({ path: "/two", method: "POST", body: "SECRET", query: { SECRET: n } })${TEXT}`,
    `await pool.close();`,
    ...[ONE, TWO],
  ],
  [
    "the requests of one client",
    `import { Client } from "undici"; const pool = new Client(process.env.SERVER);`,
    `pool.request({ path: "/one", method: "GET" })${TEXT}`,
    `pool.request({ path: "/two", method: "POST", body: "SECRET" })${TEXT}`,
    `await pool.close();`,
    ...[ONE, TWO],
  ],
  [
    "request and fetch, also Node's own, over an agent of few connections",
    `import { Agent, fetch as other, request, setGlobalDispatcher } from "undici"; setGlobalDispatcher(new Agent({ connections: 3 })); const url = process.env.SERVER;`,
    `Promise.all([request(url + "/one?key=SECRET" + n)${TEXT}, other(url + "/moved?SECRET").then((it) => it.text())])`,
    `fetch(url + "/two?SECRET", { method: "POST", body: "SECRET" }).then((it) => it.text())`,
    ``,
    [`GET /moved`, `GET /new`, `GET /one`],
    TWO,
  ],
  [
    "what follows an answer: another address, another try",
    `import { Agent, interceptors, request } from "undici"; const dispatcher = new Agent({ connections: 3 }).compose(interceptors.redirect({ maxRedirections: 2 }), interceptors.retry({ minTimeout: 1, statusCodes: [503] })); const url = process.env.SERVER;`,
    `request(url + "/flaky?SECRET" + n, { dispatcher })${TEXT}`,
    `request(url + "/moved?SECRET" + n, { dispatcher })${TEXT}`,
    ``,
    [`GET /flaky`, `GET /flaky`],
    [`GET /moved`, `GET /new`],
  ],
  [
    "answers that nobody reads, and those that are streamed",
    `import { Pool } from "undici"; import { Writable } from "node:stream"; const pool = new Pool(process.env.SERVER, { connections: ${COUNT} }); const into = () => new Writable({ write(_, __, done) { done(); } });`,
    `pool.request({ path: "/large", method: "GET" }).then((it) => it.statusCode)`,
    `pool.stream({ path: "/two", method: "POST", body: "SECRET" }, into)`,
    `process.exit(0);`,
    [`GET /large`],
    TWO,
  ],
] as const) {
  await test(`undici: ${name}`, async () => {
    const { url, ...running } = await server();
    try {
      const files = program(setup, one, two, close);
      const { at, exitCode, text } = await observed(files, NODE, { SERVER: url });
      assert.equal(exitCode, 0);
      const seen = (line: number): string[] => of(at(line), /http/).sort();
      const expected = (requests: readonly string[]): string[] =>
        [...new Set(requests)].map((it) => {
          const times = HALF * requests.filter((other) => other === it).length;
          return `${times} http ${it.replace(" ", ` ${url.replace(/\d+$/, "port")}`)}`;
        });
      assert.deepEqual(seen(4), expected(ones));
      assert.deepEqual(seen(7), expected(twos));
      assert.doesNotMatch(text, /SECRET/);
    } finally {
      running.stop();
    }
  });
}

await test("undici: what a stream is written to, over a connection that was open before", async () => {
  const { url, ...running } = await server();
  try {
    const { at, exitCode } = await observed(
      {
        "main.js": `import { appendFile } from "node:fs/promises";
import { Writable } from "node:stream";
import { request, stream } from "undici";
const warm = async () => (await request(process.env.SERVER + "/warm")).body.text();
await warm();
await new Promise((resolve) => setTimeout(resolve, 30));
const into = () => new Writable({ write(chunk, _, done) { appendFile("log.txt", chunk).then(() => done(), done); } });
await stream(process.env.SERVER + "/kept", { method: "GET" }, into);
process.exit(0);
`,
      },
      NODE,
      { SERVER: url },
    );
    assert.equal(exitCode, 0);
    assert.deepEqual(of(at(5), /later|write/), []);
    assert.deepEqual(of(at(8), /write/), ["1 fs write log.txt"]);
  } finally {
    running.stop();
  }
});
