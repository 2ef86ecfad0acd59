// Statements whose end is not written: what the next line begins with would go on with a parenthesis.
/* eslint-disable no-unexpected-multiline, no-unused-expressions */
const cases = {};

const all = async (items) => {
  const got = [];
  for await (const it of items) got.push(it);
  return got;
};

cases.yieldBeforeBracket = {
  args: () => [],
  make(W) {
    async function* f() {
      yield
      [await W(1)].map((it) => W(it))
      const x = yield
      (await W(2))
      yield
      `a${await W(3)}`
      yield // nothing
      /a/.test(await W("a"))
      yield
      /* - */ +W(4)
      const y = yield await W(5)
      ;[1].map((it) => W(it + x + y))
      if (await W(6)) yield
      else yield 2
      do yield
      while (!(await W(7)))
      return yield
      [0]
    }
    return async () => all(f());
  },
};

cases.awaitBeforeBracket = {
  args: () => [],
  make(W) {
    return async function () {
      let n = 1
      await n++
      ;(await W(n))
      await n++
      /2/ 1
      const g = async () => await n++
      (await W(n), [await g()].map((it) => W(it)))
      throw await n++
      (0)
    };
  },
};

cases.postfix = {
  args: () => [],
  make(W) {
    return async function () {
      let n = await W(1), seen = []
      await n++
      [1, 2].map((it) => seen.push(it + n))
      const m = -await n++
      (() => W("called"))()
      await n--
      `text`
      return [n, m, seen, await W(2)]
    };
  },
};

cases.arrowBehindYield = {
  args: () => [],
  make(W) {
    async function* f() {
      const seen = []
      yield () => {}
      [1].map((it) => seen.push(it))
      yield async () => {}
      (() => seen.push(2))()
      return seen
    }
    return async () => {
      const it = f();
      await W(0);
      return [typeof (await it.next()).value, typeof (await it.next()).value, (await it.next()).value];
    };
  },
};

cases.directives = {
  args: () => [3],
  make(W) {
    async function f(a) {
      "use strict"
      await W(a)
      return this === undefined
    }
    async function g(a) {
      'use strict' // strict
      return [await W(a), this === undefined]
    }
    async function h(a) {
      "use strict"
      /* c */ ;
      const k = async () => {
        "not one"
        await W(1)
        return 2
      }
      return (await k()) + a
    }
    return async (a) => [await f(a), await g(a), await h(a)];
  },
};

module.exports = cases;
