// Names: shadowed, hoisted, shared with closures, used too early.
const cases = {};

cases.shadowTdz = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      {
        try {
          a;
        } catch (e) {
          W(e.name);
        }
        await W(1);
        const g = () => a;
        let a = 3;
      }
      return a;
    };
  },
};

cases.shadowTdz2 = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      {
        await W(1);
        const g = () => a;
        let a = 3;
        await W(g());
      }
      return a;
    };
  },
};

cases.earlyWrite = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const set = () => {
        x = 5;
      };
      const inc = () => x++;
      try {
        set();
      } catch (e) {
        W(e.name);
      }
      try {
        inc();
      } catch (e) {
        W(e.name);
      }
      await W(1);
      let x = 1;
      set();
      await W(x);
      inc();
      return x;
    };
  },
};

cases.tempNames = {
  args: () => [true],
  make(W) {
    return async (c) => {
      "perhaps async";
      const a = [class {}, await W(1)];
      const g = c ? () => 1 : await W(2);
      const h = (await W(0)) || (await W(0)) || function () {};
      const o = {
        k: class {},
        z: () => 1,
        y: await W(1),
        m: class {
          static name = "own";
        },
        w: await W(3),
      };
      const b = [class {}, () => 2, await W(2)];
      return [a[0].name, g.name, h.name, o.k.name, o.z.name, o.m.name, b[0].name, b[1].name];
    };
  },
};

cases.hoistVarFn = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      var g = 3;
      await W(1);
      function g() {}
      return typeof g;
    };
  },
};

cases.varInTwin = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      for (var k in { a: 1 }) {
        await W();
      }
      return k;
    };
  },
};

cases.fnInBlock = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      {
        await W();
        return g();
        function g() {
          return 2;
        }
      }
    };
  },
};

cases.fnInBlockSloppy = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      {
        function g() {
          return 2;
        }
      }
      await W();
      return g();
    };
  },
};

cases.fnInBlockSloppy2 = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      await W();
      if (true) {
        function g() {
          return 2;
        }
      }
      return g();
    };
  },
};

cases.fnInBlockSloppy3 = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      await W();
      if (true) {
        g = 1;
        function g() {
          return 2;
        }
        W(typeof g);
      }
      return typeof g;
    };
  },
};

cases.hoistedFn = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      g.x = 1;
      await W();
      return g() + g.x;
      function g() {
        return 2;
      }
    };
  },
};

cases.hoistedFnAssigned = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      g = 1;
      await W();
      return g;
      function g() {
        return 2;
      }
    };
  },
};

cases.hoistedTwice = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      function g() {
        return 1;
      }
      await W();
      function g() {
        return 2;
      }
      return g();
    };
  },
};

cases.varRedeclared = {
  args: () => [3],
  make(W) {
    return async (p) => {
      "perhaps async";
      var p;
      var x = 1;
      W(x, p);
      await W(1);
      var x;
      var x = x + 1;
      await W(x);
      for (var x of [4, 5]) await W(x);
      return [x, p];
    };
  },
};

cases.letTdzAwait = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const g = () => x;
      let x = (await W(1).then)
        ? 1
        : (() => {
            try {
              return g();
            } catch (e) {
              return e.name;
            }
          })();
      return x;
    };
  },
};

cases.constAssign = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const x = 1;
      try {
        x = await W(2);
      } catch (e) {
        return e.name;
      }
    };
  },
};

cases.names = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = async () => {
        "perhaps async";
        await W();
      };
      const o = {
        async m() {
          "perhaps async";
          await W();
        },
        p: async () => {
          "perhaps async";
        },
        q: async function () {
          "perhaps async";
        },
      };
      class A {
        static async s() {
          "perhaps async";
        }
      }
      return [
        f.name,
        o.m.name,
        o.p.name,
        o.q.name,
        A.s.name,
        f.length,
        (async (a, b = 1) => {
          "perhaps async";
          await W();
        }).length,
        (async ({ a }, [b], c) => {
          "perhaps async";
          await W();
        }).length,
        (async ({ a } = {}, [b], c) => {
          "perhaps async";
          await W();
        }).length,
      ];
    };
  },
};

cases.update = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a = 1;
      const o = { k: 1 };
      const r =
        a++ + (await W(a)) + a-- * (await W(2)) + o.k++ + (await W(o)).k++ + ++o[await W("k")];
      return [r, a, o];
    };
  },
};

cases.undeclared = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        undeclared_ = await W(2);
      } catch (e) {
        W(e.name);
      }
      return [typeof undeclared_, delete globalThis.undeclared_];
    };
  },
};

cases.dateNow = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let undefined_ = 1;
      {
        let Promise = 3,
          Object = 4,
          error = 5,
          TypeError = 6,
          Symbol = 7,
          Array = 8;
        await W(Promise);
        for (const x of [1]) await W(Object);
        try {
          throw 1;
        } catch (error) {
          await W(error);
        }
        return [Promise, Object, error];
      }
    };
  },
};

// A name in a head means what is declared further down, of a function around it.
cases.defaultBeforeVar = {
  args: () => [1],
  make(W) {
    return async function f(p) {
      "perhaps async";
      var name = await W(p);
      const inner = () => {
        const seen = ((a = name) => a)();
        var name = 5;
        return [seen, name];
      };
      name += await W(1);
      return [inner(), name];
    };
  },
};

cases.defaultBeforeFunction = {
  args: () => [1],
  make(W) {
    return async function f(p) {
      "perhaps async";
      let helper = await W(p);
      function inner() {
        return ((a = helper()) => a)();
        function helper() {
          return "inner";
        }
      }
      helper = [helper, await W(2)];
      return [inner(), helper];
    };
  },
};

cases.caughtBeforeVar = {
  args: () => [1],
  make(W) {
    return async function f(p) {
      "perhaps async";
      var name = await W(p);
      const inner = async () => {
        let seen;
        try {
          throw { k: undefined };
        } catch ({ k: caught = (seen = [name]) }) {
          var name = [caught, await W(3)];
        }
        return [seen, name];
      };
      name += await W(1);
      return [await inner(), name];
    };
  },
};

cases.parametersSeeNoBody = {
  args: () => [1],
  make(W) {
    return async function f(p) {
      "perhaps async";
      var name = await W(p);
      const inner = (a = () => name) => {
        var name = 5;
        return [a(), name];
      };
      name += await W(1);
      return [inner(), name];
    };
  },
};

module.exports = cases;
