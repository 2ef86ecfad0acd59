// Functions in the body of a function that is not strict, and other names that belong to the whole of it.
const cases = {};
const one = (make, ...args) => ({ args: () => args, make });

cases.twoInBlocks = one((W) => async function () {
  await W(0);
  const before = typeof k;
  { function k() { return 1; } }
  const one = k();
  { function k() { return 2; } }
  return [before, one, k(), await W(1)];
});

cases.blockAndTop = one((W) => async function () {
  const first = k();
  await W(0);
  { function k() { return 1; } }
  function k() { return 2; }
  return [first, k()];
});

cases.blockAndVar = one((W) => async function () {
  await W(0);
  { function k() { return 1; } }
  var k;
  return typeof k;
});

cases.evaluated = one((W) => async function () {
  await W(0);
  function h() { return 1; }
  const before = h();
  eval("var h = 5");
  return [before, h];
});

cases.parameter = one((W) => async function (k) {
  const [given] = arguments;
  await W(0);
  function k() { return 1; }
  return [given, typeof arguments[0], typeof k, k()];
}, 7);

cases.pattern = one((W) => async function ({ k }, [j = () => 5] = []) {
  await W(0);
  function j() { return 1; }
  return [k, j()];
}, { k: 2 });

cases.twice = one((W) => async function () {
  await W(0);
  function k() { return 1; }
  function k() { return 2; }
  return k();
});

cases.labelled = one((W) => async function () {
  await W(0);
  at: function k() { return 1; }
  { function k() { return 2; } }
  return [k()];
});

cases.hoisted = one((W) => async function () {
  const early = k(await W(3));
  return early + k(1);
  function k(n) { return n * 2; }
});

cases.inIf = one((W) => async function (yes) {
  if (yes) function k() { return 1; }
  await W(0);
  return typeof k;
}, true);

cases.caught = one((W) => async function () {
  const seen = [], outer = "outer";
  try { await W(0); await Promise.reject({ get b() { seen.push("b"); return 1; } }); }
  catch ({ a = () => [typeof b, outer], b, ["c" + (await W(1))]: c = outer, ...rest }) {
    const outer = "inner";
    { function b2() { return b; } }
    seen.push(a.name, a(), b2(), c, Object.keys(rest), outer);
  } finally { seen.push("finally", typeof b2); }
  for await (const it of [Promise.reject([1, 2])]) try { await it; } catch ([x, y = x]) { seen.push(x, y); }
  return seen;
});

cases.caughtEarly = one((W) => async function () {
  try { await W(0); throw {}; } catch ({ a = b, b }) { return [a, b]; }
});

cases.caughtNothing = one((W) => async function () {
  try { try { await W(0); throw null; } catch ({ a }) { return a; } } catch (error) { return error instanceof TypeError; }
});

module.exports = cases;
