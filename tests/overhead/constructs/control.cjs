// Branches, `switch`, jumps.
const cases = {};

cases.switchFall = {
  args: () => [7],
  make(W) {
    return async (v) => {
      "perhaps async";
      let r = [];
      switch (await W(v)) {
        default:
          r.push(await W("d"));
        case 1: {
          let x = await W(1);
          r.push(x);
        }
        case 2:
          await W(2);
          break;
        case 3:
          r.push(3);
      }
      switch (v) {
        case W(8):
          await W(1);
        case W(9):
          await W(2);
      }
      return r;
    };
  },
};

cases.switchLexical = {
  args: () => [7],
  make(W) {
    return async (v) => {
      "perhaps async";
      const fs = [];
      for (const v of [0, 1, 2])
        switch (v) {
          case 0: {
            const x = await W(1);
            fs.push(() => x);
            break;
          }
          case 1:
            let y = 2;
            fs.push(() => y++);
            await W(y);
            y += 5;
            break;
          default:
            class Z {
              static q = 1;
            }
            await W(3);
            fs.push(() => Z.q);
        }
      return fs.map((f) => f());
    };
  },
};

cases.condChain = {
  args: () => [1],
  make(W) {
    return async (a) => {
      "perhaps async";
      return a ? ((await W(0)) ? 1 : (await W(1)) ? await W(2) : 3) : await W(4);
    };
  },
};

cases.condSide = {
  args: () => [1],
  make(W) {
    return async (a) => {
      "perhaps async";
      let n = 0;
      const r =
        n++ +
        ((n++ > 5 && (await W(n++))) || n++) +
        n +
        (a ?? (await W(n++))) +
        (null ?? (await W(n++)));
      return [r, n];
    };
  },
};

cases.labelFn = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      a: {
        b: {
          await W();
          break a;
        }
        W(1);
      }
      return 1;
    };
  },
};

cases.switchShare = {
  args: () => [0],
  make(W) {
    return async function f(v) {
      "perhaps async";
      switch (v) {
        case 0:
          let x = await W(1);
        case 1:
          W((x = 3));
          return x;
      }
    };
  },
};

cases.switchShareClosure = {
  args: () => [0],
  make(W) {
    return async function f(v) {
      "perhaps async";
      let g;
      switch (v) {
        case 0:
          let x = 1;
          g = () => x++;
          await W(1);
          g();
          await W(2);
          return x;
      }
    };
  },
};

cases.ifElseChain = {
  args: () => [3],
  make(W) {
    return async (v) => {
      "perhaps async";
      if (v === 1) await W(1);
      else if (await W(v === 2)) return 5;
      else if (v) {
        await W(3);
      } else await W(4);
      return 6;
    };
  },
};

cases.enumLike = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      label: {
        const x = await W(1);
        if (x) break label;
        W(2);
      }
      foo: for (const a of [1, 2]) {
        for (const b of [1, 2]) {
          await W(a, b);
          if (b === 1) continue foo;
        }
      }
      return 1;
    };
  },
};

module.exports = cases;
