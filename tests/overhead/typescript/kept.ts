// Functions that do not say what they return: the text that their types follow from stands there as it was, and
// the fast ones beside it.
interface Animal {
  readonly name: string;
}

interface Dog extends Animal {
  readonly barks: true;
}

async function either<A, B>(a: A, b: B, first: boolean) {
  return first ? a : b;
}

async function parsed(text: string): Promise<number>;
async function parsed(text: number): Promise<string>;
async function parsed(text: string | number): Promise<string | number> {
  return typeof text === "string" ? Number(text) : String(text);
}

async function kind(it: Animal | Dog) {
  return "barks" in it ? ("dog" as const) : ("other" as const);
}

export async function described(it: Animal, more?: { deep: readonly [number, string] }) {
  const name = await kind(it);
  const both = await either(it, name, it.name.length > 1);
  if (typeof both === "string") return { both, name };
  const [n, text] = more?.deep ?? [1, "x"];
  const last = await either(n, text as "x" | "y", false);
  return [last, await parsed("1"), await parsed(1), both] as const;
}

export class Kennel<T extends Animal> {
  protected readonly all = new Map<string, T>();

  constructor(private readonly load: (name: string) => Promise<T | null>) {}

  async named(name: string) {
    const known = this.all.get(name);
    if (known !== undefined) return known;
    const found = await this.load(name);
    if (found) this.all.set(name, found);
    return found;
  }

  async pair(a: string, b: string) {
    const first = await this.named(a);
    const second = (await this.named(b)) ?? first;
    return { first, second, kinds: second && [await kind(second)] };
  }

  async some(names: Iterable<string>) {
    const found = [];
    for (const it of names) found.push(await this.named(it));
    let last;
    for (const it of names) last = await this.pair(it, it);
    return { found, last };
  }

  async each<R>(names: string[], f: (it: T, at: number) => Promise<R>) {
    const results = new Map<string, Awaited<R>>();
    let at = 0;
    for (const name of names) {
      const it = await this.named(name);
      if (it) results.set(name, await f(it, at++));
    }
    return results;
  }
}

export async function used(kennel: Kennel<Dog>) {
  const names = await kennel.each(["a"], async (it, at) => ({ at, is: it.barks }));
  const inner = async (n: number) => (n ? { n } : undefined);
  const one = await inner(1);
  const { first, second: other } = await kennel.pair("a", "b");
  return { names, one, first, other, all: await kennel.some(new Set(["a"])) };
}

export const shown = async (kennel: Kennel<Dog>, n = 1) =>
  (await used(kennel)).names.get(String(n))?.is;
