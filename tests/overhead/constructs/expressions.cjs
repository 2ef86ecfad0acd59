// Expressions, and the order of what is in them.
const cases = {};

cases.sameTemp = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = async (x) => {
        "perhaps async";
        return (await W(x)) + 1;
      };
      return (await f(1)) + (await f(await f(2))) * (await f((await f(3)) + (await f(4))));
    };
  },
};

cases.exprStmts = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      (await W(1)) && W(2);
      (await W(0)) || (await W(3));
      (await W(1)) ? W(4) : W(5);
      [await W(1)].map((x) => W(x));
      ({ a: await W(1) }).a;
      (function () {
        W("iife");
      })();
      (await W(() => 1))();
      !(await W(2));
      new (await W(
        class {
          constructor() {
            W("ctor");
          }
        },
      ))();
      `${await W(9)}`;
    };
  },
};

cases.callerThisSloppy = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      await W();
      return typeof this;
    };
  },
};

cases.getter = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = {
        get x() {
          W("get");
          return 1;
        },
        set x(v) {
          W(v);
        },
      };
      o.x += await W(2);
      o.x ||= await W(3);
      return o.x;
    };
  },
};

cases.computedKey = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = { [await W("k")]: await W(1), ...(await W({ z: 1 })), [W("j")]: 4 };
      return o;
    };
  },
};

cases.optional = {
  args: () => [
    {
      a: 1,
      b(x) {
        return [x, this.a];
      },
    },
  ],
  make(W) {
    return async (o) => {
      "perhaps async";
      return [
        o?.a,
        o?.b(await W(1)),
        (await W(o))?.b(2),
        o?.[await W("a")],
        o?.b?.(await W(1)),
        await o?.b(await W(4)),
        (o?.b)(await W(3)),
      ];
    };
  },
};

cases.optionalNull = {
  args: () => [null],
  make(W) {
    return async (o) => {
      "perhaps async";
      return [
        o?.a,
        o?.b(await W(1)),
        (await W(o))?.b(2),
        o?.[await W("a")],
        o?.b?.(await W(1)),
        await o?.b(await W(4)),
      ];
    };
  },
};

cases.tagged = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const t = (s, ...v) => [s.raw, v];
      const f = () => t`a${1}`[0];
      return [t`a${await W(1)}b${await W(2)}`, f() === f()];
    };
  },
};

cases.template = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = {
        toString() {
          W("s");
          return "S";
        },
        [Symbol.toPrimitive](h) {
          W(h);
          return "P";
        },
      };
      return `${o}${await W(1)}${o}` + o + (await W(2));
    };
  },
};

cases.seq = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a = 1;
      const r = (a++, await W(a), a++, await W(a), a);
      return [r, a, (await W(1), 2, W(3))];
    };
  },
};

cases.inOp = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      return [
        (await W("k")) in { k: 1 },
        "k" in (await W({})),
        delete (await W({ k: 1 })).k,
        typeof (await W(1)),
        void (await W(2)),
        !(await W(0)),
        (await W(Object)) instanceof Function,
        {} instanceof (await W(Object)),
      ];
    };
  },
};

cases.spread = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = (...a) => a;
      return [
        f(...[1, 2], await W(3), ...(await W([4])), ...[5]),
        [...[1], , ...(await W([2])), , 3].length,
        new Array(...[1, 2], await W(3)),
        new (await W(Array))(await W(2), 1),
        {
          ...{
            get a() {
              W("ga");
              return 1;
            },
          },
          b: await W(2),
          ...(await W({ c: 3 })),
        },
      ];
    };
  },
};

cases.callThis = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = {
        k: 1,
        m(x) {
          return [this === o, x];
        },
        n: {
          m() {
            return this === o.n;
          },
        },
      };
      return [
        o.m(await W(1)),
        o.m(await W(2)),
        o["m"](await W(3)),
        o[await W("m")](4),
        (0, o.m)(await W(5)),
        o.n.m(await W(6)),
        (await W(o)).m(7),
        o.n[await W("m")](await W(8)),
        o?.m(await W(9)),
      ];
    };
  },
};

cases.dirs = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(o) {
      "use strict";
      "perhaps async";
      await W(1);
      return this === undefined;
    };
  },
};

cases.dirs2 = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(o) {
      "perhaps async";
      "use strict";
      await W(1);
      return this === undefined;
    };
  },
};

