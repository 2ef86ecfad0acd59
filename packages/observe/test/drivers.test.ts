import assert from "node:assert/strict";
import { test } from "node:test";

import { COUNT, NODE, observed, of, program } from "./made.js";
import { mariadb, redis, without } from "./servers.js";

/** The commands of Redis of which each call made one, but for those around a batch. */
const named = (found: readonly string[]): string[] =>
  found.flatMap((it) => {
    const [, times, command = ""] = /^(\d+) redis (\w+)$/.exec(it) ?? [];
    return Number(times) === COUNT / 2 && !/MULTI|EXEC|PIPELINE/.test(command) ? [command] : [];
  });

for (const [name, setup, close] of [
  [
    "redis",
    `import { createClient } from "redis"; const client = await createClient({ url: process.env.SERVER }).connect();`,
    `client.destroy();`,
  ],
  [
    "ioredis",
    `import { Redis } from "ioredis"; const client = new Redis(process.env.SERVER);`,
    `client.disconnect();`,
  ],
] as const) {
  await test(name, { skip: without.redis || false }, async () => {
    const server = await redis();
    try {
      const [set, get] = [`client.set("SECRET" + n, "SECRET")`, `client.get("SECRET" + (n + 1))`];
      const files = program(setup, set, get, close);
      const { at, exitCode, text } = await observed(files, NODE, { SERVER: server.url });
      assert.equal(exitCode, 0);
      assert.deepEqual(of(at(4), /redis/), [`${COUNT / 2} redis SET`]);
      assert.deepEqual(of(at(7), /redis/), [`${COUNT / 2} redis GET`]);
      assert.doesNotMatch(text, /SECRET/);
    } finally {
      await server.stop();
    }
  });
}

for (const [name, setup, close, one, two] of [
  [
    "redis",
    `import { createClient } from "redis"; const client = await createClient({ url: process.env.SERVER }).connect();`,
    `client.destroy();`,
    `client.multi().set("SECRET" + n, "SECRET").incr("n")`,
    `client.multi().get("SECRET" + n).execAsPipeline()`,
  ],
  [
    "ioredis",
    `import { Redis } from "ioredis"; const client = new Redis(process.env.SERVER);`,
    `client.disconnect();`,
    `client.multi().set("SECRET" + n, "SECRET").incr("n")`,
    `client.pipeline().get("SECRET" + n).exec()`,
  ],
] as const) {
  await test(`batches of ${name}`, { skip: without.redis || false }, async () => {
    const server = await redis();
    try {
      // Filled in front of the call that is awaited.
      const filling = `${setup} const filled = async (it) => [it];`;
      const files = program(filling, `(await filled(${one}))[0].exec()`, two, close);
      const { at, exitCode, text } = await observed(files, NODE, { SERVER: server.url });
      assert.equal(exitCode, 0);
      assert.deepEqual(named(at(4)), ["INCR", "SET"]);
      assert.deepEqual(named(at(7)), ["GET"]);
      assert.doesNotMatch(text, /SECRET/);
    } finally {
      await server.stop();
    }
  });
}

await test("mysql2: what is done with an answer", { skip: without.mariadb || false }, async () => {
  const { url, ...running } = await mariadb();
  try {
    const { at, exitCode } = await observed(
      {
        "main.js": `import { writeFileSync } from "node:fs";
import mysql from "mysql2";
const client = mysql.createConnection(process.env.SERVER);
const asked = (query, name) => new Promise((resolve) => client[query]("SELECT 1", () => { writeFileSync(name, ""); resolve(); }));
await asked("query", "first");
await asked("query", "a");
await asked("execute", "b");
process.exit(0);
`,
      },
      NODE,
      { SERVER: url },
    );
    assert.equal(exitCode, 0);
    assert.deepEqual(of(at(6), /write/), ["1 fs write a"]);
    assert.deepEqual(of(at(7), /write/), ["1 fs write b"]);
  } finally {
    await running.stop();
  }
});

await test(
  "mysql2, its promises and its callbacks, over a pool that is too small",
  { skip: without.mariadb || false },
  async () => {
    const server = await mariadb();
    try {
      const setup = `import mysql from "mysql2/promise"; const pool = mysql.createPool({ uri: process.env.SERVER, connectionLimit: 3 }); await pool.query("CREATE TABLE IF NOT EXISTS t (a INT, b TEXT)");`;
      const { at, exitCode, text } = await observed(
        program(
          setup,
          `pool.query("INSERT INTO t VALUES (" + n + ", 'SECRET')")`,
          `pool.execute("SELECT b FROM t WHERE a = ?", [n])`,
          `await pool.end();`,
        ),
        NODE,
        { SERVER: server.url },
      );
      assert.equal(exitCode, 0);
      assert.deepEqual(of(at(4), /sql/), [`${COUNT / 2} sql mysql INSERT INTO t VALUES (?, …)`]);
      assert.deepEqual(of(at(7), /sql/), [`${COUNT / 2} sql mysql SELECT b FROM t WHERE a = ?`]);
      assert.doesNotMatch(text, /SECRET/);
    } finally {
      await server.stop();
    }
  },
);

const DATABASE = process.env["DATABASE_URL"] ?? "";

await test(
  "pg and knex over pools that are too small",
  { skip: DATABASE === "" && "DATABASE_URL is not set" },
  async () => {
    for (const [setup, one, two, close] of [
      [
        `import pg from "pg"; const pool = new pg.Pool({ connectionString: process.env.SERVER, max: 3 });`,
        `pool.query("SELECT 'SECRET', $1::int", [n])`,
        `pool.query({ text: "SELECT 2 AS two", name: "two" })`,
        `if (pool.listenerCount("acquire") > 0) process.exit(3); await pool.end();`,
      ],
      [
        `import knex from "knex"; const db = knex({ client: "pg", connection: { connectionString: process.env.SERVER }, pool: { min: 0, max: 3 } });`,
        `db.raw("SELECT 'SECRET', ?::int", [n])`,
        `db.select(db.raw("2 AS two"))`,
        `await db.destroy();`,
      ],
    ] as const) {
      const { at, exitCode, text } = await observed(program(setup, one, two, close), NODE, {
        SERVER: DATABASE,
      });
      assert.equal(exitCode, 0);
      assert.deepEqual(of(at(4), /sql/), [`${COUNT / 2} sql postgresql SELECT ?, $1::int`]);
      assert.deepEqual(
        of(at(7), /sql/).map((it) => it.replace("select", "SELECT").replace("as", "AS")),
        [`${COUNT / 2} sql postgresql SELECT ? AS two`],
      );
      assert.doesNotMatch(text, /SECRET/);
    }
  },
);
