// Types that follow from statements that are taken apart, or left to the twin.
type Get = () => Promise<string>;

async function found(all: AsyncIterable<number> | null) {
  if (all) for await (const x of all) return { x };
  return undefined;
}

async function firstKey(o: Record<string, number> | null, check: (key: string) => Promise<number>) {
  if (o) {
    for (const key in o) if (await check(key)) return key;
  }
  return null;
}

async function tagged(n: number, get: Get) {
  if (n) return String.raw`${await get()}`;
  return 0;
}

async function summed(all: AsyncIterable<number>) {
  let sum = 0;
  for await (const it of all) sum += it;
  return { sum };
}

async function keyed(get: Get) {
  return { [await get()]: 1 };
}

async function cleaned(get: Get) {
  try {
    return await get();
  } catch {
    return 0;
  } finally {
    await get();
  }
}

async function cleanedTwice(get: Get) {
  try {
    try {
      return (await get()).length;
    } finally {
      await get();
    }
  } finally {
    await get();
  }
}

async function cleanedLoop(get: Get) {
  for (const it of ["a", "b"]) {
    try {
      if (it === (await get())) return it;
    } finally {
      await get();
    }
  }
  return true;
}

async function pushed(get: Get) {
  let all = [];
  for (let i = 0; i < 3; i++) all.push(await get());
  return all;
}

async function pushedTwice(get: Get) {
  const all = [];
  all.push(await get(), 1);
  const more = [];
  for (const it of [1, 2]) more.push([it, (await get()).length] as const);
  return { all, more };
}

async function assigned(get: Get) {
  let all = [];
  for (let i = 0; i < 3; i++) {
    all[i] = await get();
    if (i === 7) all = [];
  }
  return all;
}

async function evolving(get: Get) {
  let one;
  one = await get();
  let list;
  list = [];
  list.push(await get());
  let other = null;
  if (one.length > 3) other = await get();
  return { one, list, other };
}

async function hoisted(get: Get) {
  const all = [];
  for (const it of [1, 2, 3]) {
    const text = await get();
    const more = await get();
    all.push({ it, text, more });
  }
  return all;
}

async function boxed(get: Get) {
  let total = 0;
  let name: string | null = null;
  await get();
  [1].forEach((it) => {
    total += it;
    name = String(it);
  });
  return { total, name: name as string | null };
}

async function boxedUnknown(get: Get) {
  let last = [1];
  await get();
  [1].forEach((it) => {
    last = [it];
  });
  return { last };
}

async function ended(n: number, get: Get) {
  if (n > 2) return { a: await get() };
  return n > 1 ? { b: 2 } : [n, await get()];
}

async function* numbers() {
  yield 1;
}

const get: Get = async () => "x";

export async function all() {
  await null;
  return {
    found: await found(numbers()),
    firstKey: await firstKey({ a: 1 }, async () => 1),
    tagged: await tagged(1, get),
    summed: await summed(numbers()),
    keyed: await keyed(get),
    cleaned: await cleaned(get),
    cleanedTwice: await cleanedTwice(get),
    cleanedLoop: await cleanedLoop(get),
    pushed: await pushed(get),
    pushedTwice: await pushedTwice(get),
    assigned: await assigned(get),
    evolving: await evolving(get),
    boxed: await boxed(get),
    boxedUnknown: await boxedUnknown(get),
    ended: await ended(2, get),
    hoisted: await hoisted(get),
  };
}
