// Loops and iterators.
const cases = {};

cases.shadowLoops = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      let i = 9;
      for (let i = 0; i < 2; i++) {
        await W(i);
        {
          let i = 5;
          await W(i);
          for (const a of [1, 2]) {
            await W(a, i);
          }
        }
      }
      for (const i of [3]) {
        await W(i);
      }
      return [i, a];
    };
  },
};

cases.breakInSwitchLoop = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      o: while (true) {
        switch (n++) {
          case 0:
            await W(0);
            continue;
          case 1:
            await W(1);
            break;
          case 2:
            continue o;
          case 3:
            await W(3);
            break o;
        }
        W("after", n);
      }
      return n;
    };
  },
};

cases.finallyNestedLoop = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      for (const a of [1, 2, 3]) {
        try {
          for (const b of [1, 2]) {
            try {
              await W(a, b);
              if (b === 2) throw a;
            } finally {
              await W("in");
              if (a === 2) continue;
            }
          }
        } catch (e) {
          await W(e);
        } finally {
          W("out");
        }
      }
    };
  },
};

cases.genInside = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      const o = {
        *[Symbol.iterator]() {
          try {
            while (n < 5) yield n++;
          } finally {
            W("closed");
            n = 100;
          }
        },
      };
      for (const x of o) {
        if (x === 2) break;
        await W(x);
      }
      const [a, b] = [1, 2];
      return [n, a, b];
    };
  },
};

cases.forHeadClosures = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      for (let i = 0, g = () => i; i < 2; k.push(() => i), i++) {
        k.push(g);
        await W(i);
      }
      return k.map((x) => x());
    };
  },
};

cases.forMutClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      for (let i = 0; i < 4; i++) {
        k.push(() => i++);
        await W(i);
        k[0]();
      }
      return k.map((x) => x());
    };
  },
};

cases.forOfMutClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      for (let x of [1, 2]) {
        k.push(() => x++);
        await W(x);
        k[0]();
        x += 10;
      }
      return k.map((x) => x());
    };
  },
};

cases.forInClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      for (let x in { a: 1, b: 2 }) {
        k.push(() => x);
        await W(x);
        x += "!";
      }
      return k.map((x) => x());
    };
  },
};

cases.whileLetClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      let n = 0;
      while (n < 3) {
        let x = n;
        k.push(() => [x++, n]);
        n++;
        await W(x);
        x *= 2;
      }
      return k.map((x) => x());
    };
  },
};

cases.closeThrows = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const it = {
        [Symbol.iterator]: () => ({
          next: () => ({ value: 1, done: false }),
          return() {
            W("close");
            throw new Error("close");
          },
        }),
      };
      try {
        for (const x of it) {
          await W(x);
          break;
        }
      } catch (e) {
        W(e.message);
      }
      try {
        for (const x of it) {
          await W(x);
          throw new Error("body");
        }
      } catch (e) {
        W(e.message);
      }
      for (const x of it) {
        await W(x);
        return 1;
      }
    };
  },
};

cases.closeNonObj = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const it = {
        [Symbol.iterator]: () => ({
          next: () => ({ value: 1, done: false }),
          return() {
            W("close");
            return 3;
          },
        }),
      };
      try {
        for (const x of it) {
          await W(x);
          break;
        }
      } catch (e) {
        W(e.name);
      }
      try {
        for (const x of it) {
          await W(x);
          throw new Error("body");
        }
      } catch (e) {
        W(e.message);
      }
      for (const x of it) {
        await W(x);
        return 1;
      }
    };
  },
};

cases.doneGetter = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      const it = {
        [Symbol.iterator]() {
          return {
            next() {
              return {
                get done() {
                  W("d");
                  return n++ > 1;
                },
                get value() {
                  W("v");
                  if (n > 1) throw new Error("val");
                  return n;
                },
              };
            },
            return() {
              W("ret");
              return {};
            },
          };
        },
      };
      for (const x of it) {
        await W(x);
      }
    };
  },
};

cases.letNoInitLoop = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const r = [];
      for (let i = 0; i < 3; i++) {
        let x;
        r.push(x);
        x = await W(i);
        let y;
        if (i) y = x;
        await W(y);
        r.push(y);
      }
      return r;
    };
  },
};

cases.asyncGen = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const g = async function* () {
        yield await W(1);
        yield* [2, 3];
      };
      const r = [];
      for await (const x of g()) {
        r.push(x);
        await W(x);
      }
      return r;
    };
  },
};

cases.gen = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      function* g(x) {
        const y = yield x;
        W(y);
        yield y;
      }
      const it = g(await W(1));
      return [it.next(), it.next(await W(5)), it.next()];
    };
  },
};

cases.forVarClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const k = [];
      for (var i = 0; i < 3; i++) {
        k.push(() => i++);
        await W(i);
      }
      k[0]();
      await W(i);
      return [i, k[1]()];
    };
  },
};

cases.forAwaitHead = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const r = [];
      for (let i = await W(0), n = 3; i < (await W(n)); i += await W(1)) {
        if (i === 1) continue;
        r.push(() => i);
      }
      for (let i = 0; await W(i < 2); i++) r.push(() => i);
      return r.map((x) => x());
    };
  },
};

cases.forInOfAssign = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = {};
      let x, y;
      for (x of [1, 2]) await W(x);
      for (o.k of [3, 4]) await W(o.k);
      for ([x, y = 2] of [[1], [2, 3]]) await W(x, y);
      for ({ a: x, ...y } of [{ a: 1, b: 2 }]) await W(x, y);
      for (o[await W("z")] of [7]);
      return [o, x, y];
    };
  },
};

cases.doWhile = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      a: do {
        n++;
        if (n === 2) continue a;
        if (n === 3) continue;
        await W(n);
      } while ((await W(n)) < 5 && n < 6);
      do await W(n--);
      while (n > 0);
      return n;
    };
  },
};

cases.useBeforeDefFn = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const r = g();
      let z = 1;
      await W(1);
      return [r, g(), z];
      function g() {
        try {
          return z;
        } catch (e) {
          return e.name;
        }
      }
    };
  },
};

cases.nestedLoopShared = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const fs = [];
      for (let i = 0; i < 3; i++) {
        let s = i;
        fs.push(async () => {
          "perhaps async";
          s += await W(i);
          return s;
        });
        await W(i);
        s += 10;
      }
      const r = [];
      for (const f of fs) r.push(await f(), await f());
      return r;
    };
  },
};

cases.tailAwaitsInLoops = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const kept = [];
      await W(1);
      for (let i = 0; kept.push(() => i) < 3; i++) {
        let j = i * 2;
        kept.push(() => j++);
        if (i === 5) return await W(2);
        j += 1;
      }
      for (const x of [1, 2]) {
        let y = x;
        kept.push(() => [x, y++]);
        if (x === 5) return await W(2);
        y += 1;
      }
      return await W(kept.map((it) => it()));
    };
  },
};

module.exports = cases;
