/** Orders put into another form: totals by product, names joined, filters and functions of the language. */
import jsonata from "./jsonata/jsonata.js";

const orders = Array.from({ length: 40 }, (_, at) => ({
  id: `order${at}`,
  customer: { name: `Name ${at % 7}`, mail: `name${at % 7}@example.org` },
  products: Array.from({ length: 3 }, (_, it) => {
    return { name: `Product ${(at + it) % 11}`, price: 10 + ((at * it) % 90), quantity: 1 + it };
  }),
}));
const expression = jsonata(`{
  "total": $sum(orders.products.(price * quantity)),
  "byProduct": orders.products{ name: $sum($.(price * quantity)) },
  "dear": orders.products[price > 50].name,
  "customers": $distinct(orders.customer.($uppercase(name) & " <" & mail & ">")),
  "lines": orders.{ "id": id, "sum": $sum(products.(price * quantity)) }[sum > 100]
}`);

/** How much the orders come to, over all rounds. */
export async function run(rounds) {
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    const result = await expression.evaluate({ orders });
    total += result.total + result.lines.length;
  }
  return total;
}