cases.arrowThis = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(o) {
      "perhaps async";
      const g = async () => {
        "perhaps async";
        await W(1);
        return [this.k, arguments.length];
      };
      return await g(1, 2, 3);
    };
  },
};

cases.emptyBodies = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      while (await W(n++ < 2));
      for (; await W(n++ < 5););
      if (await W(1));
      else W(2);
      if (await W(0));
      return n;
    };
  },
};

cases.awaitKinds = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      return [
        await await W(1),
        await await W(2),
        await -(await W(3)),
        await (async () => {
          "perhaps async";
          return await W(4);
        })(),
        await Promise.all([W(5), W(6)]),
        await [await W(1)],
        await {},
        await null,
        await (() => 1),
      ];
    };
  },
};

cases.throwAwait = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      throw await W(new Error("thrown"));
    };
  },
};

cases.regex = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const a = 4,
        g = 2;
      return [a / (await W(2)) / g, /x/g.test(await W("x")), (await W(1)) ? /a/ : /b/].map(String);
    };
  },
};

cases.inIn = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      for (var i = ("a" in { a: 1 }) ? 0 : 5; i < 2; i++) await W(i);
      for (let j = await W(0), k = ("a" in {}); j < 1; j++) W(k);
      return i;
    };
  },
};

cases.protoShort = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const __proto__ = { z: 1 };
      const o = { __proto__, a: await W(1) };
      const p = { __proto__: await W({ y: 2 }), b: 1 };
      return [Object.keys(o), o.z, p.y, Object.keys(p)];
    };
  },
};

// prettier-ignore
cases.calledAtOnce = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const get = (x) => function () { return W(x); };
      (await get(1))();
      ((await get(get(2))))();
      (await get(get(3))())();
      (0, (await get(4)))();
      (W(5), await get(6))();
      if (W(7)) (await get(8))();
      try {
        (await get(9))();
      } finally {
        ((await get(10)))();
      }
      (await get(11))?.();
      new (await get(12))();
      (await get(13))`x`;
    };
  },
};

// prettier-ignore
cases.valuesOnly = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const o = {
        a: 1,
        m() {
          return this === o;
        },
      };
      W((0, (await o).m)(), (await W(1), o.m)(), (await W(2), o["m"])?.(), (await W(3), o.m)`x`);
      W((await o).m(), ((await o).m)(), (await o)["m"]());
      W(delete (await W(4), o.a), "a" in o, delete (await o), delete (W(5) && (await W(6))));
      W(delete (await o).a, "a" in o);
      try {
        W(typeof (await W(7), nowhere));
      } catch (error) {
        W(error.name);
      }
      const local = 1;
      return [(await W(8), eval)("typeof local"), local];
    };
  },
};

// prettier-ignore
cases.boxCalled = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const own = function () {
        "use strict";
        return this === undefined;
      };
      let f = own;
      const change = () => (f = own);
      await W(change());
      return [f(), (f)(), f?.(), (f)`x`, f`x`, (0, f)()];
    };
  },
};

cases.templates = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const seen = [];
      const tag = (strings, ...values) => {
        if (!seen.includes(strings)) seen.push(strings);
        return [seen.indexOf(strings), strings.raw, strings, values].map(String).join();
      };
      const o = {
        tag(strings) {
          W(this === o, tag(strings));
          return o.tag;
        },
      };
      const again = () => tag`again`;
      for (let i = 0; i < 3; i++) {
        W(tag`a${i}b${(W(i), i)}c\unicode`, tag`a${i}b${tag`inner`}`, again());
        await W(i);
        o.tag`x${i /* a comment */}`?.name;
        W(new (tag`x` ? Array : Object)().length, String.raw`\n${i}`);
      }
      return seen.length;
    };
  },
};

// prettier-ignore
cases.commas = {
  args: () => [{ v: 1 }],
  make(W) {
    return async function f(o) {
      "perhaps async";
      let i = 0;
      const comma = {
        key: (o[i++, "v"] = await W(3)),
        method: o[W("k"), "toString"](await W(4)),
        read: (await W(o))[W("k"), "v"],
        text: `${(i++, i)}${W(5), 6}${await W(7)}`,
      };
      if ((W(8), await W(0))) return 9;
      switch ((W(10), i)) {
        case (W(11), i):
          await W(12);
      }
      for (W(13), i = 0; (await W(14), i < 1); W(15), i++) await W(16);
      return W(17), await W(18), [comma, o, i];
    };
  },
};

module.exports = cases;
