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

/** Goes over something that waits, in the task that asks. */
export const native = async (me, step, below) => {
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
  } catch {
    check();
  }
};
