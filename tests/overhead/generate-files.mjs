// Random programs of several CommonJS files, whose async functions call one another from file to file: by names that
// they import, as members of what they import, as methods of what other files make, and as values that they pass
// on, store and return. The files import one another in a cycle.
import { Calls } from "./generate-calls.mjs";

/** What all files have of their own. */
const HEAD = 'const around = "around";\nfunction op(...args) {\nreturn $.op(...args);\n}\n';

/** Functions that call what they are given, and objects that hold it. */
const TAKERS = `async function each(list, f) {
let last;
for (const it of list) { last = await f(it, last); }
return last;
}
async function twice(f, ...args) {
const first = await f(...args);
return [first, await f.call({ k: 2 }, ...args)].length;
}
const pass = (f, x) => each([x, 1], f);
class Task {
constructor(run) { this.run = run; this.runs = 0; }
async start(x) { this.runs += 1; const got = await this.run(x, this.runs); return got; }
field = async (x, y) => { $.log("field", x); return await this.run(y, x); };
static make = async (run) => new Task(run);
}
class Late extends Task {
async start(x) { await op(0, x); return await super.start(x); }
}
class Bag {
constructor(list) { this.list = list; }
async all(f) { let last; for (const it of this.list) { last = await f(it, last); } return last; }
async both(g, x) { const got = [await g(x, 1)]; got.push(typeof g, await g(got.length, await op(0, x))); $.log(g.name); return got.length; }
async held(x, f) { this.f = f; try { return x ? f(x) : await this.f(await f(x, 2), x); } finally { $.log("held"); } }
async rest(f, ...more) { return (await f(...more)) || (await this.all(f)) || (await this.all(async (x) => await f(x))); }
async none(f) { return await f(arguments.length, f); }
async set(f, x) { if (x) f = async (y) => y; return await f(x, 1); }
async count(f, x) {
let n = 0, last;
const seen = [], step = () => n++;
await this.all(async (y) => { n += 1; seen.push(n); last = await f(y, n); });
step();
if (await f(n, x)) n = 5;
step();
this.step = step;
$.log("count", n, last, seen.length);
return await op(0, step());
}
async mix(x, f) {
let k = x;
const put = (v) => { k = v; };
for (let i = 0; i < 2; i++) { put(await f(i, k)); $.log(k); }
this.peek = async () => { k = [k].length; return k; };
try { k = await op(0, k); return await this.peek(); } finally { put(7); $.log(k); }
}
async late(f, x) {
x = await f(x, 1);
const again = async (y) => { x = y; return await f(x, 2); };
const all = await this.all(again);
await op(0, () => x);
$.log(x);
return all || (await again(3));
}
}
class Sack extends Bag {
async all(f) { await op(1); $.log("sack"); return await super.all(f); }
async both(g = async (x) => x, x) { return (await g(x)) ? 1 : await super.both(g, x); }
}
const table = { plain: async (x) => { $.log("table", x); return x; }, async short(x) { return await op(0, x); } };
const desk = {
k: 3,
async open(x) { const got = await op(0, x); this.k += 1; $.log("open", this.k, got); return got; },
async via(f, x) { const got = [await f.call(this, x, this.k), await f.apply(this, [x, 2]), await this.open(x)]; return got.length; },
async "shut"(x, f) { try { return await this.open(x); } finally { await f.call(x, 2, x); $.log("shut", this.k); } },
async lone(x) { this.k = x; return await this.open(2); },
lone: async (x) => { $.log("alone", x); return x; },
async ["name" + "d"](x) { return await this.lone(x); },
async told(x) { $.log(typeof this, this === x); return [...arguments].length; },
};
const makeDesk = (k, f) => ({
async open() { return k; },
...desk,
k,
async told(x, y) { this.k = await f(x, y); return this.k ? x : await desk.told.call(this, y); },
async again(x) { if (x) return await desk.open.call(this, x); return await this.via(f, x); },
});
async function nest(x, f, n = 2) {
let k = [x].length, last;
$.log(await inner(x, n));
for (let i = 0; i < 2; i++) {
async function round(y) { k += i; last = await f(y, i); return last; }
$.log(await round(k), await round.call({ k: 5 }, x));
}
return (await inner(k, 0)) || last;
async function inner(y, m) { k = [k, y].length; if (m > 0) return await inner(y, m - 1); return await f(y, k); }
}
async function owner(x, y) { $.log(this === undefined ? 0 : typeof this.k, x); return await op(0, [x, y].length); }
`;

