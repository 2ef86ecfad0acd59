// Types that follow from what functions do, in ways that no other form of these functions has.
interface Animal {
  readonly name: string;
}
interface Dog extends Animal {
  bark(): string;
}

const num = async (): Promise<number> => 1;
const str = async (): Promise<string> => "s";
const dog = async (): Promise<Dog> => ({ name: "d", bark: () => "wau" });
const anything = async (): Promise<any> => "any";
const made = async <T>(): Promise<T> => [] as T;

async function annotated(x: number) {
  if (x > 9) return;
  const v: Animal = await dog();
  return v;
}
async function fromAny(x: number) {
  if (x > 9) return;
  const v: string = await anything();
  return v;
}
async function context(x: number) {
  if (x > 9) return;
  const v: Animal[] = await made();
  return v;
}
async function cast(x: number) {
  if (x > 9) return;
  const v = (await dog()) as Animal;
  return v;
}
async function assigned(y?: string) {
  y ??= await str();
  return y;
}
async function elements(x: number) {
  if (x > 9) await num();
  const a: (number | string)[] = [];
  a.push(await num());
  return a;
}
async function caught(x: number) {
  if (x > 9) await num();
  try {
    return await num();
  } catch {
    return "e" as const;
  }
}
async function exhaustive(x: "p" | "q") {
  if (x > "z") await num();
  switch (x) {
    case "p":
      return 1 as const;
    case "q":
      await num();
      return "s" as const;
  }
}
async function given<T>(x: T): Promise<T> {
  return x;
}
export async function handed<T>(x: T) {
  return given(x);
}

const waited = async () => {
  await null;
};
export const u1 = async () => (await waited(), await annotated(1));
export const u2 = async () => (await waited(), await fromAny(1));
export const u3 = async () => (await waited(), await context(1));
export const u4 = async () => (await waited(), await cast(1));
export const u5 = async () => (await waited(), await assigned());
export const u6 = async () => (await waited(), await elements(1));
export const u7 = async () => (await waited(), await caught(1));
export const u8 = async () => (await waited(), await exhaustive("p"));

/** Of what stands in a function that says what it returns, nothing follows outside. */
export async function inner(): Promise<readonly unknown[]> {
  await null;
  const one = async (x: number) => {
    if (x > 9) await num();
    return [x];
  };
  return [await one(1), await one(10), (await annotated(1))?.name, await handed(2)];
}
