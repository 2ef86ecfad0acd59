// What only sloppy code may do.
const cases = {};

cases.withSt = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(o) {
      "perhaps async";
      with (o) {
        await W(a);
      }
      return 1;
    };
  },
};

cases.deletedVariable = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      let x = await W(1);
      const change = () => (x = 2);
      await W(change());
      return [delete x, x];
    };
  },
};

cases.withClosure = {
  args: () => [{ a: 2, W: 5 }],
  make(W) {
    return async function f(o) {
      "perhaps async";
      var a = await W(1);
      let get, own;
      with (o) {
        get = function () {
          return a;
        };
        own = async function () {
          "perhaps async";
          return [await a, await W];
        };
      }
      await W((a = 3));
      return [get(), a, await own()];
    };
  },
};

cases.branches = {
  args: () => [],
  make(W) {
    async function one(n) {
      "perhaps async";
      if (await W(n)) function g() {}
      return typeof g;
    }
    async function other(n) {
      "perhaps async";
      if (n) function g() {}
      else function h() {}
      await W(n);
      return [typeof g, typeof h];
    }
    function around(n) {
      const f = async () => {
        "perhaps async";
        return [typeof g, g, await W(n)];
      };
      const early = f();
      if (n) function g() {}
      return [early, f()];
    }
    return async () => {
      "perhaps async";
      const all = [];
      for (const n of [0, 1]) all.push(await one(n), await other(n), await Promise.all(around(n)));
      return all;
    };
  },
};

var q = "around";
cases.evalAround = {
  args: () => ["var q = 'declared'"],
  make(W) {
    function body(code) {
      eval(code);
      return async function f() {
        "perhaps async";
        await W(1);
        return q;
      };
    }
    function defaults(code, x = eval(code)) {
      return async () => {
        "perhaps async";
        await W(2);
        return q;
      };
    }
    function arrow(code) {
      const declare = () => (eval(code), async () => await inner());
      const inner = async () => {
        "perhaps async";
        await W(3);
        return q;
      };
      return declare();
    }
    return async (code) => {
      "perhaps async";
      return [await body(code)(), await defaults(code)(), await arrow(code)()];
    };
  },
};

cases.evalBeside = {
  args: () => [],
  make(W) {
    let value = 1;
    const run = (code) => eval(code);
    const all = [
      async () => {
        "perhaps async";
        return [value, await W(1), value];
      },
    ];
    return async () => {
      const change = W;
      W = (x) => (run("value += 1"), change(x));
      return [await all[0](), await all[0]()];
    };
  },
};

module.exports = cases;
