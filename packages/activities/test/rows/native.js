// What only the language has: loops that wait, and generators that do.

async function* given(step, below) {
  for (let left = below(3); left > 0; left -= 1) {
    step();
    if (below(2) === 0) await null;
    step();
    try {
      yield left;
    } finally {
      step();
    }
  }
  if (below(2) === 0) return Promise.resolve(0);
  try {
    return Promise.reject(new Error("from a generator"));
  } catch {
    step();
  }
}

/** Goes over what waits and gives it on: whoever asks is in the middle of the loop. */
async function* mapped(items, check) {
  for await (const it of items) {
    check();
    yield it;
    check();
  }
}

/** Gives on what others give. */
async function* joined(check, below) {
  yield* given(check, below);
  check();
  yield* [1, Promise.resolve(2)];
  check();
  return (1, 2);
}

/** Asks for steps by hand: what it does behind a call stays its own. */
async function asks(check, below) {
  const iterator = below(2) === 0 ? mapped(given(check, below), check) : joined(check, below);
  for (let left = below(4); left > 0; left -= 1) {
    const step = iterator.next();
    check();
    await step.catch(() => undefined);
    check();
  }
  const both = [iterator.next(), iterator.next()];
  check();
  await Promise.allSettled(both);
  check();
}

/** Leaves loops over what is not asynchronous: the language waits for their end. */
async function leavesLists(check, below) {
  for await (const it of [1, 2, 3]) {
    check();
    if (it > below(3)) break;
  }
  check();
  try {
    for await (const it of [1, 2]) {
      check();
      if (it === 1) throw new Error("left");
    }
  } catch {
    check();
  }
}

/** Waits for what is no promise and works where it is waited for. */
async function queries(check) {
  const work = async () => {
    check();
    await null;
    check();
  };
  await { then: (resolve, reject) => work().then(resolve, reject) };
  check();
}

/** Leaves loops for a label further out: the iterator ends behind it, and the code goes on elsewhere. */
async function leaves(check, below) {
  const items = () => ({ [Symbol.asyncIterator]: () => given(check, below) });
  away: {
    for await (const it of items()) {
      check();
      if (it < 3) break away;
    }
  }
  check();
  again: for (let left = below(3), ok = true; left > 0 && ok; left -= 1, check()) {
    inner: for await (const it of items()) {
      check();
      try {
        for await (const other of items()) {
          if (other === 1) continue inner;
          if (other === 2) continue again;
        }
      } finally {
        check();
      }
      ok = it !== 1;
    }
  }
  check();
}

/** Takes apart what was caught: getters, default values and computed names are code of the task, too. */
async function takesApart(check, below) {
  const thrown = () => ({
    get failed() {
      check();
      return undefined;
    },
  });
  const other = async () => {
    check();
    await null;
    check();
    return "failed";
  };
  try {
    await Promise.reject(thrown());
  } catch ({ failed = (check(), below(2) === 0 ? await other() : 1), ...rest }) {
    check();
    rest.failed = failed;
  }
  check();
  try {
    await Promise.reject(thrown());
  } catch ({ [await other()]: failed }) {
    check();
    if (failed !== undefined) throw failed;
  } finally {
    check();
  }
  check();
}

/** Goes over something that waits, in the task that asks. */
export const native = async (me, step, below, isInBlock) => {
  const check = () => step(me);
  try {
    outer: for await (const it of given(check, below)) {
      check();
      for await (const other of [Promise.resolve(it), it]) {
        check();
        if (other === 1) continue outer;
        if (other === 3) break outer;
        if (below(9) === 0) throw new Error("in a loop");
      }
      check();
    }
    check();
    for await (const it of { [Symbol.asyncIterator]: () => given(check, below) })
      if (it === 2) break;
    check();
    await leaves(check, below);
    check();
    await asks(check, below);
    check();
    await leavesLists(check, below);
    check();
    await takesApart(check, below);
    check();
    if (isInBlock()) await queries(check);
    check();
  } catch {
    check();
  }
};
