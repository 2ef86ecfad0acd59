// `try`, `catch` and `finally`.
const cases = {};

cases.catchNested = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        throw 1;
      } catch (e) {
        try {
          throw 2;
        } catch (e) {
          await W(e);
        }
        await W(e);
        try {
          throw 3;
        } catch {
          await W(e);
        } finally {
          W(e);
        }
      }
    };
  },
};

cases.catchTwoLevels = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        throw 1;
      } catch (a) {
        try {
          throw 2;
        } catch (b) {
          await W(a, b);
          try {
            await W(0);
            throw 3;
          } catch (c) {
            await W(a, b, c);
            a = 10;
            b++;
          }
          await W(a, b);
        }
        return a;
      }
    };
  },
};

cases.catchAssign = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        throw 1;
      } catch (e) {
        e = await W(5);
        await W(e);
        e++;
        await W(e);
        return e;
      }
    };
  },
};

cases.finallyJump = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      for (let i = 0; i < 4; i++) {
        try {
          if (i === 1) continue;
          if (i === 3) break;
          await W(i);
        } finally {
          n++;
          W("f" + i);
        }
      }
      l: {
        try {
          await W(1);
          break l;
        } finally {
          W("l");
        }
      }
      return n;
    };
  },
};

cases.returnInFinallyAwait = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const f = async () => {
        "perhaps async";
        try {
          return await W(1);
        } finally {
          if (await W(1)) return 5;
        }
      };
      const g = async () => {
        "perhaps async";
        for (;;) {
          try {
            return W("v");
          } finally {
            await W(2);
            break;
          }
        }
        return "g";
      };
      const h = async () => {
        "perhaps async";
        try {
          throw 1;
        } catch (e) {
          return W("c");
        } finally {
          await W("hf");
        }
      };
      return [await f(), await g(), await h()];
    };
  },
};

cases.evalOrderFinally = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let x = 1;
      const f = async () => {
        "perhaps async";
        try {
          return x;
        } finally {
          x = 2;
          await W(1);
        }
      };
      return [await f(), x];
    };
  },
};

cases.finallyOverride = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      for (;;) {
        try {
          await W(1);
          throw 1;
        } catch {
          return 2;
        } finally {
          break;
        }
      }
      try {
        return await W(4);
      } finally {
        W("f");
      }
    };
  },
};

cases.finallyReturn = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        await W(1);
        throw 1;
      } finally {
        return 3;
      }
    };
  },
};

cases.finallyAwaitLabels = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 0;
      a: for (;;) {
        n++;
        try {
          if (n === 1) continue a;
          if (n === 2) continue;
          if (n === 3) {
            try {
              break a;
            } finally {
              await W("in");
            }
          }
        } finally {
          await W(n);
          if (n > 5) return 6;
        }
      }
      return n;
    };
  },
};

cases.nestedFinally = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        try {
          await W(1);
          return W("r");
        } finally {
          await W(2);
          throw new Error("x");
        }
      } catch (e) {
        return [e.message, await W(3)];
      } finally {
        await W(4);
      }
    };
  },
};

cases.catchShadow = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let e = 1;
      try {
        throw await W(2);
      } catch (e) {
        var e2 = e;
        e = 5;
        await W(e);
        {
          let e = 7;
          await W(e);
        }
        W(e);
      }
      return [e, e2];
    };
  },
};

cases.catchVar = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      try {
        throw 2;
      } catch (e) {
        var e = 5;
        await W(e);
        W(e);
      }
      return e;
    };
  },
};

cases.catchClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let g;
      try {
        throw 2;
      } catch (e) {
        g = () => e++;
        await W(e);
        g();
        W(e);
      }
      return g();
    };
  },
};

cases.catchPatternClosure = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let g;
      try {
        throw { a: 2, b: 3 };
      } catch ({ a, b = 4, ...c }) {
        g = () => [a++, b, c];
        await W(a);
        g();
        W(a);
      }
      return g();
    };
  },
};

cases.returnThenable = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      return {
        get then() {
          W("then read");
          return (r) => r(5);
        },
      };
    };
  },
};

cases.eachCatchItsOwn = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const kept = [];
      for (const i of [10, 20]) {
        try {
          throw i;
        } catch (e) {
          kept.push(() => e++);
          await W(e);
          kept.push(() => e);
        }
      }
      return kept.map((it) => it());
    };
  },
};

// prettier-ignore
cases.commasThroughFinally = {
  args: () => [1, 2],
  make(W) {
    return async function f(a, b) {
      "perhaps async";
      const g = async (how) => {
        "perhaps async";
        try {
          if (how === 0) return a, b;
          if (how === 1) return await W(a), b;
          if (how === 2) throw (a, b);
          try {
            if (how === 3) return a, W(b), b;
          } finally {
            await W(3);
          }
        } catch (error) {
          return error, W(4);
        } finally {
          await W(5);
        }
      };
      return [await g(0), await g(1), await g(2), await g(3), await g(4)];
    };
  },
};

module.exports = cases;
