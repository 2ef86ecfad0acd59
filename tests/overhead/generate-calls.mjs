// Random programs of async functions that call one another, none of which asks for anything.
//
// `main` is called as one async function is in generate.mjs. What it calls is declared in every way
// there is, and some of it is used as a value, too: that must stay what an async function is.
import { Generator } from "./generate.mjs";

class Calls extends Generator {
  constructor(seed) {
    super(seed);
    this.callees = [];
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

  statement() {
    const alone = this.depth < 3 && this.tries === 0 && this.loops.length === 0;
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
    this.scope = [["p", "q"]];
    this.constants = new Set();
    this.loops = [];
    this.labels = [];
    this.depth = 0;
    this.tries = 0;
    this.budget = budget;
    const { params, body } = this.random.chance(0.2) ? this.returning() : super.program();
    return { params, body: `$.log("in", ${this.names++});\n${body}` };
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
    return text;
  }

  /** A class whose methods call its private ones. */
  class() {
    const outer = this.callees;
    let text = "class C {\nk = 1;\nm(...args) { return $.log(...args); }\n";
    this.callees = [];
    for (const name of ["#a", "#b"]) {
      const { params, body } = this.piece(2 + this.random.below(6));
      text += `async ${name}(${params}) {\n${body}\n}\n`;
      this.callees.push({ text: `this.${name}`, value: `this.${name}.bind(this)` });
    }
    const { params, body } = this.piece(2 + this.random.below(6));
    text += `async pub(${params}) {\n${body}\n}\n}\nconst c = new C();\n`;
    this.callees = [...outer, { text: "c.pub", value: "(async (x, y) => c.pub(x, y))" }];
    return text;
  }

  /** `main`, with a function of its own in it. */
  program() {
    let text = `function op(...args) {\nreturn $.op(...args);\n}\n${this.functions()}`;
    if (this.random.chance(0.5)) text += this.class();
    const inner = this.piece(3);
    this.callees.push({ text: "inner", value: "inner" });
    const { params, body } = this.piece(4 + this.random.below(10));
    text += `async function main(${params}) {\nasync function inner(${inner.params}) {\n${inner.body}\n}\n${body}\n}\nreturn main;\n`;
    return { text, sites: this.sites };
  }
}

/** The program of a seed. */
export function generateCalls(seed) {
  return new Calls(seed).program();
}