class Files extends Calls {
  /** A function made where it stands. */
  madeFunction() {
    const [x, y] = [this.fresh("x"), this.fresh("y")];
    const known = this.scope;
    this.scope = [...known, [x, y]];
    const body = this.random.pick([
      () => `$.log("closure", ${x}, ${this.variable()});\nreturn ${y};`,
      () => `const v = await ${this.call()};\n$.log(v, ${x});\nreturn v;`,
      () => `return await ${this.site()};`,
      () =>
        `$.log(this === undefined ? 0 : this.k);\nif (${x}) await ${this.site()};\nreturn ${y};`,
      () => `try { return await ${this.call()}; } catch (error) { $.log(error); return ${x}; }`,
    ])();
    this.scope = known;
    const arrow = `async (${x}, ${y}) => {\n${body.replaceAll("this === undefined ? 0 : this.k", x)}\n}`;
    if (/\bsuper\b|\bthis\.(?!k;)|arguments/.test(body)) return arrow;
    return this.random.pick([
      () => arrow,
      () => `async function (${x}, ${y}) {\n${body}\n}`,
      () => `async function named(${x}, ${y} = 3) {\n${body}\n}`,
    ])();
  }

  /** A call that hands on a function: a new one, or one that has a name. */
  handing() {
    const f = () => (this.random.chance(0.1) ? "(x, y) => [x, y].length" : made());
    const made = () =>
      this.random.chance(0.6) ? this.madeFunction() : this.random.pick(this.callees).value;
    const [task, x] = [this.fresh("t"), this.simple()];
    const sack = () => this.random.pick(["Bag", "Bag", "Sack"]);
    return this.random.pick([
      () => `await takers.each([${x}, 2], ${f()})`,
      () => `await each([1, ${x}], ${f()})`,
      () => `await takers.twice(${f()}, ${x})`,
      () => `await takers.pass(${f()}, ${x})`,
      () => `await (await takers.Task.make(${f()})).start(${x})`,
      () => `await new takers.Late(${f()}).start(${x})`,
      () => `await new Task(${f()}).field(${x}, 3)`,
      () => `await new takers.${sack()}([${x}, 1]).all(${f()})`,
      () => `await new takers.${sack()}([${x}]).both(${f()}, ${x})`,
      () =>
        `await new takers.Bag([${x}]).both(${this.random.pick([x, "", `...[${f()}, 1]`, `$.log(${x}) || (${f()}), ${x}`])})`,
      () => `await new takers.${sack()}([${x}]).held(${x}, ${f()})`,
      () => `await new takers.Bag([1, ${x}]).rest(${f()}, ${x}, 2)`,
      () => `await new takers.Bag([1, ${x}]).${this.random.pick(["none", "set"])}(${f()}, ${x})`,
      () =>
        `await new takers.${sack()}([1, ${x}]).${this.random.pick(["count", "late"])}(${f()}, ${x})`,
      () => `await new takers.${sack()}([${x}]).mix(${x}, ${f()})`,
      () => `await new takers.Bag([${x}]).all(${f()}, await ${this.call()})`,
      () => `await takers.table[$.wrap("plain").k](${x})`,
      () => `await takers.table.plain(${x})`,
      () => `await takers.table.short(${x})`,
      () => `await takers.desk.${this.random.pick(["open", "lone", "named", "told"])}(${x})`,
      () => `await takers.desk.${this.random.pick(["open", "lone", "told"])}.call(${x}, ${x})`,
      () => `await takers.desk.${this.random.pick(["open", "told"])}.apply({ k: ${x} }, [${x}, 2])`,
      () => `await takers.desk.via(${f()}, ${x})`,
      () => `await takers.desk.shut(${x}, ${f()})`,
      () => `await takers.makeDesk(${x}, ${f()}).${this.random.pick(["again", "open"])}(${x})`,
      () => `await { ...takers.desk, k: ${x} }.open(${x})`,
      () => `await takers.makeDesk(1, ${f()}).told(${x}, 2)`,
      () => `await takers.nest(${x}, ${f()})`,
      () => `await takers.owner.call({ k: ${x} }, ${x}, await ${this.call()})`,
      () =>
        `await takers.owner.${this.random.pick(["call(takers.desk, ", "call(", "bind(2)("])}${x})`,
      () => `await takers.each.apply(null, [[1, ${x}], ${f()}])`,
      () => `await (${f()}).call({ k: ${x} }, ${x}, 3)`,
      () => `await ((${task}) => ${task}(${x}))(${f()})`,
      () => `await (${x} ? ${f()} : ${f()})(${x}, 4)`,
      () => `await $.escaped(${f()}, ${x})`,
    ])();
  }

  awaited() {
    const there = this.hasTakers && this.callees.length > 0 && this.closures > 0;
    if (!there || this.random.chance(0.6)) return super.awaited();
    this.closures -= 1;
    return this.handing();
  }

