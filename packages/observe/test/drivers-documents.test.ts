import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { COUNT, NODE, observed, of, program } from "./made.js";
import { mongodb, without } from "./servers.js";

const HALF = COUNT / 2;

await test(
  "mongodb over a pool that is too small",
  { skip: without.mongodb || false },
  async () => {
    const server = await mongodb();
    try {
      const setup = `import { MongoClient } from "mongodb"; const client = await new MongoClient(process.env.SERVER, { maxPoolSize: 3 }).connect(); const users = client.db("shop").collection("users"); await users.insertMany(Array.from({ length: 5 }, (_, n) => ({ secret: "SECRET", n })));`;
      for (const [one, two, ones, twos] of [
        [
          `users.insertOne({ name: "SECRET" + n, SECRETkey: n })`,
          `users.find({ secret: "SECRET" }, { batchSize: 2 }).toArray()`,
          [`${HALF} mongodb insert users`],
          [`${HALF} mongodb find users`, `${HALF * 2} mongodb getMore users`],
        ],
        [
          `users.updateOne({ name: "SECRET" + n }, { $set: { SECRETkey: "SECRET" } }, { upsert: true })`,
          `users.aggregate([{ $match: { name: "SECRET" + n } }, { $group: { _id: "$SECRETkey" } }]).toArray()`,
          [`${HALF} mongodb update users`],
          [`${HALF} mongodb aggregate users`],
        ],
        [
          `users.findOneAndUpdate({ name: "SECRET" + n }, { $set: { insert: "SECRET" } })`,
          `Promise.all([users.distinct("SECRETkey"), users.insertMany([{ insert: "SECRET", n }]), client.db("shop").command({ ping: 1, SECRET: "SECRET" })])`,
          [`${HALF} mongodb findAndModify users`],
          ["distinct users", "insert users", "ping"].map((it) => `${HALF} mongodb ${it}`),
        ],
      ] as const) {
        const files = program(setup, one, two, `await client.close();`);
        const { at, exitCode, text } = await observed(files, NODE, { SERVER: server.url });
        assert.equal(exitCode, 0);
        assert.deepEqual(of(at(4), /mongodb/).sort(), ones);
        assert.deepEqual(of(at(7), /mongodb/).sort(), twos);
        assert.doesNotMatch(text, /SECRET/);
      }
    } finally {
      await server.stop();
    }
  },
);

const DATABASE = process.env["DATABASE_URL"] ?? "";

/** How often statements of which kind were seen; an INSERT or an UPDATE is what an upsert comes to, as it turns out. */
function kinds(found: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const it of of(found, /sql/)) {
    const [, times, verb = ""] = /^(\d+) sql postgresql (\w+)/.exec(it) ?? [];
    const kind = verb === "INSERT" || verb === "UPDATE" ? "write" : verb;
    counts[kind] = (counts[kind] ?? 0) + Number(times);
  }
  return counts;
}

await test(
  "Prisma over pg, and a pool that is too small",
  { skip: DATABASE === "" && "DATABASE_URL is not set" },
  async () => {
    const client = readFileSync(new URL("fixtures/prisma-client.mjs", import.meta.url), "utf8");
    const setup = `import { PrismaPg } from "@prisma/adapter-pg"; import { PrismaClient } from "./client.js"; const db = new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.SERVER, max: 3 }) }); await db.$executeRawUnsafe('CREATE TABLE IF NOT EXISTS "Note" (id SERIAL PRIMARY KEY, text TEXT NOT NULL, mark INT NOT NULL)');`;
    const seen = async (one: string, two: string): Promise<readonly string[][]> => {
      const files = { ...program(setup, one, two, `await db.$disconnect();`), "client.js": client };
      const { at, exitCode, text } = await observed(files, NODE, { SERVER: DATABASE });
      assert.equal(exitCode, 0);
      assert.doesNotMatch(text, /SECRET|7654321/);
      return [of(at(4), /sql/), of(at(7), /sql/)];
    };
    const fields = `"public"."Note"."id", "public"."Note"."text", "public"."Note"."mark"`;
    assert.deepEqual(
      await seen(
        `db.note.create({ data: { text: "SECRET" + n, mark: n } })`,
        `db.note.findMany({ where: { text: "SECRET", mark: { gt: 7654321 } } })`,
      ),
      [
        [
          `${HALF} sql postgresql INSERT INTO "public"."Note" ("text","mark") VALUES ($1, …) RETURNING ${fields}`,
        ],
        [
          `${HALF} sql postgresql SELECT ${fields} FROM "public"."Note" WHERE ("public"."Note"."text" = $1 AND "public"."Note"."mark" > $2) OFFSET $3`,
        ],
      ],
    );
    const [batches = [], callbacks = []] = await seen(
      `db.$transaction([db.note.updateMany({ where: { text: "SECRET" + n }, data: { mark: n } }), db.note.count()])`,
      `db.$transaction((it) => it.note.deleteMany({ where: { text: "SECRET", mark: n } }).then(() => it.$queryRaw\`SELECT 'SECRET', \${"SECRET"}::text\`))`,
    );
    assert.deepEqual(kinds(batches), { BEGIN: HALF, COMMIT: HALF, write: HALF, SELECT: HALF });
    assert.deepEqual(kinds(callbacks), { BEGIN: HALF, COMMIT: HALF, DELETE: HALF, SELECT: HALF });
    const [reads = [], upserts = []] = await seen(
      `db.note.findUnique({ where: { id: n } })`,
      `db.note.upsert({ where: { id: n }, create: { text: "SECRET", mark: n }, update: { text: "SECRET" } })`,
    );
    assert.deepEqual(kinds(reads), { SELECT: HALF });
    const { write = 0, ...rest } = kinds(upserts);
    assert.equal(write, HALF);
    assert.deepEqual(Object.keys(rest).sort(), ["BEGIN", "COMMIT", "SELECT"]);
  },
);
