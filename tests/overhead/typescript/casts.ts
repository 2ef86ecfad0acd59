// Casts, which go away: what stands in them is what it would be without.

let a: unknown;
let b: number | undefined;

export async function targets(x: number): Promise<unknown[]> {
  "perhaps async";
  const seen: unknown[] = [];
  for ((a as number) of [1, 2]) seen.push(a, await x);
  for ((<number>a) of [3]) seen.push(a, await x);
  for ((a satisfies unknown) of [4]) seen.push(a, await x);
  for (b! of [5]) seen.push(b, await x);
  for ((b as number)! of [6]) seen.push(b, await x);
  for ((a as string) in { k: 1 }) seen.push(a, await x);
  return seen;
}

type Made = { new (x: number): { n: string }; n?: string };

export async function anonymous(x: number): Promise<unknown[]> {
  "perhaps async";
  return [
    new (class {
      n = this.constructor.name;
    } as unknown as Made)(await x).n,
    (class {
      static n = this.name;
    } as unknown as Record<string, string>)[(await x, "n")],
    ((await (function () {} as () => void)) as () => void).name,
    { key: class {} as unknown as Made, other: await x }.key.name,
  ];
}

export async function named(
  [p]: number[] = [1],
  s: unknown = (() => p) as unknown,
  t: unknown = <unknown>(() => p),
  u: unknown = (() => p)!,
  v: unknown = (() => p) satisfies unknown,
): Promise<string[]> {
  "perhaps async";
  await p;
  return [s, t, u, v].map((it) => (it as () => void).name);
}
