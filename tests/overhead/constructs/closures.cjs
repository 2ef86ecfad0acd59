// Variables and names that closures share.
const cases = {};

cases.argsNested = {
  args: () => [1, 2],
  make(W) {
    return async function f(a, b) {
      "perhaps async";
      const g = () => arguments[1];
      a = 5;
      await W(1);
      return [arguments[0], g(), a];
    };
  },
};

cases.hoistedFnClosure = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      let n = 0;
      g();
      await W();
      g();
      return n;
      function g() {
        n++;
      }
    };
  },
};

cases.varClosure = {
  args: () => [3],
  make(W) {
    return async (p) => {
      "perhaps async";
      var x;
      const g = () => x++;
      await W(1);
      var x = 5;
      g();
      await W(2);
      {
        var x = x + 1;
      }
      return [x, g(), x];
    };
  },
};

cases.varDestrClosure = {
  args: () => [3],
  make(W) {
    return async (p) => {
      "perhaps async";
      var { x, y } = { x: 1, y: 2 };
      const g = () => x++;
      await W(1);
      g();
      await W(2);
      return [x, y];
    };
  },
};

cases.varArrClosure = {
  args: () => [3],
  make(W) {
    return async (p) => {
      "perhaps async";
      var [x, y = 2] = [1];
      const g = () => x++;
      await W(1);
      g();
      await W(2);
      return [x, y];
    };
  },
};

cases.selfName = {
  args: () => [3],
  make(W) {
    return async function f(n) {
      "perhaps async";
      await W(n);
      f.x = 1;
      return n > 0 ? await f(n - 1) : f.x;
    };
  },
};

cases.selfNameAssign = {
  args: () => [3],
  make(W) {
    return async function f(n) {
      "perhaps async";
      f = 3;
      await W(n);
      f = 4;
      return typeof f;
    };
  },
};

cases.letTdzClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const g = () => x;
      try {
        g();
      } catch (e) {
        W(e.name);
      }
      await W(1);
      try {
        g();
      } catch (e) {
        W(e.name);
      }
      let x = 3;
      await W(2);
      return g();
    };
  },
};

cases.nestedShared = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0,
        log = [];
      async function add(x) {
        "perhaps async";
        n += await W(x);
        log.push(n);
        if (x > 0) await add(x - 1);
      }
      await add(2);
      n++;
      await W(1);
      const h = async () => {
        "perhaps async";
        n = n * 2;
        await W(n);
        return () => n++;
      };
      const k = await h();
      k();
      return [n, log, k()];
    };
  },
};

cases.fnNames = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let f;
      f = (await W(0)) || (() => 1);
      const g = (await W(0)) || function () {};
      const o = { a: (await W(1)) && (() => 2), b: () => 3, c: await W(2) };
      const { h = () => 4, i = class {} } = await W({});
      return [f.name, g.name, o.a.name, o.b.name, h.name, i.name];
    };
  },
};

cases.fnNames2 = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = () => 1;
      await W(1);
      let g = function () {};
      await W(2);
      const o = { b: () => 3, d: class {}, c: await W(2), e() {} };
      var k = () => 1;
      class Q {}
      await W(3);
      return [f.name, g.name, o.b.name, o.d.name, k.name, Q.name, o.e.name];
    };
  },
};

cases.fnNamesLet = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      for (let i = 0; i < 2; i++) {
        let f = () => i;
        let g = class {};
        let h;
        h = () => 1;
        await W(f.name, g.name, h.name);
        W(f.name, f(), g.name, h.name);
      }
    };
  },
};

cases.fnNamesBoxed = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let f = () => 1;
      const set = () => {
        f = null;
      };
      await W(f.name);
      W(f.name);
      set();
      return f;
    };
  },
};

// The declaration runs again behind the await, in the next round of the outer loop.
cases.varHeadInLoop = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      for (let i = 0; i < 2; i++) {
        for (var [x = 9, y = 1] = [i]; x < 2; x++) {
          await W("in", x);
        }
      }
      return (() => x++)();
    };
  },
};

module.exports = cases;
