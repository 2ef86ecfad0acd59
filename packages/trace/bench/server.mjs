// A server as they are: routes with files, timers, lists and JSON, each in a few async functions.
import { readFile } from "node:fs/promises";
import http from "node:http";

const users = new Map(
  Array.from({ length: 100 }, (_, id) => [id, { id, name: `user ${id}`, tags: ["a", "b"] }]),
);

const tick = () =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

async function user(id) {
  await tick();
  return users.get(id % users.size);
}

async function escaped(text) {
  return text.replaceAll("<", "&lt;");
}

async function rendered(one) {
  const parts = [];
  for (const key of Object.keys(one)) parts.push(await escaped(String(one[key])));
  return parts.join(",");
}

let requests = 0;
const server = http.createServer(async (request, response) => {
  const found = await user(requests++);
  const host = await readFile("/etc/hostname", "utf8");
  const all = [...users.values()].slice(0, 20);
  const body = JSON.stringify({ host, found: await rendered(found), all });
  response.setHeader("content-type", "application/json");
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  process.send({ port: server.address().port });
});
process.on("message", (message) => {
  if (message === "exit") process.exit();
  const { user: inUser, system } = process.cpuUsage();
  process.send({ cpu: inUser + system, memory: process.memoryUsage.rss() });
});
