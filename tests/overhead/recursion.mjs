// Functions that call themselves, with every construct around the call, in every form of function.
//
// What recurses is the text `REST`, which gets `n` down to 0; all else that a program does is logged by
// `$.op`, which may give a promise, and `$.log`.

import { lowered } from "./limits.mjs";

const REST = "REST";

/** Expressions around the call. */
export const EXPRESSIONS = [
  `await REST`,
  `(await REST) + 1`,
  `[await $.op(1, n), await REST].join()`,
  `[await REST, await $.op(1, n), n].join()`,
  `$.log("a", n, await $.op(1), await REST, $.log("b"))`,
  `$.o.method($.log("first"), await REST, await $.op(1))`,
  `$.o[$.log("key") ? "method" : ""](await REST)`,
  `(n % 2 ? await REST : (await $.op(1, n), await REST))`,
  `((await $.op(1, n)) || true) && (await REST)`,
  `(null ?? (await REST))`,
  "`<${$.log(n)} ${await REST} ${await $.op(1)}>`",
  `({ a: await $.op(1), ...{ b: await REST }, c: n }).b`,
  `($.o.field = await REST)`,
  `($.o.field += await REST)`,
  `($.o[n % 2 ? "x" : "y"] = await REST)`,
  `(await REST)?.toString()`,
  `$.o?.method(await REST, await $.op(1))`,
  `$.tag\`\${n} \${await REST}\``,
  `({ [await $.op(1, n)]: await REST })[0]`,
  `new $.Box(await $.op(1), await REST).text`,
  `($.log("before"), await REST, await $.op(1), n)`,
  `(typeof (await REST))`,
  `(await $.both(await $.op(1, n), await REST))`,
  `(await (async () => (await $.op(1, n)) + (await REST))())`,
  `(() => n)() + (await REST)`,
];

/** Statements around an expression `E`, which end the body of a function. */
export const STATEMENTS = [
  `return E;`,
  `E; return n;`,
  `const x = E; return [x, n].join();`,
  `let [x = 1, ...y] = [E]; y.push(n); return x + y.length;`,
  `var x; x = E; $.keep(() => $.log("kept", x)); await $.op(2); x += "!"; return x;`,
  `await $.op(2, n); return E;`,
  `$.log("in", n); const before = await $.op(2); const x = E; return [before, x, await $.op(3)].join();`,
  `if (n % 3) { await $.op(2); return E; } else { $.log("else"); await $.op(3); E; } return n;`,
  `let x = ""; for (let i = 0; i < 2; i++) { if (i === n % 2) x += E; await $.op(2, i); } return x;`,
  `const all = []; for (let i = 0; i < 3; i++) { all.push(() => i); await $.op(2); if (i === 1) E; } return all.map((it) => it()).join();`,
  `let i = 2; while (i-- > (await $.op(2)) * 0) { if (i) E; } return i;`,
  `let i = 0; do { if (i === 0) E; } while ((await $.op(2, i)), ++i < 2); return i;`,
  `let x = 0; for (const it of [0, 1, 2]) { if (it === 1) x += String(E); await $.op(2, it); } return x;`,
  `for (const it of $.iterable(n)) { await $.op(2, it); if (it === 1) return E; } return 0;`,
  `let x = ""; for (const it of $.iterable(n)) { if (it === 1) { x = E; break; } } await $.op(2); return x;`,
  `let x = ""; for (const key in { a: 1, b: 2 }) { if (key === "b") x = E; await $.op(2, key); } return x;`,
  `let x = ""; for await (const it of [1, $.op(2)]) { if (it === 1) x = E; } return x;`,
  `outer: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b === 2) continue outer; if (a === 2) { E; break outer; } await $.op(2, a, b); } } return n;`,
  `switch (n % 3) { case 0: await $.op(2); case 1: return E; default: { const x = E; await $.op(3); return x; } }`,
  `switch (await $.op(2)) { default: { E; } case 99: await $.op(3); break; case 98: $.log("never"); } return n;`,
  `block: { if (n % 2) { E; break block; } await $.op(2); return E; } return n;`,
  `try { return E; } catch (error) { $.log("caught", error); return 1; }`,
  `try { await $.op(2); return E; } finally { $.log("finally", n); }`,
  `try { return E; } finally { await $.op(2); $.log("finally", n); }`,
  `try { $.log("try"); throw new Error("own " + n); } catch (error) { const x = E; return [error.message, x].join(); }`,
  `try { await $.fail(n); } catch ({ message }) { await $.op(2); return message.length + String(E); } finally { $.log("last"); }`,
  `let x; try { x = await $.op(2); } finally { x = E; } return x;`,
  `try { try { await $.fail(n); } finally { E; } } catch (error) { $.log(error.message); } return n;`,
  `for (const it of [1, 2]) { try { if (it === 1) continue; return E; } finally { await $.op(2, it); $.log("round", it); } }`,
  `while (true) { try { E; break; } finally { $.log("out"); } } await $.op(2); return n;`,
  `try { E; if (n % 2) throw new Error("odd " + n); return n; } catch (error) { await $.op(2); return error.message; }`,
  `E; throw new Error("thrown " + n);`,
  `const inner = async (k) => { "perhaps async"; await $.op(2, k); return E; }; return await inner(n);`,
  `let sum = 0; const add = (x) => { sum += String(x).length; }; add(E); await $.op(2); add(n); $.keep(() => $.log("sum", sum)); return sum;`,
  `const { a = await $.op(2), b } = { b: E }; return [a, b].join();`,
  `class Local { static k = n; static m() { return Local.k; } } const x = E; await $.op(2); return x + Local.m();`,
  `function hoisted() { return n; } await $.op(2); const x = E; return x + hoisted();`,
];

