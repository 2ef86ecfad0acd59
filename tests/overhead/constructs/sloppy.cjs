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

module.exports = cases;
