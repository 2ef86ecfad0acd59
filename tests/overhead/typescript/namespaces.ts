// Namespaces in several parts: what one exports, the others know by its name.
const label = "the file's";

async function shared(x: number): Promise<string> {
  return x > 0 ? await shared(x - 1) : "the file's";
}

namespace Parts {
  export let count = 1;
  export const label = "the namespace's";
  export const add = (n: number): number => (count += n);
  export async function shared(x: number): Promise<string> {
    return x > 0 ? await shared(x - 1) : "the namespace's";
  }
  export enum Kinds {
    first = "first",
  }
}

namespace Parts {
  export async function counted(x: unknown): Promise<unknown> {
    "perhaps async";
    await x;
    return count;
  }
  export async function changing(x: unknown): Promise<unknown> {
    "perhaps async";
    return [count, add((await x) ? 1 : 2), count];
  }
  export async function labelled(x: unknown): Promise<unknown> {
    "perhaps async";
    await x;
    return [label, Kinds.first];
  }
  export async function calling(x: number): Promise<unknown> {
    await null;
    return [await own(0), await own(x), await shared(x), await wrapped(x)];
  }
  async function own(x: number): Promise<unknown> {
    if (x) await Promise.resolve(x);
    return label;
  }
  async function wrapped(x: number): Promise<string> {
    return shared(x);
  }
}

class Merged {
  readonly known = 1;
}
namespace Merged {
  export const text = "merged";
}
namespace Merged {
  export async function read(x: unknown): Promise<unknown> {
    "perhaps async";
    await x;
    return [text, new Merged().known];
  }
}

enum Level {
  low = 1,
}
namespace Level {
  export async function read(x: unknown): Promise<unknown> {
    "perhaps async";
    await x;
    return Level.low;
  }
}

export async function everything(): Promise<unknown> {
  const all: unknown[] = [label, await shared(2)];
  for (const x of [1, Promise.resolve(1)]) {
    all.push(await Parts.counted(x), await Parts.changing(x), await Parts.labelled(x));
    all.push(await Parts.calling(1), await Merged.read(x), await Level.read(x));
  }
  return all;
}