const END = `if (n <= 0) { $.log("end"); return 0; }`;

/** The body of a function: it ends, or goes on with `call`. */
function bodyOf(statement, expression, call) {
  return `${END}\n${statement.replaceAll(/\bE\b/g, () => expression).replaceAll(REST, () => call)}`;
}

/** What has waited before it calls, as only then a fast function is called. */
const main = (call) =>
  `async function main(n) { $.log("main"); await $.op(0); return await ${call}; }`;

/** Forms of functions that recurse, each by the body that `make` makes of a call. */
export const FORMS = {
  "a function": (make) => `async function f(n) { ${make("f(n - 1)")} } ${main("f(n)")}`,
  "a function that asks": (make) =>
    `async function f(n) { "perhaps async"; ${make("f(n - 1)")} } ${main("f(n)")}`,
  "a function that others hold": (make) =>
    `async function f(n, k = n) { ${make("f(n - 1)")} } $.hold(f); ${main("f(n)")}`,
  "an arrow function": (make) => `const f = async (n) => { ${make("f(n - 1)")} }; ${main("f(n)")}`,
  "functions that call one another": (make) =>
    `async function f(n) { ${make("g(n - 1)")} } const g = async (n) => { const x = await f(n); return x; }; ${main("g(n)")}`,
  "three of them": (make) =>
    `async function f(n) { ${make("g(n - 1)")} } async function g(n) { ${make("h(n - 1)")} } async function h(n) { return await f(n); } ${main("f(n)")}`,
  "a method": (make) =>
    `class C { async m(n) { ${make("this.m(n - 1)")} } } const c = new C(); ${main("c.m(n)")}`,
  "a private method": (make) =>
    `class C { async #m(n) { ${make("this.#m(n - 1)")} } async run(n) { return await this.#m(n); } } const c = new C(); ${main("c.run(n)")}`,
  "a static method": (make) =>
    `class C { static async m(n) { ${make("C.m(n - 1)")} } } ${main("C.m(n)")}`,
  "methods and those they override": (make) =>
    `class C { async m(n) { ${make("this.m(n - 1)")} } } class D extends C { async m(n) { const x = await super.m(n); return x; } } const c = new D(); ${main("c.m(n)")}`,
  "a method of another object": (make) =>
    `class C { constructor(k) { this.k = k; } async m(n) { ${make("this.other().m(n - 1)")} } other() { $.log("other"); return new C(this.k + 1); } } ${main("new C(0).m(n)")}`,
  "a method that was replaced": (make) =>
    `class C { async m(n) { ${make("this.m(n - 1)")} } } const own = C.prototype.m; C.prototype.m = function (n) { $.log("replaced"); return own.call(this, n); }; const c = new C(); ${main("c.m(n)")}`,
  "a method of a literal": (make) =>
    `const o = { async m(n) { "perhaps async"; ${make("this.m(n - 1)")} } }; ${main("o.m(n)")}`,
  "a closure": (make) =>
    `function build(k) { const f = async (n) => { k += 1; ${make("f(n - 1)")} }; return f; } ${main("build(0)(n)")}`,
  "a function of another's": (make) =>
    `async function outer(n) { let k = 0; async function f(n) { k++; ${make("f(n - 1)")} } const x = await f(n); return [x, k].join(); } ${main("outer(n)")}`,
  "a callback": (make) =>
    `async function each(list, visit) { for (const it of list) await visit(it); return list.length; } async function f(n) { ${make("each([n - 1], async (it) => { await f(it); })")} } ${main("f(n)")}`,
};

