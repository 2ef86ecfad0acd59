// A service as many are: handlers behind handlers, a body that is read, a session and some rows, each by functions that
// wait. `headstart optimize --atomic` makes the compiled form of it.
import { createServer } from "node:http";

const rows = new Map(
  Array.from({ length: 1000 }, (_, id) => [id, { id, name: `row ${id}`, of: id % 10 }]),
);
const sessions = new Map(Array.from({ length: 100 }, (_, id) => [`s${id}`, { user: id }]));

async function read(request) {
  let text = "";
  for await (const part of request) text += part;
  return text === "" ? {} : JSON.parse(text);
}

async function find(id) {
  await null;
  return rows.get(id);
}

async function session(request) {
  const name = request.headers["x-session"] ?? "s1";
  await null;
  return sessions.get(name);
}

async function allowed(user, row) {
  const of = await find(user);
  return of !== undefined && row !== undefined;
}

async function related(row) {
  const found = [];
  for (let id = row.of; id < 40; id += 10) found.push(await find(id));
  return found;
}

async function show(request) {
  const { user } = await session(request);
  const id = Number(new URL(request.url, "http://localhost").searchParams.get("id")) % 1000;
  const row = await find(id);
  if (!(await allowed(user, row))) return { status: 403 };
  return { status: 200, row, related: await related(row) };
}

async function save(request) {
  const { user } = await session(request);
  const { id, name } = await read(request);
  const row = await find(id % 1000);
  if (!(await allowed(user, row))) return { status: 403 };
  rows.set(row.id, { ...row, name });
  return { status: 200, row };
}

async function timed(request, next) {
  const begun = performance.now();
  const answer = await next(request);
  return { ...answer, took: performance.now() - begun > 1000 };
}

async function checked(request, next) {
  try {
    return await next(request);
  } catch (error) {
    return { status: 500, error: String(error) };
  }
}

async function route(request) {
  return request.method === "POST" ? await save(request) : await show(request);
}

export function serve() {
  return createServer(async (request, response) => {
    const answer = await checked(request, (it) => timed(it, route));
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
}
