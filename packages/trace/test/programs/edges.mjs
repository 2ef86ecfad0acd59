/* global Buffer, clearInterval, clearTimeout, fetch, queueMicrotask, ReadableStream, setInterval */
// Registers continuations with most of what Node has for that, each on a line of its own.
import { AsyncResource } from "node:async_hooks";
import { exec } from "node:child_process";
import { pbkdf2, randomBytes } from "node:crypto";
import dgram from "node:dgram";
import dns from "node:dns";
import { EventEmitter, once } from "node:events";
import fs from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import readline from "node:readline";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MessageChannel, Worker } from "node:worker_threads";
import zlib from "node:zlib";

const here = fileURLToPath(import.meta.url);

function timers() {
  setTimeout(() => {
    setTimeout(() => {
      setImmediate(() => {
        process.nextTick(() => {
          queueMicrotask(() => {
            setTimeout(() => undefined, 1);
          });
        });
      });
    }, 1);
    setImmediate(() => undefined);
  }, 1);
  let turns = 0;
  const interval = setInterval(() => {
    if (++turns === 3) clearInterval(interval);
    setImmediate(() => undefined);
  }, 2);
  clearTimeout(setTimeout(() => undefined, 1));
}

function promises() {
  const first = Promise.resolve(1)
    .then((value) => value + 1)
    .then((value) => {
      setTimeout(() => undefined, 1);
      return Promise.resolve(value);
    });
  first
    .then(() => {
      throw new Error("expected");
    })
    .catch(() => undefined)
    .finally(() => {
      process.nextTick(() => undefined);
    });
  new Promise((resolve) => {
    setTimeout(resolve, 2);
  }).then(() => {
    setImmediate(() => undefined);
  });
  Promise.all([first, sleep(1)]).then(() => undefined);
  Promise.race([first, sleep(2)]).then(() => undefined);
  Promise.allSettled([first, Promise.reject(new Error("expected"))]).then(() => undefined);
  Promise.any([Promise.reject(new Error("expected")), first]).then(() => undefined);
}

async function awaits() {
  await null;
  setTimeout(() => undefined, 1);
  await inner(1);
  const thenable = {
    then(resolve) {
      setTimeout(resolve, 1);
    },
  };
  await thenable;
  for (const delay of [1, 2]) {
    await sleep(delay);
    setImmediate(() => undefined);
  }
  try {
    await Promise.reject(new Error("expected"));
  } catch {
    await immediate();
  } finally {
    await null;
  }
  for await (const item of generator()) {
    setTimeout(() => item, 1);
  }
}

async function inner(depth) {
  await null;
  if (depth < 4) await inner(depth + 1);
  process.nextTick(() => undefined);
}

async function* generator() {
  for (let item = 0; item < 3; item++) {
    await sleep(1);
    yield item;
  }
}

async function files() {
  fs.readFile(here, () => {
    fs.stat(here, () => {
      fs.readdir(".", () => {
        setTimeout(() => undefined, 1);
      });
    });
  });
  await readFile(here);
  await stat(here);
  const handle = await open(here);
  await handle.read(Buffer.alloc(10), 0, 10, 0);
  await handle.close();
  for await (const line of readline.createInterface({ input: fs.createReadStream(here) })) {
    if (line === "") break;
  }
}

async function streams() {
  const upper = new Transform({
    transform(chunk, _encoding, done) {
      setImmediate(() => {
        done(null, chunk);
      });
    },
  });
  await pipeline(Readable.from(["a", "b", "c"]), upper, async (source) => {
    for await (const part of source) process.nextTick(() => part);
  });
  const stream = new ReadableStream({
    async pull(controller) {
      await null;
      controller.enqueue(1);
      controller.close();
    },
  });
  for await (const part of stream) setTimeout(() => part, 1);
}

function compute() {
  randomBytes(8, () => {
    setImmediate(() => undefined);
  });
  pbkdf2("a", "b", 10, 8, "sha256", () => {
    process.nextTick(() => undefined);
  });
  zlib.gzip("text", (_, packed) => {
    zlib.gunzip(packed, () => {
      setTimeout(() => undefined, 1);
    });
  });
  dns.lookup("127.0.0.1", () => {
    setImmediate(() => undefined);
  });
}

function resources() {
  const resource = new AsyncResource("custom");
  setTimeout(() => {
    resource.runInAsyncScope(() => {
      setTimeout(() => undefined, 1);
      queueMicrotask(() => undefined);
    });
    setImmediate(() => undefined);
  }, 2);
  const emitter = new EventEmitter();
  once(emitter, "event").then(() => {
    setTimeout(() => undefined, 1);
  });
  setTimeout(() => emitter.emit("event"), 1);
}

function sockets() {
  const server = net.createServer((socket) => {
    socket.on("data", () => {
      setImmediate(() => {
        socket.end("answer");
      });
    });
  });
  server.listen(0, () => {
    const client = net.connect(server.address().port, () => {
      client.write("question");
    });
    client.on("data", () => {
      setTimeout(() => undefined, 1);
    });
    client.on("close", () => {
      server.close(() => {
        process.nextTick(() => undefined);
      });
    });
  });
  const receiver = dgram.createSocket("udp4", () => {
    receiver.close(() => undefined);
  });
  receiver.bind(0, "127.0.0.1", () => {
    const sender = dgram.createSocket("udp4");
    sender.send("x", receiver.address().port, "127.0.0.1", () => {
      sender.close();
    });
  });
}

function requests() {
  const server = http.createServer(async (request, response) => {
    await sleep(1);
    for await (const part of request) setImmediate(() => part);
    response.end("answer");
  });
  server.listen(0, "127.0.0.1", async () => {
    const { port } = server.address();
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: "question" });
    await answer.text();
    http.get({ port, host: "127.0.0.1", agent: false }, (response) => {
      response.on("data", () => {
        setTimeout(() => undefined, 1);
      });
      response.on("end", () => {
        server.close(() => undefined);
        server.closeAllConnections();
      });
    });
  });
}

function others() {
  exec("true", () => {
    setTimeout(() => undefined, 1);
  });
  const { port1, port2 } = new MessageChannel();
  port1.on("message", () => {
    setImmediate(() => {
      port1.close();
    });
  });
  port2.postMessage(1);
  const code = `const { parentPort } = require("node:worker_threads");
    parentPort.once("message", (value) => setTimeout(() => parentPort.postMessage(value), 1));`;
  const worker = new Worker(code, { eval: true, execArgv: [], env: {} });
  worker.on("message", () => {
    setTimeout(() => undefined, 1);
  });
  worker.on("exit", () => {
    process.nextTick(() => undefined);
  });
  worker.postMessage(1);
}

timers();
promises();
void awaits();
void files();
void streams();
compute();
resources();
sockets();
requests();
others();
await immediate();
setTimeout(() => undefined, 1);
