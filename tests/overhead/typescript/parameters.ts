// Parameters that do not say their types: what those who call may pass stays what it was.

const sym: unique symbol = Symbol("sym");
const LIMIT = 10;
const a = "outer";
const ON = true;

function isFive(x: number): asserts x is 5 {
  if (x !== 5) throw new Error("not 5");
}

// Their defaults stay where they are.

export async function literals(
  x: number,
  minus = -1,
  text = `t`,
  tuple = [1] as const,
  options = { deep: { list: [1, "s"] } },
  f = (z: number): number => z,
): Promise<string> {
  "perhaps async";
  return [await x, minus, text, tuple, options.deep.list, f(2), f.name].join();
}

export const arrow = async (x: number, most = LIMIT, none = undefined): Promise<string> => {
  "perhaps async";
  return [await x, most, none].join();
};

export class Literals {
  async method({ k }: { k: number }, minus = -1, big = -1n): Promise<string> {
    "perhaps async";
    return [await k, minus, big].join();
  }
}

export async function constants(x: number, most = LIMIT, text = a, on = ON): Promise<string> {
  "perhaps async";
  return [await x, most, text, on].join();
}

// Those of these do not, and the functions stay as they are.

type P<T> = T | Promise<T>;

export async function shadow({ a }: { a: number }, y = a): Promise<number> {
  "perhaps async";
  return await y;
}

export async function taken(x: P<number>, { a = 1, b } = { a: 2, b: "s" }): Promise<string> {
  "perhaps async";
  return `${await x} ${a} ${b}`;
}

export async function listed(x: P<number>, [p, q] = [1, "s"]): Promise<string> {
  "perhaps async";
  return `${await x} ${p} ${q}`;
}

export async function key(x: P<number>, k = sym): Promise<string> {
  "perhaps async";
  return `${await x} ${k.toString()}`;
}

export async function narrowed(x: number, y = (isFive(x), x)): Promise<number> {
  "perhaps async";
  return await y;
}

export async function asked({ a }: { a: number }): Promise<typeof a> {
  "perhaps async";
  return await a;
}

export async function outer(): Promise<string> {
  "perhaps async";
  return await a;
}

async function known(x: P<number>, k = sym): Promise<number> {
  return typeof k === "symbol" ? 1 : await x;
}

export type Known = Parameters<typeof known>;

export async function calls(): Promise<number> {
  await null;
  return (await known(1)) + (await known(2));
}
