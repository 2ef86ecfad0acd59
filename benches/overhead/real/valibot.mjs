/** Orders looked at by an asynchronous schema, in which one check of each order might ask a database. */
import * as v from "./valibot/index.mjs";

const names = new Set(["Ann", "Ben", "Cleo"]);
const Customer = v.objectAsync({
  name: v.pipeAsync(
    v.string(),
    v.nonEmpty(),
    v.checkAsync(async (name) => names.has(name)),
  ),
  mail: v.pipe(v.string(), v.email()),
});
const Order = v.objectAsync({
  id: v.pipe(v.number(), v.integer()),
  customer: Customer,
  lines: v.arrayAsync(
    v.objectAsync({
      product: v.pipeAsync(
        v.string(),
        v.trim(),
        v.transformAsync(async (it) => it.toUpperCase()),
      ),
      quantity: v.pipe(v.number(), v.minValue(1)),
      note: v.optional(v.string()),
    }),
  ),
});
const orders = Array.from({ length: 50 }, (_, at) => ({
  id: at,
  customer: { name: ["Ann", "Ben", "Cleo", "Dora"][at % 4], mail: `user${at}@example.org` },
  lines: Array.from({ length: 4 }, (_, it) => ({ product: ` product ${it}`, quantity: it })),
}));

/** How many of the orders have something wrong, over all rounds. */
export async function run(rounds) {
  let wrong = 0;
  for (let round = 0; round < rounds; round++) {
    for (const order of orders) {
      const { issues = [] } = await v.safeParseAsync(Order, order);
      wrong += issues.length;
    }
  }
  return wrong;
}
