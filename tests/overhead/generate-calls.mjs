// Random programs of async functions that call one another, none of which asks for anything.
//
// `main` is called as one async function is in generate.mjs. What it calls is declared in every way
// there is, and some of it is used as a value, too: that must stay what an async function is. Some calls are
// awaited only behind code of the caller, which what they call looks at: it sees that only once it waits.
import { Generator } from "./generate.mjs";

export class Calls extends Generator {
  constructor(seed) {
    super(seed);
    this.callees = [];
    this.around = [];
    this.isApart = false;
  }

  /** Also what may not be declared yet. */
  simple() {
    return this.random.chance(0.04) ? "limit" : super.simple();
  }

  /** By way of a function of the program, of which nobody knows that it always waits. */
  site() {
    return super.site().replace("$.op", "op");
  }

  /** A call, by a name that the place knows. */
  call() {
    const { text } = this.random.pick(this.callees);
    return `${text}(${this.simple()}, ${this.simple()})`;
  }

  /** What may call the function that it stands in, or one that does. */
  itself() {
    const all = this.around.length > 0 ? this.around : this.callees;
    if (all.length === 0) return this.site();
    return `${this.random.pick(all)}($.cut(${this.simple()}), $.cut(${this.simple()}))`;
  }

  awaited() {
    if (this.callees.length === 0 || this.random.chance(0.5)) return super.awaited();
    return this.random.pick([
      () => `await ${this.call()}`,
      () => `await ${this.call()}`,
      () => `await (${this.simple()} ? ${this.call()} : ${this.call()})`,
      () => `await (${this.simple()} && ${this.call()})`,
      () => `await $.escaped(${this.random.pick(this.callees).value}, ${this.simple()})`,
      () => `await ${this.call()}.catch(() => 3)`,
    ])();
  }

  /**
   * A call that is awaited behind more code of the caller: nothing else runs meanwhile, so that what can be
   * seen does not depend on the order of microtasks.
   */
  apart() {
    this.isApart = true;
    const [promise, late] = [this.fresh("d"), this.fresh("v")];
    const call = this.random.pick([
      () => this.call(),
      () => this.call(),
      () => `$.escaped(${this.random.pick(this.callees).value}, ${this.simple()})`,
    ])();
    const behind = this.random.pick([
      () => `$.obj.field = ${this.names++};`,
      () => `$.log("behind", ${this.names++});`,
      // What throws here leaves the call to run beside others: neither `this`, which functions may not
      // have, nor a variable that the head of a loop may make a constant.
      () => `$.self.k = ${this.names++};`,
      () => `const ${late} = ${this.names++};`,
      () => `p = ${this.names++};`,
    ]);
    const early = this.random.chance(0.2) ? `$.keep(() => $.log("late", ${late}));\n` : "";
    const text = early === "" ? behind() : `const ${late} = ${this.names++};`;
    return `${early}const ${promise} = ${call};\n${text}\nawait ${promise};`;
  }

  statement() {
    const here = this.callees.length > 0;
    if (here && this.random.chance(0.2)) return `{ ${this.apart()} }`;
    if (this.random.chance(0.1)) return `$.log(${this.names++}, $.obj.field, this.k, limit);`;
    const alone = this.depth === 1 && this.tries === 0 && this.loops.length === 0;
    const returns = this.callees.length > 0 && alone;
    if (returns && this.random.chance(0.15)) {
      return this.random.pick([
        () => `return ${this.call()};`,
        () => `try { return ${this.call()}; } catch { $.log("not caught"); }`,
        () => `if (${this.simple()}) { return await ${this.call()}; }`,
      ])();
    }
    return super.statement();
  }

  /** What returns a promise goes on beside `finally` and iterators, in an order that may change. */
  try() {
    this.tries += 1;
    const text = super.try();
    this.tries -= 1;
    return text;
  }

