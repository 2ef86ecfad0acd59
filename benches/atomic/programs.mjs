// What is measured: `headstart optimize --atomic` makes the compiled form of it.

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
