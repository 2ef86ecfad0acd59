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
  } catch {
    check();
  }
};
