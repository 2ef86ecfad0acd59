/** A key-value store through its driver: entries put, read one by one and many at once, gone through, deleted. */
import { MemoryLevel } from "./memory-level/index.js";

const COUNT = 1_000;
const entries = Array.from({ length: COUNT }, (_, at) => {
  const key = `user:${String((at * 7919) % COUNT).padStart(6, "0")}`;
  return [key, { id: at, name: `name ${at}`, mail: `user${at}@example.org`, tags: ["a", "b"] }];
});

/** What the entries add up to that the store gives back. */
async function visit(db) {
  let sum = 0;
  for (const [key, value] of entries) await db.put(key, value);
  for (const [key] of entries) sum += (await db.get(key)).id;
  const keys = entries.slice(0, 100).map(([key]) => key);
  for (const value of await db.getMany(keys)) sum += value.id;
  for await (const [key, value] of db.iterator({ gte: "user:0001", limit: 500 }))
    sum += key.length + value.id;
  const iterator = db.values();
  for (let value = await iterator.next(); value !== undefined; value = await iterator.next())
    sum += value.id;
  await iterator.close();
  for (const [key] of entries) if (await db.has(key)) await db.del(key);
  return sum;
}

export async function run(rounds) {
  const db = new MemoryLevel({ valueEncoding: "json" });
  let sum = 0;
  for (let round = 0; round < rounds; round++) sum += await visit(db);
  await db.close();
  return sum;
}
