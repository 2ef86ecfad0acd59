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

module.exports = cases;
