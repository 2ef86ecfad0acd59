// What `for await` asks of what it goes over, and what that may give.
const cases = {};

/** Notes each thing that is asked of it, and with how many arguments. */
function asked(name, of, seen) {
  return new Proxy(of, {
    get(target, key) {
      seen.push(`${name}.${String(key)}`);
      const value = target[key];
      if (typeof value !== "function") return value;
      return function (...given) {
        seen.push(`${name}.${String(key)}(${given.length})`);
        return value.apply(target, given);
      };
    },
  });
}

const steps = (seen, results, kind, rest) => ({
  [kind]: () =>
    asked("it", { next: () => asked("step", results.shift() ?? { done: true }, seen), ...rest }, seen),
});

const loop = (kind, results, rest, leave) => ({
  args: () => [],
  make(W) {
    return async function () {
      const seen = [];
      try {
        for await (const it of steps(seen, [...results], kind, rest)) {
          seen.push(await W(it));
          if (leave === "break") break;
          if (leave === "throw") throw new Error("left");
          if (leave === "return") return [seen, "returned"];
        }
      } catch (error) {
        seen.push(error.constructor.name, await W(error.name));
      }
      return seen;
    };
  },
});

for (const [name, kind] of [["async", Symbol.asyncIterator], ["sync", Symbol.iterator]]) {
  const two = [{ value: 1, done: false }, { value: 2, done: 0 }];
  cases[`${name}All`] = loop(kind, two);
  for (const leave of ["break", "throw", "return"]) {
    cases[`${name}${leave}`] = loop(kind, two, { return: () => ({ done: true }) }, leave);
    cases[`${name}${leave}Nothing`] = loop(kind, two, {}, leave);
    cases[`${name}${leave}Null`] = loop(kind, two, { return: null }, leave);
    cases[`${name}${leave}Number`] = loop(kind, two, { return: () => 5 }, leave);
    cases[`${name}${leave}NoMethod`] = loop(kind, two, { return: 5 }, leave);
    cases[`${name}${leave}Throws`] = loop(kind, two, { return: () => { throw new Error("return"); } }, leave);
  }
  cases[`${name}Promises`] = loop(kind, [{ value: Promise.resolve(1) }, { value: Promise.reject(new Error("no")) }]);
}

/** Everything that is no iterator. */
const wrong = [
  5,
  "text",
  {},
  { [Symbol.asyncIterator]: 5 },
  { [Symbol.asyncIterator]: null },
  { [Symbol.asyncIterator]: () => 5 },
  { [Symbol.iterator]: () => undefined },
  { [Symbol.iterator]: () => ({}) },
  { [Symbol.asyncIterator]: () => ({ next: 5 }) },
  { [Symbol.asyncIterator]: () => ({ next: () => 5 }) },
  { [Symbol.iterator]: () => ({ next: () => 5 }) },
  { [Symbol.iterator]: () => ({ next: () => undefined }) },
  { [Symbol.asyncIterator]: null, [Symbol.iterator]: () => [7][Symbol.iterator]() },
  { get [Symbol.asyncIterator]() { throw new RangeError("asked"); } },
  { [Symbol.asyncIterator]() { throw new RangeError("opened"); } },
  { [Symbol.asyncIterator]: () => ({ get next() { throw new RangeError("next"); } }) },
  { [Symbol.iterator]: () => ({ next() { throw new RangeError("step"); } }) },
  undefined,
  null,
];
wrong.forEach((items, at) => {
  cases[`wrong${at}`] = {
    args: () => [items],
    make(W) {
      return async function (given) {
        try {
          for await (const it of given) await W(it);
          return "all";
        } catch (error) {
          return [await W(1), error.constructor.name];
        }
      };
    },
  };
});

/** `return` of a generator waits for what it gives. */
cases.returned = {
  args: () => [],
  make(W) {
    async function* f(at) {
      try {
        yield await W(at);
        return W(Promise.reject(new Error("later")));
      } catch (error) {
        return error.message;
      } finally {
        if (at === 1) return Promise.resolve(await W("instead"));
      }
    }
    async function* named() {
      return () => 1;
    }
    return async () => {
      const seen = [];
      for (const at of [0, 1]) {
        const it = f(at);
        seen.push(await it.next(), await it.next(), await it.next());
        const other = f(at);
        await other.next();
        seen.push(await other.return(Promise.resolve(5)));
        const third = f(at);
        seen.push(...(await Promise.all([third.next(), third.next(), third.return(1), third.next()])));
      }
      return [seen, (await named().next()).value.name];
    };
  },
};

/** Labels around loops, and jumps out of them. */
cases.labels = {
  args: () => [],
  make(W) {
    return async function () {
      const seen = [];
      const items = (name) => steps(seen, [{ value: 1 }, { value: 2 }], Symbol.asyncIterator, {
        return: () => (seen.push(`end ${name}`), {}),
      });
      block: {
        for await (const it of items("a")) {
          seen.push(await W(it));
          break block;
        }
      }
      outer: for (let n = 0; n < 2; n++) {
        first: second: for await (const it of items("b")) {
          for await (const other of items("c")) {
            if (other === 2) continue second;
            if (n === 1) continue outer;
            seen.push(await W([it, other]));
            if (it === 2) break first;
          }
        }
        seen.push(n);
      }
      around: try {
        for await (const it of items("d")) {
          if (await W(it)) break around;
        }
      } finally {
        seen.push(await W("finally"));
      }
      return seen;
    };
  },
};

module.exports = cases;
