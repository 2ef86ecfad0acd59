// Assignments, and what they take apart.
const cases = {};

cases.deepDestr = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const { a: { b: [c, { d = 4 } = {}] = [1] } = {}, ...rest } = await W({ q: 1 });
      let [x, , y = x, ...z] = [await W(1), 2, undefined, 4, 5];
      ({
        x,
        y: [y],
        z = 3,
      } = { x: await W(8), y: [9] });
      return [c, d, rest, x, y, z];
    };
  },
};

cases.logAssign = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a,
        b = 1,
        c = 0;
      const o = {
        get k() {
          W("get");
          return null;
        },
        set k(v) {
          W("set", v);
        },
      };
      a ??= await W(1);
      b &&= await W(2);
      c ||= await W(0);
      o.k ??= await W(3);
      o.k &&= await W(4);
      o[W("k")] ||= await W(5);
      const f = (a &&= await W(6));
      return [a, b, c, f];
    };
  },
};

cases.logAssignName = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a;
      a ??= () => 1;
      let b;
      b ||= (await W(0), () => 1);
      await W(1);
      return [a.name, b.name];
    };
  },
};

cases.destrAwait = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const { a = await W(1), b } = { b: 2 };
      return [a, b];
    };
  },
};

cases.destrAssign = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a, b;
      [a, b = 3] = [await W(1)];
      ({ a, ...b } = await W({ a: 1, c: 2 }));
      [a, b] = [b, a];
      return [a, b];
    };
  },
};

cases.destrAssignAwait = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let a, b;
      [a = await W(3), b] = [undefined, 2];
      const o = {};
      [o[await W("q")]] = [5];
      return [a, b, o];
    };
  },
};

cases.calleeMut = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let f = (x) => ["old", x];
      const o = { f };
      const r = [
        f(await W(1, (f = (x) => ["new", x]))),
        o.f(await W(1, (o.f = (x) => ["new", x]))),
      ];
      return r;
    };
  },
};

cases.objMut = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let o = { k: 1 };
      const p = o;
      o.k = ((o = { k: 5 }), await W(2));
      return [o, p];
    };
  },
};

cases.objMut2 = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let o = { k: 1 },
        i = 0;
      const p = o;
      o[i++] = ((o = { k: 5 }), await W(i));
      o.k += ((o = {}), await W(1));
      return [o, p, i];
    };
  },
};

cases.nullTarget = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let o = null;
      try {
        o.k = await W(2);
      } catch (e) {
        W(e.name);
      }
      try {
        o[W("key")] = await W(3);
      } catch (e) {
        W(e.name);
      }
      try {
        o.m(await W(4));
      } catch (e) {
        W(e.name);
      }
      try {
        o(await W(5));
      } catch (e) {
        W(e.name);
      }
      try {
        nowhere(await W(6));
      } catch (e) {
        W(e.name);
      }
      try {
        new o(await W(7));
      } catch (e) {
        W(e.name);
      }
    };
  },
};

module.exports = cases;
