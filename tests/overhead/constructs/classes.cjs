// Classes and methods.
const cases = {};

cases.newBoxed = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const mk = () => [new A().k, new A.B().z, new A()];
      try {
        mk();
      } catch (e) {
        W(e.name);
      }
      await W(1);
      class A {
        k = 1;
        static B = class {
          z = 2;
        };
        static self = () => new A().k;
      }
      await W(2);
      const r = mk();
      return [r[0], r[1], A.self()];
    };
  },
};

cases.funcFieldLeak = {
  args: () => [1],
  make(W) {
    return (x) => {
      if (x) {
        function g() {
          return 4;
        }
      }
      return (async () => {
        "perhaps async";
        await W(1);
        return g();
      })();
    };
  },
};

cases.newTargetClass = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let t;
      class A {
        constructor() {
          this.f = async () => {
            "perhaps async";
            await W(1);
            return new.target === A;
          };
        }
      }
      return await new A().f();
    };
  },
};

cases.accessors = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      let n = 1;
      const o = {
        get x() {
          return n;
        },
        set x(v) {
          n = v + 1;
        },
      };
      o.x = await W(5);
      W(o.x);
      o.x += await W(1);
      o.x++;
      return [o.x, n];
    };
  },
};

cases.privMethod = {
  args: () => [],
  make(W) {
    class A {
      #n = 0;
      get #x() {
        return this.#n;
      }
      set #x(v) {
        this.#n = v;
      }
      static async #m(o) {
        "perhaps async";
        o.#x += await W(2);
        o.#x++;
        return o.#x ?? (await W(3));
      }
      static go() {
        return A.#m(new A());
      }
    }
    return () => A.go();
  },
};

cases.delSuper = {
  args: () => [],
  make(W) {
    class B {
      get v() {
        return 3;
      }
      static s() {
        return this.name;
      }
    }
    class C extends B {
      async m() {
        "perhaps async";
        return [super.v, await W(1), super["v"] + (await W(2))];
      }
      static async n() {
        "perhaps async";
        await W(1);
        return super.s();
      }
      static p = async () => {
        "perhaps async";
        await W(1);
        return super.s();
      };
    }
    return async () => [await new C().m(), await C.n(), await C.p()];
  },
};

cases.classField = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      class A {
        x = 1;
        static y = this.name;
        #z = 2;
        z() {
          return this.#z;
        }
        static {
          this.q = 4;
        }
      }
      await W();
      return [new A().x, A.y, new A().z(), A.q];
    };
  },
};

cases.classAfter = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      await W();
      class A {
        static m() {
          return A;
        }
      }
      const B = A;
      await W();
      return B.m() === A;
    };
  },
};

cases.classInner = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      class A {
        static m() {
          return A.v;
        }
      }
      A.v = 3;
      await W();
      const v = A.m();
      return v;
    };
  },
};

cases.deriv = {
  args: () => [],
  make(W) {
    class B {
      constructor() {
        this.k = 7;
      }
      m(x) {
        return x + this.k;
      }
    }
    return async function f() {
      "perhaps async";
      const C = class extends B {
        constructor() {
          const g = async () => {
            "perhaps async";
            await W();
            return this.k;
          };
          super();
          this.g = g;
        }
        async m(x) {
          "perhaps async";
          return super.m(await W(x));
        }
        async n() {
          "perhaps async";
          const g = async () => {
            "perhaps async";
            return super.m(await W(2));
          };
          return await g();
        }
      };
      const c = new C();
      return [await c.g(), await c.m(1), await c.n()];
    };
  },
};

cases.objSuper = {
  args: () => [],
  make(W) {
    const o = {
      __proto__: {
        m(x) {
          return [this === o, x];
        },
      },
      async m(x) {
        "perhaps async";
        return super.m(await W(x));
      },
      async n(x) {
        "perhaps async";
        super.z = await W(4);
        return [super["m"](await W(1)), this.z];
      },
    };
    return async () => [await o.m(3), await o.n(3)];
  },
};

cases.newTarget = {
  args: () => [],
  make(W) {
    return async function f() {
      "perhaps async";
      await W();
      return new.target;
    };
  },
};

cases.privateIn = {
  args: () => [],
  make(W) {
    class A {
      #p = 1;
      static #q = 5;
      async m(o) {
        "perhaps async";
        await W();
        return [#p in o, o.#p, A.#q];
      }
      async n() {
        "perhaps async";
        this.#p += await W(3);
        this.#p ??= await W(1);
        return this.#p;
      }
      async #s() {
        "perhaps async";
        return await W(8);
      }
      async t() {
        "perhaps async";
        return await this.#s(await W(1));
      }
    }
    return async () => [await new A().m(new A()), await new A().n(), await new A().t()];
  },
};

cases.computedClassKey = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      class A {
        [await W("k")]() {
          return 3;
        }
      }
      return new A().k();
    };
  },
};

cases.fieldArrow = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      class A {
        k = 3;
        f = async (x) => {
          "perhaps async";
          return (await W(x)) + this.k;
        };
        static s = async () => {
          "perhaps async";
          return [await W(1), this === A];
        };
        static {
          this.t = async () => {
            "perhaps async";
            return [await W(2), this === A];
          };
        }
      }
      const a = new A();
      return [await a.f(2), await A.s(), await A.t()];
    };
  },
};

cases.accessorKey = {
  args: () => [],
  make(W) {
    const o = {
      async "quoted key"() {
        "perhaps async";
        return await W(1);
      },
      async 12() {
        "perhaps async";
        return await W(2);
      },
      async ["c" + 1]() {
        "perhaps async";
        return await W(3);
      },
      async get() {
        "perhaps async";
        return await W(4);
      },
      async static() {
        "perhaps async";
        return await W(5);
      },
      async async() {
        "perhaps async";
        return await W(6);
      },
    };
    return async () => [
      await o["quoted key"](),
      await o[12](),
      await o.c1(),
      await o.get(),
      await o.static(),
      await o.async(),
    ];
  },
};

module.exports = cases;