  /** Parameters and body of one more function. */
  piece(budget) {
    this.begin(budget);
    const { params, body } = this.random.chance(0.2) ? this.returning() : super.program();
    const first = this.callees.length > 0 && this.random.chance(0.25) ? this.unsettled() : "";
    const seen = this.random.chance(0.3) ? ", $.obj.field" : "";
    return { params, body: `$.log("in", ${this.names++}${seen});\n${first}${body}` };
  }

  /** A call in front of which the function may have waited, or not: until it has, others go on before what it calls. */
  unsettled() {
    const wait = () => `await ${this.call0()}`;
    const call = () => `$.log(${this.names++}, await ${this.call()});`;
    const test = this.simple();
    const name = this.fresh("u");
    const text = this.random.pick([
      () => `switch (1) { case 1: case ${wait()}: ${call()} }`,
      () => `switch (${test}) { case 0: ${call()} break; case ${wait()}: case 2: ${call()} }`,
      () => `switch (${test}) { default: ${call()} case ${wait()}: break; case 1: ${call()} }`,
      () => `if (${test}) { ${wait()}; } ${call()}`,
      () => `${test} && (${wait()}); ${call()}`,
      () => `${test} ?? (${wait()}); ${call()}`,
      () => `for (const ${name} of [1, 2]) { if (${test}) break; ${wait()}; } ${call()}`,
      () =>
        `for (let ${name} = 0; ${name} < 2; ${name}++) { ${call()} if (${test}) continue; ${wait()}; }`,
      () => `do { if (${test}) continue; ${wait()}; } while (false); ${call()}`,
      () => `while (${test} && $.turn()) { ${wait()}; } ${call()}`,
      () => `try { if (${test}) throw 1; ${wait()}; } catch { ${call()} } finally { ${call()} }`,
      () => `${name}: { if (${test}) break ${name}; ${wait()}; } ${call()}`,
      () => `const { k: ${name} = ${wait()} } = { k: ${test} }; ${call()}`,
      () => `(${test} ? undefined : $.self)?.[${wait()}]; ${call()}`,
    ])();
    return `${text}\n`;
  }

  /** A function of nothing but a call, which mostly ends in a tail call. */
  returning() {
    return { params: "p, q = 4", body: `return await ${this.call0()};` };
  }

  call0() {
    return this.callees.length > 0 ? this.call() : this.site();
  }

  /** Functions at the top, each in one of the ways to declare it. */
  functions() {
    const count = 2 + this.random.below(3);
    const names = Array.from({ length: count }, (_, i) => `f${i}`);
    let text = "";
    for (const [i, name] of names.entries()) {
      const later = this.random.chance(0.1) ? names : names.slice(i + 1);
      this.callees = later.map((it) => ({ text: it, value: it }));
      this.around = names;
      const { params, body } = this.piece(2 + this.random.below(8));
      text += this.random
        .pick([
          () => `async function ${name}(${params}) {\n${body}\n}\n`,
          () => `const ${name} = async (${params}) => {\n${body}\n};\n`,
          () => `var ${name} = async function (${params}) {\n${body}\n};\n`,
          () => `let ${name} = async function own(${params}) {\n${body}\n};\n`,
        ])()
        .replaceAll("this.k", "$.self.k")
        .replaceAll("this.m(", "$.self.m(");
    }
    this.callees = names.map((it) => ({ text: it, value: it }));
    this.top = names;
    return text;
  }

