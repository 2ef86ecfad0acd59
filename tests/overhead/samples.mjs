// Programs for the forms of functions that random ones do not have. Each declares `main`.

/** `sites`: how many operations of the world it calls; `restored`: not from state machines if `false`. */
export const SAMPLES = [
  {
    name: "declarations, expressions and arrow functions",
    sites: 4,
    code: `async function one(a, b) { return a + (await $.op(0, b)); }
      const two = async function (a) { return a + (await $.op(1)); };
      const three = async function named(a) { return typeof named + (await $.op(2)); };
      const four = async (a) => (await $.op(3)) + a;
      const five = async (a) => { await a; };
      async function main() {
        for (const it of [one, two, three, four, five]) $.log(it.name, it.length);
        return [await one(1, 2), await two(2), await three(3), await four(4), await five(5)].join();
      }`,
  },
  {
    name: "parameters that throw",
    sites: 2,
    code: `async function one(a = $.op(0)) { return [await a].join(); }
      const two = async ({ b } = $.op(1)) => b;
      async function three(a, ...rest) { return rest.length + (await a); }
      async function four(a, b = 4, c) { return [a, b, await c].join(); }
      const rejects = async (call) => {
        try {
          const made = call();
          $.log("called");
          try { return await made; } catch (error) { return "rejected " + error; }
        } catch (error) { return "thrown " + error; }
      };
      async function main() {
        for (const it of [one, two, three, four]) $.log(it.name, it.length);
        return [await rejects(() => one()), await rejects(() => two()), await rejects(() => two({ b: 1 })),
          await three(1, 2, 3), await four(1), await rejects(() => two(null))].join();
      }`,
  },
  {
    name: "this, arguments and super",
    sites: 5,
    code: `class Base {
        constructor() { this.tag = "tag"; }
        async m(x) { return [x, this.tag, await $.op(0)].join(); }
        static async s() { return [this.name, await $.op(1)].join(); }
      }
      class Derived extends Base {
        async m(x) { const y = await super.m(x); return [y, this.tag, await $.op(2)].join(); }
        static async s() { return (await super.s()) + "!"; }
        async ["com" + "puted"](a) { return [arguments.length, await a].join(); }
        async inner() { const f = async () => [this.tag, arguments.length, await $.op(3)].join(); return f(1, 2, 3); }
        get accessor() { return (async () => this.tag + (await $.op(4)))(); }
        async defaults(x = this.tag) { return x; }
      }
      const object = { async m(a) { return [this === object, await a].join(); }, n: async function () { return this === object; } };
      async function main() {
        const it = new Derived();
        return [await it.m(1), await Derived.s(), await it.computed(1, 2), await it.inner(7, 8), await it.accessor,
          await it.defaults(), await object.m(3), await object.n()].join(";");
      }`,
  },
  {
    name: "functions that are called without this, strict ones too",
    sites: 6,
    code: `const is = (it) => (it === undefined ? "nothing" : it === globalThis ? "global" : typeof it);
      async function one() { "use strict"; await $.op(0); return is(this); }
      const two = async function () { "use strict"; return is(this) + (await $.op(1)); };
      async function three() { await $.op(2); return is(this); }
      class A {
        constructor() { this.x = "x"; }
        async m() { await $.op(3); return is(this); }
        async arrow() { return (async () => is(this) + (await $.op(4)))(); }
        async called() { const f = async function () { await $.op(5); return is(this); }; return (await f()) + (await f.call(1)); }
      }
      async function main() {
        const { m, arrow, called } = new A();
        const all = [one, two, three, m, arrow, called];
        return [...(await Promise.all(all.map((it) => it()))), ...(await Promise.all(all.map((it) => it.call(1))))].join();
      }`,
  },
  {
    name: "arrow functions in one another that use this",
    sites: 5,
    code: `class Counter {
        x = 1;
        sum = async (xs) => { await $.op(0); return xs.map((y) => y + this.x).join(); };
        constructor() { this.later = async (y) => { const f = () => this.x + y; return (await $.op(1)) + f(); }; }
        async each() {
          const items = [];
          await Promise.all([1, 2].map(async (a) => {
            const at = items.length;
            await Promise.all([10, 20].map(async (b) => { items.push([at, a * b, this.x].join()); await $.op(2); }));
            return [a].map((it) => it + this.x);
          }));
          return items.join();
        }
      }
      class Derived extends Counter {
        y = 2;
        both = async () => { await $.op(3); return [this].map((it) => it === this && this.x + this.y).join(); };
      }
      const object = {
        n: 5,
        start() { return [1, 2].map((k) => async (e) => { const add = () => (this.n += e * k); await $.op(4); return add(); }); },
      };
      async function main() {
        const it = new Derived();
        const [one, two] = object.start();
        return [await it.sum([1, 2]), await it.later(3), await it.each(), await it.both(), await one(1), await two(2)].join(";");
      }`,
  },
  {
    name: "names that meet",
    sites: 2,
    code: `async function one(a) { var a; let inner = await $.op(0, a); function f() { return inner; } return f(); }
      async function two(x) { const f = async (x) => { const y = await x; return (x) => x + y; }; return (await f(x))(await $.op(1)); }
      const three = async () => { if (three.done) return "done"; three.done = true; return three(); };
      async function main() { return [await one(1), await two(2), await three()].join(); }`,
  },
  {
    name: "thenables, promises of subclasses, and what is thrown",
    sites: 3,
    code: `class Sub extends Promise {}
      async function one() { return { then(resolve) { $.log("then"); resolve($.op(0)); } }; }
      async function two() { return Sub.resolve(await $.op(1)); }
      async function three() { try { return await $.op(2); } catch (error) { throw [error.message]; } finally { $.log("finally"); } }
      async function main() {
        const results = [];
        for (const it of [one, two, three]) {
          try { results.push(await it()); } catch (error) { results.push("!" + error); }
        }
        return results.join();
      }`,
  },
  {
    name: "generators and async functions in one another",
    sites: 3,
    code: `async function main() {
        function* numbers() { const got = yield 1; $.log("got", got); yield* [2, 3]; }
        const results = [];
        const it = numbers();
        results.push(it.next().value, await $.op(0), it.next(5).value, ...it);
        const nested = async () => { const deep = async () => (await $.op(1)) + 1; return (await deep()) + 1; };
        results.push(await nested(), (await $.op(2), 7), -(await 3), (await 2) ** 2);
        return results.join();
      }`,
  },
  {
    name: "loops, closures and switches",
    restored: false,
    sites: 4,
    code: `async function main() {
        const kept = [];
        for (let i = 0; i < 3; i++) { kept.push(() => i); await $.op(0); }
        outer: for (const a of [1, 2, 3]) {
          for (const b of [1, 2]) { if (b === 2 && (await $.op(1)) > 1) continue outer; if (a === 3) break outer; }
        }
        let text = "";
        switch (await $.op(2)) { case 0: text += "zero"; case 1: text += "one"; break; default: text += await $.op(3); }
        do { text += kept.length; } while (text.length < (await 8));
        return text + kept.map((it) => it());
      }`,
  },
];
