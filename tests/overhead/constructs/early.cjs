// Variables of the code around a function that may have no value yet when it runs.
const cases = {};

/** Calls functions before and after what they mention is declared. */
const twice = (W, call) => async () => {
  "perhaps async";
  for (const early of [true, false]) {
    try {
      W(early, await call(early));
    } catch (error) {
      W(early, error.name, error.message);
    }
  }
};

cases.operands = {
  args: () => [],
  make(W) {
    const all = [
      async () => {
        "perhaps async";
        return [constant, await W(1)];
      },
      async () => {
        "perhaps async";
        return variable + (await W(2));
      },
      async () => {
        "perhaps async";
        return new Later(await W(3));
      },
      async () => {
        "perhaps async";
        return called(await W(4));
      },
      async () => {
        "perhaps async";
        return (object.x = await W(5));
      },
      async () => {
        "perhaps async";
        return { constant, b: await W(6) };
      },
      async () => {
        "perhaps async";
        return object[await W(7)];
      },
      async () => {
        "perhaps async";
        return W ? [variable, await W(8)] : 0;
      },
    ];
    const early = all.map((it) => it().catch((error) => error.message));
    const constant = 1,
      called = (x) => x + 1;
    let variable = 2;
    class Later {
      constructor(x) {
        this.x = x;
      }
    }
    const object = {};
    return async () => {
      "perhaps async";
      W(await Promise.all(early));
      for (const it of all) W(await it());
    };
  },
};

cases.declaredFunctions = {
  args: () => [],
  make(W) {
    const early = outer();
    const late = 1;
    async function inner() {
      "perhaps async";
      return [late, await W(1)];
    }
    async function outer() {
      "perhaps async";
      try {
        return [await W(2), await inner(), await last()];
      } catch (error) {
        return error.message;
      }
    }
    async function last() {
      "perhaps async";
      return [early, await W(3)].length;
    }
    return async () => {
      "perhaps async";
      return [await early, await outer(), await last()];
    };
  },
};

cases.calledBelow = {
  args: () => [],
  make(W) {
    const one = 1;
    const made = async () => {
      "perhaps async";
      return [one, await W(1), two, await W(2)];
    };
    async function declared() {
      "perhaps async";
      return [one, await W(3), two, await W(4)];
    }
    const two = { get: () => declared() };
    return async () => {
      "perhaps async";
      return [await made(), await declared(), await two.get()];
    };
  },
};

cases.cases = {
  args: () => [],
  make(W) {
    const f = (x) => {
      switch (x) {
        case 0:
          const value = 5;
        default:
          return async () => {
            "perhaps async";
            "perhaps async";
            return [value, await W(1)];
          };
      }
    };
    return twice(W, (early) => f(early ? 1 : 0)());
  },
};

cases.ownCases = {
  args: () => [],
  make(W) {
    return twice(W, async (early) => {
      "perhaps async";
      switch (early ? 1 : 0) {
        case 0:
          const value = 5;
        default:
          return [value, await W(1)];
      }
    });
  },
};

cases.parameters = {
  args: () => [],
  make(W) {
    const f = (
      a = async () => {
        "perhaps async";
        return [b, await W(1)];
      },
      b = 1,
      c = a(),
    ) => c;
    return twice(W, () => f());
  },
};

cases.patterns = {
  args: () => [],
  make(W) {
    const caught = (thrown) => {
      try {
        throw thrown;
      } catch ({
        a = async () => {
          "perhaps async";
          return [b, await W(1)];
        },
        b = a().catch((error) => error.message),
      }) {
        return a();
      }
    };
    const bound = (value) => {
      const {
        a = async () => {
          "perhaps async";
          return [b, await W(2)];
        },
        b = a().catch((error) => error.message),
      } = value;
      return a();
    };
    return () => Promise.all([caught({}), bound({}), caught({ b: 3 }), bound({ b: 3 })]);
  },
};

cases.loops = {
  args: () => [],
  make(W) {
    const kept = [];
    const keep = (f) => (kept.push(f), [1]);
    const run = () => {
      for (const x of keep(async () => {
        "perhaps async";
        return [x, await W(1)];
      }))
        kept.push(async () => {
          "perhaps async";
          return [x, await W(2)];
        });
      for (let i = 0, last = 2; i < last; i++)
        kept.push(async () => {
          "perhaps async";
          return [last, await W(3), i, await W(4)];
        });
    };
    run();
    return async () => {
      "perhaps async";
      for (const f of kept) await twice(W, f)();
    };
  },
};

cases.classes = {
  args: () => [],
  make(W) {
    const early = [];
    class A {
      static async m() {
        "perhaps async";
        return [A, await W(1)].length;
      }
      static #first = early.push(A.m());
      static [early.push(1)] = 1;
      async n() {
        "perhaps async";
        return [A, B, await W(2)].length;
      }
    }
    early.push(new A().n().catch((error) => error.message));
    class B extends A {}
    class C extends (early.push(
      (async () => {
        "perhaps async";
        return [C, await W(3)];
      })().catch((error) => error.message),
    ),
    A) {
      static async make(x) {
        "perhaps async";
        return new C(await W(x));
      }
      static made = C.make(4);
    }
    early.push(C.made);
    return async () => {
      "perhaps async";
      return [await Promise.all(early), await A.m(), await new B().n()];
    };
  },
};

cases.ownNames = {
  args: () => [],
  make(W) {
    const f = async (n) => {
      "perhaps async";
      return n > 0 ? [f, await W(n), await f(n - 1)].length : 0;
    };
    const wrap = (g) => ((g.early = g().catch((error) => error.message)), g);
    const g = wrap(async () => {
      "perhaps async";
      return [g, await W(9)].length;
    });
    return async () => {
      "perhaps async";
      return [await f(2), await g(), await g.early];
    };
  },
};

cases.replacedClass = {
  args: () => [],
  make(W) {
    class A {
      static q = "inner";
      static async m() {
        "perhaps async";
        await W(1);
        return A.q;
      }
      async n() {
        "perhaps async";
        return [A.q, await W(2), A.q];
      }
    }
    const { m } = A;
    const { n } = new A();
    A = { q: "outer" };
    return async () => {
      "perhaps async";
      return [await m(), await n(), A.q];
    };
  },
};

class Replaced {
  static q = "inner";
  static async m(W) {
    "perhaps async";
    await W(1);
    return Replaced.q;
  }
  async #p(W) {
    return [await W(2), Replaced.q];
  }
  async n(W) {
    "perhaps async";
    await W(3);
    return await this.#p(W);
  }
}
const first = Replaced;
Replaced = { q: "outer" };

cases.replacedAtTop = {
  args: () => [],
  make: (W) => async () => {
    "perhaps async";
    return [await first.m(W), await new first().n(W), Replaced.q];
  },
};

// A shorthand property of a class that has no value yet, and that a closure has in a box.
cases.shorthand = {
  args: () => [1],
  make(W) {
    return async function f(p) {
      "perhaps async";
      const found = [];
      for (let round = 0; round < 2; round++) {
        const early = async () => {
          "perhaps async";
          return { Later, k: await W(round) };
        };
        try {
          found.push(await early());
        } catch (error) {
          found.push(error.name);
        }
        class Later {
          static at = round;
        }
        found.push((await early()).Later.at, await W(p));
      }
      return found;
    };
  },
};

module.exports = cases;
