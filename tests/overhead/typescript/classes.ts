/// <reference lib="es2022" />
// Classes with what TypeScript adds to them.
enum Kind {
  One = 1,
  Two = "two",
}

const enum Level {
  Low,
  High,
}

export abstract class Base<T> {
  static #count = 0;
  #secret: T;
  protected readonly name: string;
  declare readonly tag?: string;

  constructor(
    secret: T,
    private readonly other: number,
    name = "base",
  ) {
    this.#secret = secret;
    this.name = name;
  }

  abstract load(key: string): Promise<T | undefined>;

  async #get(key: string): Promise<T> {
    const found = await this.load(key);
    Base.#count += 1;
    return found ?? this.#secret;
  }

  async get(key: string, fallback?: T): Promise<T> {
    const value = await this.#get(key);
    return fallback ?? value;
  }

  protected async both(...keys: readonly string[]): Promise<readonly [T, number]> {
    const value = await this.get(keys[0] ?? "");
    return [value, this.other + (await Base.count())] as const;
  }

  async untyped(keys: string[]) {
    const values = [];
    for (const key of keys) values.push(await this.get(key));
    return values;
  }

  static async count(): Promise<number> {
    return Base.#count;
  }

  get kind(): Kind | Level {
    return this.other > 1 ? Kind.Two : Level.High;
  }
}

export class Store extends Base<number> implements AsyncIterable<number> {
  readonly #all = new Map<string, number>();

  override async load(key: string): Promise<number | undefined> {
    return this.#all.get(key);
  }

  async set(this: Store, key: string, value: number | Promise<number>): Promise<Store> {
    this.#all.set(key, await value);
    const [again] = await this.both(key);
    if (again !== value) await this.get(key);
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<number> {
    for (const value of this.#all.values()) yield await Promise.resolve(value);
  }

  async sum(): Promise<number> {
    let sum = 0;
    for await (const value of this) sum += value;
    const parts: { readonly part?: number } = { part: await this.get("a") };
    return sum + (parts.part ?? 0);
  }
}

export async function use(store: Store): Promise<Record<string, unknown>> {
  await store.set("a", 1);
  const kinds = { [Kind.One]: Level.Low, two: Kind.Two } satisfies Record<string, unknown>;
  const { part, ...rest } = { part: await store.get("a"), more: await store.sum() };
  const label: string = `${String(part)}-${String(rest.more)}`;
  return { ...kinds, label, values: await store.untyped(["a"]) };
}

export namespace Shapes {
  export async function area(side: number): Promise<number> {
    return (await double(side)) * side;
  }
  async function double(n: number): Promise<number> {
    return n * 2;
  }
}

export default async function <K extends keyof Store>(store: Store, key: K): Promise<Store[K]> {
  await store.sum();
  return store[key];
}