  /** A class whose methods call its private ones. */
  class() {
    const outer = this.callees;
    let text = "class C {\nstatic tag = 1;\nk = 1;\nm(...args) { return $.log(...args); }\n";
    this.callees = [];
    this.around = ["#a", "#b", "one", "two", "three"].map((it) => `this.${it}`);
    const wrapped = (it) => ({ text: it, value: `(async (x, y) => ${it}(x, y))` });
    for (const name of ["#a", "#b", "one", "two", "three"]) {
      text += this.method(name);
      this.callees.push(wrapped(`this.${name}`));
    }
    // In a class, its name goes on meaning that class.
    text += `async four(p) {\nif (p) await ${this.site()};\nreturn $.log("four", C.tag);\n}\n`;
    text += "}\nclass D extends C {\n";
    this.callees = ["this.one", "this.three", "super.two"].map(wrapped);
    this.around = ["this.one", "this.two", "this.three", "super.two"];
    text += `${this.method("two")}}\nconst c = new C(), d = new D();\n`;
    const receivers = ["c", "d", "$.same(c)", "other", "other", "(await op(0), d)"];
    this.callees = ["one", "two", "three", "four"].flatMap((it) =>
      receivers.map((of) => wrapped(`${of}.${it}`)),
    );
    this.around = ["c.one", "d.two", "d.three", "methods"];
    // In functions that are converted, so that calls by these receivers are, too.
    const all = Array.from({ length: 3 }, () => `await op(${this.sites++}, await ${this.call()});`);
    text += `async function methods(p, q) {\n${all.join("\n")}\n${this.piece(4).body}\n}\n`;
    this.callees = [...outer, { text: "methods", value: "methods" }, ...this.callees];
    return text + this.other();
  }

  method(name) {
    const { params, body } = this.piece(2 + this.random.below(6));
    return `async ${name}(${params}) {\n${body}\n}\n`;
  }

  /** An object whose methods are not what they were in the class. */
  other() {
    const { one, two, three } = {
      one: this.random.pick([
        "one: (p, q) => $.op(0, p)",
        "get one() { $.log('get one'); return C.prototype.three; }",
        "one: Object.defineProperties((p) => $.op(1, p), Object.getOwnPropertyDescriptors(C.prototype.one))",
        "one: new Proxy(C.prototype.one, {})",
      ]),
      two: this.random.pick([
        "two: C.prototype.two",
        "two: C.prototype.two.bind(c)",
        "async two(p) { return p; }",
      ]),
      three: "three: Object.setPrototypeOf((p) => $.op(0, p), C.prototype.three)",
    };
    let patch = this.random.chance(0.2) ? "C.prototype.three = (p) => $.op(1, p);\n" : "";
    if (this.random.chance(0.5)) patch += "C = { tag: 2, prototype: C.prototype };\n";
    return `const other = { __proto__: c, ${one}, ${two}, ${three} };\n${patch}`;
  }

  /** A call at the top, in front of what the functions mention. */
  startedFrom() {
    const name = this.random.pick(this.top);
    return `${name}(1, 2)`;
  }

  /** `main`, with a function of its own in it. */
  program(asks) {
    let text = `const around = "around";\nfunction op(...args) {\nreturn $.op(...args);\n}\n${this.functions()}`;
    const methods = this.random.chance(0.6);
    if (methods) text += this.class();
    this.around = ["inner"];
    const inner = this.piece(3);
    this.callees.push({ text: "inner", value: "inner" });
    this.around = [...this.callees.map((it) => it.text), "main"];
    const { params, body } = this.piece(4 + this.random.below(10));
    const started = this.random.chance(0.3);
    if (started) text += `const early = ${this.startedFrom()}.catch(() => $.log("early"));\n`;
    text += `const limit = 5;\n$.obj.field = ${this.names++};\n`;
    text += `async function main(${params}) {\n${started ? "await early;\n" : ""}async function inner(${inner.params}) {\n${inner.body}\n}\n${methods ? "await methods(p, 2);\n" : ""}${body}\n}\nreturn main;\n`;
    // Who asks for it gets code that runs at once, and sees it.
    if (!asks && (this.isApart || started)) text = text.replaceAll('"perhaps async"; ', "");
    return { text, sites: this.sites };
  }
}

/** The program of a seed. `asks`: functions with the directive are among those that nobody awaits at once. */
export function generateCalls(seed, asks = false) {
  return new Calls(seed).program(asks);
}
