// Variables named `arguments`, which functions have of their own: in sloppy code only.
const cases = {};

cases.varArguments = {
  args: () => [1],
  make(W) {
    return async function f() {
      "perhaps async";
      var arguments = await W("outer");
      function inner() {
        return arguments.length;
      }
      const arrow = () => arguments;
      arguments += await W("more");
      return [inner(1, 2), arrow(), arguments];
    };
  },
};

cases.paramArguments = {
  args: () => [1],
  make(W) {
    return async function f(arguments) {
      "perhaps async";
      arguments = await W(arguments);
      const inner = function () {
        return arguments.length;
      };
      await W(() => (arguments = 2));
      return [inner(1, 2), arguments];
    };
  },
};

module.exports = cases;