  /** A function with a few closures. */
  piece(budget) {
    this.closures = 2;
    return super.piece(budget);
  }

  /** The text of a file: what it takes from others, its own, what it gives them. */
  file(imports, body, names) {
    const exported = this.random.pick([
      () => `module.exports = { ${names.join(", ")} };`,
      () => names.map((it) => `exports.${it} = ${it};`).join("\n"),
      () => `Object.assign(exports, { ${names.join(", ")} });`,
    ])();
    return `"use strict";\n${imports}${HEAD}${body}const limit = 5;\n${exported}\n`;
  }

  /** How a file names what it imports, each name in one of the ways. */
  imported(file, alias, names) {
    const plain = names.filter(() => this.random.chance(0.5));
    const text = `const ${alias} = require("./${file}");\nconst { ${plain.join(", ")} } = ${alias};\n`;
    return { text, callees: names.map((it) => (plain.includes(it) ? it : `${alias}.${it}`)) };
  }

  files() {
    const value = (it) => ({ text: it, value: it });
    const files = {
      takers: this.file("", TAKERS, [
        "each",
        "twice",
        "pass",
        "Task",
        "Late",
        "Bag",
        "Sack",
        "table",
        "desk",
        "makeDesk",
        "nest",
        "owner",
      ]),
    };
    const takers = 'const takers = require("./takers"), { each, Task } = takers;\n';
    this.hasTakers = true;
    this.callees = [];
    const lib = `${this.functions()}const late = () => require("./shapes").c;\n`;
    const tops = this.top;
    // What calls back into the file that is imported behind this one.
    this.callees = tops.map(value);
    this.around = [...tops, "late().one", "late().three"];
    const { params, body } = this.piece(5);
    files.lib = this.file(takers, `${lib}async function back(${params}) {\n${body}\n}\n`, [
      ...tops,
      "back",
    ])
      .replaceAll("this.k", "$.self.k")
      .replaceAll("this.m(", "$.self.m(");
    const fromLib = this.imported("lib", "lib", [...tops, "back"]);
    this.callees = fromLib.callees.map(value);
    const shapes = this.class();
    files.shapes = this.file(takers + fromLib.text, shapes, [
      "C",
      "D",
      "c",
      "d",
      "other",
      "methods",
    ]);
    const imported = this.imported("lib", "other", [...tops, "back"]);
    const made = this.imported("shapes", "shapes", ["c", "d", "methods"]);
    const [c, d, methods] = made.callees;
    this.callees = [...imported.callees, methods]
      .map(value)
      .concat(
        [
          `${c}.one`,
          `${d}.two`,
          `${d}.three`,
          `${c}.two`,
          "shapes.other.one",
          "shapes.other.three",
        ].map((it) => ({ text: it, value: `(async (x, y) => ${it}(x, y))` })),
      );
    this.around = [...this.callees.map((it) => it.text), "main"];
    const main = this.piece(4 + this.random.below(12));
    const text = `async function main(${main.params}) {\n${main.body}\n}\n`;
    files.main = this.file(takers + imported.text + made.text, text, ["main"]);
    return files;
  }
}

/** How the files of a program are put together: as CommonJS does it. */
export function assembled(files) {
  const all = Object.entries(files).map(
    ([name, text]) => `${JSON.stringify(name)}(module, exports, require) {\n${text}\n}`,
  );
  return `const files = {\n${all.join(",\n")}\n};
const loaded = {};
function load(name) {
const file = name.slice(2);
if (loaded[file]) return loaded[file].exports;
const module = (loaded[file] = { exports: {} });
files[file](module, module.exports, load);
return module.exports;
}
return load("./main").main;
`;
}

/** What logs what is read of an object, but for `then`, which may be read again (docs/optimize.md). */
const SEEN = `const seen = (it) => new Proxy(it, {
get(of, key, self) { if (key !== "then") $.log(\`get \${key}\`); return Reflect.get(of, key, self); },
has(of, key) { $.log(\`has \${key}\`); return key in of; },
});
`;

/**
 * The program of a seed: the texts of its files by their names. `asks`: with functions that have the directive. In every fourth, what
 * the first file makes are proxies.
 */
export function generateFiles(seed, asks = false) {
  const made = new Files(seed);
  const files = made.files();
  if (seed % 4 === 3) {
    const proxied = files.takers.replaceAll(/constructor\(.*(?= \}$)/gm, "$& return seen(this);");
    files.takers = proxied.replace(HEAD, HEAD + SEEN);
  }
  for (const [name, text] of Object.entries(files)) {
    if (!asks) files[name] = text.replaceAll('"perhaps async"; ', "");
  }
  return { files, sites: made.sites, text: assembled(files) };
}
