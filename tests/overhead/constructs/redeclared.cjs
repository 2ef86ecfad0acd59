// Variables that are declared again: parameters by `var`, and `var`s by others.
const cases = {};

cases.value = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); var a = 5; return [x, (() => a)()];
    };
  },
};

cases.noValue = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); var a; const g = () => a; await W(2); return [x, g()];
    };
  },
};

cases.awaitedValue = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var a = await W(a); return [1].map((x) => x + a);
    };
  },
};

cases.changedByClosure = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = () => a++; await W(a); var a = a + (await W(10)); g(); return [g(), a];
    };
  },
};

cases.early = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = () => a; const x = g(); await W(x); var a = 2; await W(g()); return [x, a];
    };
  },
};

cases.twice = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var a = await W(2); var g = () => a; var a = (await W(3)) + a; await W(4); return [a, g()];
    };
  },
};

cases.array = {
  args: () => [[1, 2]],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var [a] = a; await W(a); return (() => a)();
    };
  },
};

cases.arrayBehind = {
  args: () => [[1, 2]],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = () => a; await W(1)
var [a] = a
await W(a)
return g();
    };
  },
};

cases.object = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); var { a } = a; const g = () => a; await W(2); return [x, g()];
    };
  },
};

cases.objectNoClosure = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var { a } = a; const x = await W(1); return [x, a];
    };
  },
};

cases.several = {
  args: () => [1, 2],
  make(W) {
    return async function f(a, b) {
      "perhaps async";
      const g = () => [a, b, c]; await W(1); var a = b, b = await W(3), c = 4; return g();
    };
  },
};

cases.forHead = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      for (var a = 0; a < 3; a++) await W(a); return (() => a)();
    };
  },
};

cases.forOf = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); for (var a of [1, 2]) { } const g = () => a; return [x, g()];
    };
  },
};

cases.forOfAwait = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = () => a; for (var a of [1, await W(2)]) { await W(g()); } return g();
    };
  },
};

cases.forOfArray = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); for (var [a] of [[1], [2]]) { } const g = () => a; return [x, g()];
    };
  },
};

cases.forOfArrayAwait = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      for (var [a] of [[1], [2]]) { await W(a); } return (() => a)();
    };
  },
};

cases.forIn = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const x = await W(1); for (var a in { x: 1 }) { } const g = () => a; await W(a); return [x, g()];
    };
  },
};

cases.forInAwait = {
  args: () => [9],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = () => a; for (var a in { x: 1, y: 2 }) { await W(g()); } return g();
    };
  },
};

cases.notRun = {
  args: () => [9],
  make(W) {
    return async function f(b) {
      "perhaps async";
      if (await W(0)) var b; return (() => b)();
    };
  },
};

cases.notRunValue = {
  args: () => [9],
  make(W) {
    return async function f(b) {
      "perhaps async";
      const g = () => b; if (await W(0)) var b = 1; else b++; return g();
    };
  },
};

cases.blockBefore = {
  args: () => [9],
  make(W) {
    return async function f(c) {
      "perhaps async";
      { let c = await W(1); } var c = 0; return c;
    };
  },
};

cases.blockBehind = {
  args: () => [9],
  make(W) {
    return async function f(c) {
      "perhaps async";
      var c = c + 1; { let c = await W(1); W(c); } return c;
    };
  },
};

cases.catchBehind = {
  args: () => [9],
  make(W) {
    return async function f(c) {
      "perhaps async";
      try { let c = await W(1); if (c) throw c; } catch (error) { var c = error; await W(c); } return c;
    };
  },
};

cases.catchNotRun = {
  args: () => [9],
  make(W) {
    return async function f(c) {
      "perhaps async";
      try { let c = await W(1); } catch (error) { var c = 0; } return c;
    };
  },
};

cases.caught = {
  args: () => [9],
  make(W) {
    return async function f(c) {
      "perhaps async";
      try { throw await W(1); } catch (c) { var c = 3; await W(c); } return [c, (() => c)()];
    };
  },
};

cases.ofDefault = {
  args: () => [],
  make(W) {
    return async function f(a = 4) {
      "perhaps async";
      var a = await W(a); return (() => a)();
    };
  },
};

cases.ofPattern = {
  args: () => [{ a: 1 }],
  make(W) {
    return async function f({ a }) {
      "perhaps async";
      const g = () => a; await W(1); var a = 2; return g();
    };
  },
};

cases.ofRest = {
  args: () => [1, 2],
  make(W) {
    return async function f(...a) {
      "perhaps async";
      await W(1); var a = a.length; return (() => a)();
    };
  },
};

cases.byFunction = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var x = typeof a; await W(1); function a() {} return [x, (() => typeof a)()];
    };
  },
};

cases.byFunctionAndVar = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var x = typeof a; await W(1); function a() {} var a = 2; return [x, (() => a)()];
    };
  },
};

cases.withArguments = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      var a; await W(arguments.length); return (() => a)();
    };
  },
};

cases.innerAsync = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = async () => { "perhaps async"; a += await W(2); return a; }; await g(); var a = a + 1; await W(a); return [await g(), a];
    };
  },
};

cases.innerVar = {
  args: () => [1],
  make(W) {
    return async function f(a) {
      "perhaps async";
      const g = async (b) => { "perhaps async"; await W(a); var a = b, b = await W(3); return (() => [a, b])(); }; return [await g(2), a];
    };
  },
};

cases.sloppyEnds = {
  args: () => [[1], [2]],
  make(W) {
    return async function f(a, b) {
      "perhaps async";
      const g = () => [a, b]
if (b) {
  W(0)
  var [a] = [3]
  var b
  W(1)
}
await W(2)
return g();
    };
  },
};

cases.ofVar = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      const g = () => [a, b]
if (g) {
  W(0)
  var [a] = [3]
  var [b] = [4], b
  W(1)
}
await W(2)
var a = 5
return g();
    };
  },
};

cases.lineBreaks = {
  args: () => [1, 2],
  make(W) {
    return async function f(a, b) {
      "perhaps async";
      const g = () => [a, b];
      {
        var a
        (() => W(0))()
        var b
        [1].map((x) => W(x))
        if (a) var b
        ;`x`.trim()
      }
      await W(2);
      return g();
    };
  },
};

module.exports = cases;
