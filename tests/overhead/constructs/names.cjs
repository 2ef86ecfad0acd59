// Functions and classes without a name, which must not get one from what they are put into; and labels.
const cases = {};

cases.awaitedFunctions = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      await W(1);
      const a = await function () {};
      let b = await (() => {});
      return [
        a.name,
        b.name,
        (await function () {}).name,
        (await (() => {})).name,
        (await class {
          static n = this.name;
        }).n,
      ];
    };
  },
};

cases.alternatives = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const a = (() => {}) || (await W(1));
      const b = null ?? (await function () {});
      const c = (await W(0)) ? 1 : await (() => {});
      return [a.name, b.name, c.name];
    };
  },
};

cases.returnedOutOfTry = {
  args: () => [],
  make(W) {
    const f = async (x) => {
      "perhaps async";
      try {
        if (x) return () => x;
        return function () {};
      } finally {
        await W(2);
      }
    };
    return async () => {
      "perhaps async";
      const all = [await f(0), await f(1)];
      return all.map((it) => it.name);
    };
  },
};

cases.returnedClass = {
  args: () => [],
  make(W) {
    const f = async (x) => {
      "perhaps async";
      try {
        await W(1);
        return class {
          static n = this.name;
        };
      } finally {
        await W(x);
      }
    };
    return async () => (await f(2)).n;
  },
};

cases.returnedAwaited = {
  args: () => [],
  make(W) {
    const f = async () => {
      "perhaps async";
      return await (() => {});
    };
    const counted = async (x) => {
      "perhaps async";
      if (x > 0) return counted(x - 1);
      if (x === 0) return () => {};
      await W(1);
      return await (() => {});
    };
    return async () => [(await f()).name, (await counted(1)).name, (await counted(-1)).name];
  },
};

cases.thrown = {
  args: () => [],
  make() {
    const f = async () => {
      "perhaps async";
      throw await function () {};
    };
    return () =>
      f().then(
        () => "none",
        (error) => error.name,
      );
  },
};

cases.given = {
  args: () => [],
  make(W) {
    return async (a = () => {}, { b } = {}, c = function () {}) => {
      "perhaps async";
      const o = { d: () => {}, e: await W(1) };
      const g = () => {};
      await W(2);
      return [a.name, b === undefined, c.name, o.d.name, g.name];
    };
  },
};

cases.labels = {
  args: () => [],
  make(W) {
    return async () => {
      "perhaps async";
      const t = await W(1);
      const found = [];
      $rest: for (const x of [1, 2]) {
        $out: try {
          $t: {
            if (await W(x > 1)) break $rest;
            break $t;
          }
          if (await W(t)) break $out;
          found.push(x);
        } finally {
          await W(3);
        }
      }
      return found;
    };
  },
};

module.exports = cases;
