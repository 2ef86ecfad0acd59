// What is measured: `headstart optimize --atomic` makes the compiled form of it.
import { atomic } from "headstart-activities";

/** Awaits in a row that are settled already, as in a function that finds what it needs in a cache. */
export async function awaits(count) {
  let sum = 0;
  for (let left = count; left > 0; left -= 1) sum += await left;
  return sum;
}

/** Calls that wait for one another: a function and its frame for each await. */
export async function fib(n) {
  return n < 2 ? n : (await fib(n - 1)) + (await fib(n - 2));
}

const rates = new Map();

/** What stands in a cache after the first time, as prices, settings and sessions do. */
async function rateOf(currency) {
  const known = rates.get(currency);
  if (known !== undefined) return known;
  const rate = await Promise.resolve(currency + 1);
  rates.set(currency, rate);
  return rate;
}

async function priceOf(item) {
  const rate = await rateOf(item % 8);
  return item * rate;
}

/** A block whose functions mostly find what they need: each of its awaits may be fused with what follows. */
export function block(count) {
  return atomic(async () => {
    let sum = 0;
    for (let item = count; item > 0; item -= 1) sum += await priceOf(item);
    return sum;
  });
}
