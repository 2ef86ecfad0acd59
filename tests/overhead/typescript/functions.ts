// Functions in every form, with and without types where TypeScript can do without.
export interface Row {
  readonly id: number;
  readonly name: string;
}

const cache = new Map<number, Row>();

async function query(id: number): Promise<Row> {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const row: Row = { id, name: `row ${String(id)}` };
  cache.set(id, await Promise.resolve(row));
  return row;
}

export async function rows(ids: readonly number[]): Promise<Row[]> {
  const all: Row[] = [];
  for (const id of ids) all.push(await query(id));
  return all;
}

export async function names(ids: Iterable<number>) {
  const found = [];
  for (const id of ids) {
    const row = await query(id);
    found.push(row.name);
  }
  return found.map((name) => name.toUpperCase());
}

export async function first<T extends { id: number }>(
  items: readonly T[],
  check: (item: T) => Promise<boolean> | boolean,
): Promise<T | undefined> {
  for (const item of items) {
    if (await check(item)) return item;
  }
  return undefined;
}

export async function later<T>(value: T, wait: () => Promise<void>) {
  await wait();
  const again = await identity(value);
  return { value: again, at: 1 };
}

async function identity<T>(value: T) {
  return value;
}

export async function parse(text: string): Promise<string>;
export async function parse(text: number): Promise<number>;
export async function parse(text: string | number): Promise<string | number> {
  await identity(1);
  if (typeof text === "string") return text.trim();
  return text + (await identity(1));
}

export async function bound(this: { readonly base: number }, by: number): Promise<number> {
  const more = await identity(by);
  return this.base + more;
}

export async function withDefaults(
  get: () => number,
  count: number = get(),
  label = "none",
  { deep = 1 }: { deep?: number } = {},
  optional?: string,
  ...rest: string[]
): Promise<string> {
  const got = await identity(get());
  return [got + count + deep, label, optional ?? "", ...rest].join();
}

export const arrow = async (n: number): Promise<number> => (n > 0 ? (await arrow(n - 1)) + 1 : 0);

export async function walk(n: number, visit: (n: number) => void | Promise<void>): Promise<void> {
  await visit(n);
  if (n > 0) await walk(n - 1, visit);
}

export async function guarded(get: () => Promise<unknown>): Promise<string> {
  let message: string;
  try {
    message = String(await get());
  } catch (error) {
    message = error instanceof Error ? error.message : await identity("unknown");
  } finally {
    await identity(undefined);
  }
  return message;
}

export async function switched(kind: "a" | "b" | "c") {
  switch (kind) {
    case "a":
      return await identity(kind.length);
    case "b":
      await identity(2);
      return "b" as const;
    default:
      return null;
  }
}

export async function asked(x: number, get: (x: number) => Promise<number>): Promise<number> {
  "perhaps async";
  const value: number = await get(x);
  const more = [1, 2].map((it) => it + value);
  return more.length + ((value as number) satisfies number);
}

export async function calls() {
  const all = await names([1, 2]);
  const [one] = await rows([1]);
  const it = await later(one?.name ?? "", async () => undefined);
  await walk(3, async () => undefined);
  return { all: all.map((name) => name.length), value: it.value, kind: await switched("a") };
}

export async function listed(
  first: string,
  size: number = first.length,
  last?: number,
  ...rest: readonly string[]
): Promise<string> {
  "perhaps async";
  const got = await identity(first);
  return [got, size, last ?? "", ...rest].join();
}