/** Every form with every construct: the texts of programs, with what each is of. */
export function* programs(every = 1) {
  let index = 0;
  const forms = Object.entries(FORMS);
  for (const statement of STATEMENTS) {
    for (const expression of EXPRESSIONS) {
      for (const [name, form] of forms) {
        index += 1;
        // Another part of all for each form and construct.
        if ((index * 7 + Math.floor(index / forms.length)) % every !== 0) continue;
        const text = form((call) => bodyOf(statement, expression, call));
        yield { what: `${name}: ${statement} ${expression}`, text: `${text}\nreturn main;` };
      }
    }
  }
}

/** Whether what is waited for at a step is a promise. */
export const WAYS = {
  "no promise": () => false,
  "promises only": () => true,
  "every third a promise": (step) => step % 3 === 1,
};

/**
 * Compares a program with what `optimize` makes of it: nothing, or what differs. `limits`: what they are
 * lowered to; `undefined` where they are not.
 */
export async function differs(text, code, depths, allLimits) {
  for (const depth of depths) {
    for (const way of Object.keys(WAYS)) {
      const expected = await observe(text, depth, way);
      for (const limits of allLimits) {
        const lower = limits === undefined ? code : lowered(code, limits);
        const actual = await observe(lower, depth, way);
        if (actual.join("\n") === expected.join("\n")) continue;
        const at = expected.findIndex((it, i) => it !== actual[i]);
        return { depth, way, limits, at, expected: expected[at], actual: actual[at] };
      }
    }
  }
  return undefined;
}

/** Runs a program: all that can be seen of it. */
export async function observe(text, depth, way) {
  const log = [];
  const kept = [];
  let step = 0;
  const show = (it) => {
    if (typeof it === "function") return it.constructor.name;
    if (it instanceof TypeError) return it.name;
    return it instanceof Error
      ? it.message
      : typeof it === "object"
        ? JSON.stringify(it)
        : String(it);
  };
  const note = (...parts) => void log.push(parts.map(show).join(" "));
  const pending = (value) => (WAYS[way](step++) ? Promise.resolve(value) : value);
  const $ = {
    op: (id, ...args) => (note("op", id, ...args), pending(id)),
    fail: async (n) => {
      note("fail", n);
      throw new Error(`failed ${n}`);
    },
    log: (...args) => (note("log", ...args), args.length),
    both: (a, b) => (note("both", a, b), pending(String(a).length)),
    tag: (_, ...values) => (note("tag", ...values), values.length),
    keep: (it) => void kept.push(it),
    hold: (it) => note("hold", it, it.name, it.length),
    o: { field: 0, method: (...args) => (note("method", ...args), args.length) },
    Box: class {
      constructor(...args) {
        note("box", ...args);
        this.text = args.length;
      }
    },
    *iterable(value) {
      try {
        note("iterate", value);
        yield 0;
        note("next");
        yield 1;
        yield 2;
      } finally {
        note("closed");
      }
    },
  };
  try {
    note("returned", shortened(await new Function("$", text)($)(depth)));
  } catch (error) {
    note("rejected", error);
  }
  for (const it of kept) it();
  return log;
}

/** What grows with each call is cut. */
const shortened = (it) => String(it).slice(0, 200);
