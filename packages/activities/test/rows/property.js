// Random tasks, and a checker that knows on its own who may run: `ways.ts` makes the other forms of it.

/** Numbers that a seed decides (mulberry32). */
const randomOf = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

/** Runs random tasks until they have taken so many steps, and counts what should not be. */
export const run = async (t, seed, wanted) => {
  const random = randomOf(seed);
  const below = (n) => Math.floor(random() * n);
  const seen = { steps: 0, violations: 0, identity: 0, deadlocks: 0, cancelled: 0, callbacks: 0 };
  const open = [];
  const within = new WeakMap();
  const free = new WeakSet();
  const live = new Set();
  // Blocks whose body has ended, and whose `atomic` has not: what is spawned by then may still be inside.
  const ending = new Set();
  const waits = [
    () => null,
    () => Promise.resolve(1),
    () => new Promise((resolve) => setImmediate(resolve)),
    () => ({ then: (resolve) => resolve(2) }),
    () => Promise.resolve().then(() => 3),
    () => new Promise((resolve) => setTimeout(resolve, 0)),
  ];

  /** Waits for a task without that its asker is seen to. */
  const outside = t.bind((task) => task.join());

  /** Somebody runs: it has its identity, and nobody keeps it out. */
  const step = (me) => {
    seen.steps += 1;
    if (t.current() !== me) seen.identity += 1;
    const top = open.at(-1);
    const isIn = top === undefined || me === top.holder || free.has(me) || within.get(me) === top;
    if (!isIn) seen.violations += 1;
  };
  const ends = (entry) => {
    const index = open.indexOf(entry);
    if (entry.depth === 0 && entry.contained === 0 && index >= 0) open.splice(index, 1);
  };
  const block = (depth, own) => async () => {
    const me = t.current();
    const around = open.at(-1);
    // A block in one of the same task is a part of it.
    const isPart = around?.holder === me;
    const entry = isPart ? around : { holder: me, contained: 0, depth: 0 };
    entry.depth += 1;
    own.entry = entry;
    if (!isPart) open.push(entry);
    try {
      step(me);
      await several(me, depth - 1);
    } finally {
      entry.depth -= 1;
      ending.add(entry);
      ends(entry);
    }
  };
  const begin = (depth) => {
    const inAtomic = ["delay", "contained", "free", "error"][below(4)];
    const isOf = (it) => it.holder === t.current() || within.get(t.current()) === it;
    const entry = open.findLast(isOf) ?? [...ending].find(isOf);
    let task;
    const over = () => {
      const around = live.has(task) ? within.get(task) : undefined;
      live.delete(task);
      if (around === undefined) return;
      around.contained -= 1;
      ends(around);
    };
    const body = async () => {
      step(task);
      try {
        await several(task, depth - 1);
      } finally {
        over();
      }
    };
    try {
      task = t.spawn(body, { inAtomic });
    } catch {
      return undefined;
    }
    live.add(task);
    // What is cancelled before it has begun has no end of its own.
    outside(task).then(over, over);
    // What is spawned when the body has ended and the block has not, or both have, may be inside or not.
    const isIn = entry !== undefined && (open.includes(entry) || t.isWithin(task));
    if (isIn && inAtomic === "contained" && task.state === "running") {
      within.set(task, entry);
      entry.contained += 1;
      if (!open.includes(entry)) open.push(entry);
    }
    if (isIn ? inAtomic === "free" : t.isFree(task)) free.add(task);
    return task;
  };
  const callBack = (me) => {
    seen.callbacks += 1;
    const kind = below(3);
    const bound = () => {
      if (t.current() !== me) seen.identity += 1;
    };
    if (kind === 0)
      setImmediate(() => void (t.current() === t.outside(me) ? 0 : (seen.identity += 1)));
    if (kind === 1) setImmediate(t.bind(bound));
    if (kind === 2) {
      const gated = t.gated(() => step(me));
      setImmediate(() => gated().catch(() => {}));
    }
  };
  const once = async (me, depth) => {
    const kind = depth > 0 ? below(12) : below(5);
    if (kind === 0 && t.native !== undefined)
      await t.native(me, step, below, () => open.length > 0);
    else if (kind < 4) await waits[below(waits.length)]();
    else if (kind === 4) callBack(me);
    else if (kind < 7) {
      const own = {};
      try {
        await t.atomic(block(depth, own));
      } finally {
        ending.delete(own.entry);
      }
    } else if (kind === 7) {
      const task = begin(depth);
      if (task !== undefined && below(2) === 0) await task.join();
    } else if (kind === 8) {
      try {
        await several(me, depth - 1);
        throw new Error("on purpose");
      } catch {
        step(me);
        await waits[below(waits.length)]();
      } finally {
        step(me);
        await waits[below(waits.length)]();
        step(me);
      }
    } else if (kind === 9) await Promise.all([several(me, depth - 1), several(me, depth - 1)]);
    else if (kind === 10) {
      const other = [...live][below(live.size)];
      if (other !== undefined && below(4) === 0) {
        seen.cancelled += 1;
        other.cancel("cancelled");
      }
    } else {
      const other = [...live][below(live.size)];
      if (other !== undefined && other !== me) await other.join();
    }
  };
  const several = async (me, depth) => {
    for (let left = 1 + below(4); left > 0; left -= 1) {
      try {
        await once(me, depth);
      } catch (error) {
        if (error?.name === "AtomicDeadlockError") seen.deadlocks += 1;
        if (below(3) === 0) throw error;
      }
      step(me);
    }
  };
  while (seen.steps < wanted) {
    const tasks = Array.from({ length: 6 }, () => begin(4)).filter((task) => task !== undefined);
    await Promise.allSettled(tasks.map((task) => task.join()));
    await Promise.allSettled([...live].map((task) => task.join()));
    live.clear();
  }
  return seen;
};
