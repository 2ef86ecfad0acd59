// Parameters: patterns, defaults, `arguments`.
const cases = {};

cases.paramShadow = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      await W(a);
      {
        let a = 2;
        W(a);
        await W(7);
      }
      {
        let a = 3;
        const g = () => a++;
        await W(a);
        g();
        W(a);
      }
      return a;
    };
  },
};

cases.defaultNames = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = async (a = () => 1, { b = () => 2, c = class {} } = {}) => {
        "perhaps async";
        const g = () => [a++, 1];
        return [await W(1), a.name, b.name, c.name];
      };
      return await f();
    };
  },
};

cases.fnParam = {
  args: () => [1],
  make(W) {
    return async (a) => {
      "perhaps async";
      const b = a;
      await W(1);
      function a() {
        return 3;
      }
      return [typeof a, typeof b];
    };
  },
};

cases.thisInParams = {
  args: () => [],
  make(W) {
    return async function f(a = this.k, b = () => this.k) {
      "perhaps async";
      await W(1);
      return [a, b()];
    };
  },
};

cases.paramVar = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f({ a }, w) {
      "perhaps async";
      var a;
      await w();
      return a;
    };
  },
};

cases.paramVar2 = {
  args: () => [],
  make(W) {
    return async function f(a = g(), b) {
      "perhaps async";
      var a;
      function g() {
        return 3;
      }
      return a;
    };
  },
};

cases.paramFn = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f({ a }) {
      "perhaps async";
      function a() {}
      return typeof a;
    };
  },
};

cases.paramClosure = {
  args: () => [1],
  make(W) {
    return async function f(a, g = () => a) {
      "perhaps async";
      var a = 5;
      await W();
      return [a, g()];
    };
  },
};

cases.paramClosure2 = {
  args: () => [1],
  make(W) {
    return async function f(a, g = (W(), () => a)) {
      "perhaps async";
      var a;
      a = 5;
      await W();
      return [a, g()];
    };
  },
};

cases.paramArgs = {
  args: () => [1],
  make(W) {
    return async function f(a = W(), b = arguments.length) {
      "perhaps async";
      await W();
      return [b, arguments.length, arguments[0]];
    };
  },
};

cases.paramAwaitName = {
  args: () => [undefined, 3, 4],
  make(W) {
    return async function f({ a: { b } } = { a: { b: 1 } }, ...[c, d]) {
      "perhaps async";
      await W();
      return [b, c, d];
    };
  },
};

cases.paramTdz = {
  args: () => [],
  make(W) {
    return async function f(a = b, b) {
      "perhaps async";
      await W();
      return [a, b];
    };
  },
};

cases.letShadowParam = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f({ a }) {
      "perhaps async";
      {
        let a = 2;
        await W();
        W(a);
      }
      return a;
    };
  },
};

cases.argumentsAssign = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      arguments[0] = 9;
      await W();
      return a;
    };
  },
};

cases.paramClosureMut = {
  args: () => [3],
  make(W) {
    return async (p, q = 2, ...r) => {
      "perhaps async";
      const g = () => [p++, q++, r.push(1)];
      await W(1);
      g();
      await W(2);
      p += 10;
      g();
      return [p, q, r];
    };
  },
};

cases.paramPatClosureMut = {
  args: () => [{ p: 3 }],
  make(W) {
    return async ({ p, z = p }, [q] = [2]) => {
      "perhaps async";
      const g = () => [p++, q++, z++];
      await W(1);
      g();
      await W(2);
      p += 10;
      g();
      return [p, q, z];
    };
  },
};

cases.functionsSeeLaterOnes = {
  args: () => [undefined, undefined, { e: 7 }],
  make(W) {
    return async function f(
      a = () => [b, d],
      b = a,
      {
        c = function () {
          return e;
        },
        d = 2,
        e = 3,
      } = {},
      ...[g]
    ) {
      "perhaps async";
      return [await W(a()), c(), typeof b, await W(g)];
    };
  },
};

cases.functionsSeeRest = {
  args: () => [undefined, 5],
  make(W) {
    return async (a = () => c, b = 2, ...[c = 4]) => {
      "perhaps async";
      return [a(), a.name, await W(b)];
    };
  },
};

/** Names of the list are other ones than those of the body, and so are those in functions of the list. */
cases.defaultsWithNamesOfTheirOwn = {
  args: () => [1],
  make(W) {
    const w = "outer";
    const own = async function own(a, v = W(typeof own)) {
      "perhaps async";
      return [v, await W(a)];
    };
    const inList = async (a, v = ((w) => w)(a), f = W(function w() {})) => {
      "perhaps async";
      let w = await W(a);
      return [v, typeof f, w];
    };
    const inBlock = async (a, v = W(w)) => {
      "perhaps async";
      {
        const w = await W(a);
        W(w);
      }
      return v;
    };
    return async (a) => {
      "perhaps async";
      return [await own(a), await inList(a), await inBlock(a)];
    };
  },
};

module.exports = cases;
