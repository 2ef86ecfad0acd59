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

module.exports = cases;
