// Random async functions: every construct that the optimiser takes apart, in every place.
//
// A program is the text of an async function `main` that talks to the world only through `$`:
// `$.op(id, …)` may return a value, a promise or a thenable, reject or throw; all else is logged.

import { expressions, hiding, hoisted, statements, UNNAMED } from "./constructs.mjs";

/** A small generator of random numbers, so that a seed is a program. */
export function random(seed) {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const PARAMS = [
  "p, q",
  "p, q = 4",
  "p, q = $.log('default', p)",
  "p, { q = 2 } = {}",
  "p, ...q",
  "p, q = () => p",
  "p, { q = $.log('q', p), ...r } = {}",
  "p, { k: [q] = [this.k] } = {}",
  "p, q = $.log('default', around)",
  "p, { q = () => around } = {}",
  "p, q = typeof around, ...[r = around]",
];

/** The same without the spaces that may be left out where no letter follows a word, or stands in front of it. */
function tight(text) {
  const words =
    "return|throw|typeof|void|delete|new|case|else|await|in|of|instanceof|let|const|var|extends";
  return text
    .replace(new RegExp(`\\b(${words}) (?=[(\\[{\`'"/])`, "g"), "$1")
    .replace(/([)\]}`'"]) (in|of|instanceof)\b/g, "$1$2");
}

export class Generator {
  constructor(seed) {
    this.random = random(seed);
    this.sites = 0;
    this.names = 0;
    this.begin(5 + this.random.below(22));
  }

  /** A function with parameters `p` and `q` and some statements begins. */
  begin(budget) {
    this.params = this.random.pick(PARAMS);
    this.scope = [["p", "q"]];
    this.constants = new Set();
    this.loops = [];
    this.labels = [];
    this.depth = 0;
    this.tries = 0;
    this.budget = budget;
  }

  fresh(prefix) {
    return `${prefix}${this.names++}`;
  }

  /** Has the whole function know a name. */
  hoist(name) {
    this.scope[0].push(name);
    return name;
  }

  /** What `make` makes without mentioning a name. */
  without(name, make) {
    const known = this.scope;
    this.scope = known.map((names) => names.filter((it) => it !== name));
    const text = make();
    this.scope = known;
    return text;
  }

  /** What `make` makes for a function of its own, which no jump leaves. */
  nested(make) {
    const { loops, labels } = this;
    this.loops = [];
    this.labels = [];
    const text = make();
    this.loops = loops;
    this.labels = labels;
    return text;
  }

  declaredFresh(constant) {
    const name = this.fresh("v");
    if (constant) this.constants.add(name);
    return name;
  }

  add(name) {
    this.scope.at(-1).push(name);
  }

  variable() {
    return this.random.pick(this.scope.flat());
  }

  assignable() {
    const names = this.scope.flat().filter((name) => !this.constants.has(name));
    return this.random.pick(names);
  }

  // Expressions

  site() {
    const id = this.sites++;
    const args = this.random.chance(0.5) ? `, ${this.simple()}` : "";
    return `$.op(${id}${args})`;
  }

  simple() {
    return this.random.pick([
      () => String(this.random.below(5)),
      () => this.variable(),
      () => this.variable(),
      () => `$.log(${this.names++}, ${this.variable()})`,
      () => `this.k`,
    ])();
  }

  awaited() {
    return this.random.pick([
      () => `await ${this.site()}`,
      () => `await ${this.site()}`,
      () => `await ${this.site()}`,
      () => `(await ${this.site()})`,
      () => `await ${this.variable()}`,
      () => `await (await ${this.site()})`,
      () => `await undefined`,
    ])();
  }

  /** A call of the function itself. What calls hand on is cut: it would grow with each. */
  itself() {
    return `main.call(this, $.cut(${this.simple()}), $.cut(${this.simple()}))`;
  }

  /** An expression that calls the function again, as often as the run is to go deep. */
  deeper() {
    return this.random.pick([
      () => `($.again() ? $.cut(await ${this.itself()}) : ${this.simple()})`,
      () => `($.again() && $.cut(await ${this.itself()}))`,
      () => `(!$.again() || (await ${this.itself()}) === ${this.simple()})`,
    ])();
  }

  expression(depth = 0) {
    if (depth > 2) return this.random.chance(0.4) ? `(${this.awaited()})` : this.simple();
    const next = () => this.expression(depth + 1);
    if (this.random.chance(0.15)) return this.random.pick(expressions)(this, next);
    return this.random.pick([
      () => this.simple(),
      () => this.simple(),
      () => this.deeper(),
      () => `(${this.awaited()})`,
      () => `(${this.awaited()})`,
      () => `(${next()} + ${next()})`,
      () => `(${next()} < ${next()})`,
      () => `(${next()} && ${next()})`,
      () => `(${next()} || ${next()})`,
      () => `(${next()} ?? ${next()})`,
      () => `(${next()} ? ${next()} : ${next()})`,
      () => `[${next()}, ...[${next()}], ${next()}].length`,
      () => `({ a: ${next()}, ...{ b: ${next()} }, c: ${next()} }).c`,
      () => `\`\${${next()}}-\${${next()}}\``,
      () => `$.log(${next()}, ${next()})`,
      () => `$.obj.method(${next()}, ${next()})`,
      () => `$.obj[${next()} ? "method" : "other"](${next()})`,
      () => `this.m(${next()})`,
      () => `(${next()}, ${next()})`,
      () => `(${this.assignable()} = ${next()})`,
      () => `(${this.assignable()} += ${next()})`,
      () => `(this.k += ${next()})`,
      () => `(this.k ||= ${next()})`,
      () => `($.obj.field = ${next()})`,
      () => `(await ${this.site()})?.toString()`,
      () => `(typeof ${next()})`,
      () => `(!${next()})`,
      () => `(-(${next()}))`,
      () => `new $.Box(${next()}, ${next()}).sum`,
      () => `((y) => y + ${this.variable()})(${next()})`,
      () => `(() => ${this.assignable()}++)()`,
    ])();
  }

  // Statements

  block(extra = () => "") {
    this.scope.push([]);
    const text = extra() + this.statements();
    this.scope.pop();
    return `{ ${text} }`;
  }

  statements(most = 4) {
    let text = "";
    const count = 1 + this.random.below(most);
    this.depth += 1;
    for (let i = 0; i < count && this.budget > 0; i++) text += `${this.statement()}\n`;
    this.depth -= 1;
    return text;
  }

  statement() {
    this.budget -= 1;
    const flat = [
      () => `${this.awaited()};`,
      () => this.declaration(),
      () => this.declaration(),
      () => `${this.assignable()} = ${this.expression()};`,
      () => `${this.expression()};`,
      () => `$.log(${this.names++}, ${this.scope.flat().join(", ")});`,
      () => this.closure(),
      () => `$.run();`,
    ];
    const rare = [
      () => (this.random.chance(0.4) ? `return ${this.expression()};` : ";"),
      () => (this.random.chance(0.3) ? `return await ${this.site()};` : ";"),
      () => (this.random.chance(0.3) ? `return ${this.site()};` : ";"),
      () => (this.random.chance(0.3) ? `return ${this.variable()};` : ";"),
      () => (this.random.chance(0.2) ? `return ${this.random.pick(UNNAMED)};` : ";"),
      () => (this.random.chance(0.3) ? `if ($.again()) return await ${this.itself()};` : ";"),
      () => `if ($.again()) await ${this.itself()};`,
      () => `if ($.again()) $.log(${this.names++}, $.cut(await ${this.itself()}));`,
      () => (this.random.chance(0.4) ? `throw ${this.expression()};` : ";"),
      () => this.jump(),
      () => `if (${this.expression()}) ${this.jump()}`,
    ];
    if (this.depth > 4) return this.random.pick([...flat, ...rare])();
    if (this.random.chance(0.15)) return this.random.pick(statements)(this);
    return this.random.pick([
      ...flat,
      ...flat,
      ...rare,
      () => `if (${this.expression()}) ${this.block()}`,
      () => `if (${this.expression()}) ${this.block()} else ${this.block()}`,
      () => this.loop(),
      () => this.loop(),
      () => this.switch(),
      () => this.try(),
      () => this.try(),
      () => this.labelled(),
      () => this.block(),
    ])();
  }

  declaration() {
    const kind = this.random.pick(["let", "const", "const", "let", "var"]);
    const value = this.random.pick([
      () => this.awaited(),
      () => this.awaited(),
      () => this.awaited(),
      () => this.expression(),
      () => this.expression(),
      () => this.expression(),
      () => this.site(),
    ])();
    if (kind === "var") {
      const name = this.fresh("w");
      const text = `var ${name} = ${value};`;
      this.scope[0].push(name);
      return text;
    }
    const shape = this.random.below(5);
    if (shape === 0) {
      const [a, b] = [this.declaredFresh(kind === "const"), this.declaredFresh(kind === "const")];
      const text = `${kind} { ${a} = 7, k: ${b} } = $.wrap(${value});`;
      this.add(a);
      this.add(b);
      return text;
    }
    if (shape === 1) {
      const a = this.declaredFresh(kind === "const");
      const text = `${kind} [${a} = 3] = [${value}];`;
      this.add(a);
      return text;
    }
    const name = this.declaredFresh(kind === "const");
    const text = `${kind} ${name} = ${value};`;
    this.add(name);
    return text;
  }

  /** Closures that are kept, and run later from anywhere. */
  closure() {
    const name = this.variable();
    return this.random.pick([
      () => `$.keep(() => $.log("kept", ${name}));`,
      () => `$.keep(() => { ${this.assignable()} += 1; });`,
      () => `$.keep(() => $.log("this", this.k));`,
    ])();
  }

  jump() {
    const options = [];
    if (this.loops.length > 0) options.push("break;", "continue;");
    for (const { label, loop } of this.labels) {
      options.push(`break ${label};`);
      if (loop) options.push(`continue ${label};`);
    }
    return options.length > 0 ? this.random.pick(options) : ";";
  }

  inLoop(make) {
    this.loops.push(0);
    const text = make();
    this.loops.pop();
    return text;
  }

  loop() {
    const counter = this.fresh("i");
    return this.random.pick([
      () =>
        `for (let ${counter} = 0; ${counter} < 3 && $.turn(); ${counter}++) ${this.loopBody(counter)}`,
      () =>
        `for (let ${counter} = 0, end = ${this.expression(2)}; ${counter} < 2 && $.turn(); ${counter}++) ${this.loopBody(counter)}`,
      () =>
        `for (let ${counter} = ${this.awaited()}; $.more() && (${this.expression(1)}); ${counter}++) ${this.loopBody(counter)}`,
      () =>
        `for (let ${counter} = 0; $.more(); ${counter} += ${this.expression(1)}) ${this.loopBody(counter)}`,
      () => `while ($.more() && ${this.expression(1)}) ${this.loopBody()}`,
      () => `while ($.more()) ${this.loopBody()}`,
      () => `do ${this.loopBody()} while ($.more() && ${this.expression(1)});`,
      () => `for (const ${counter} of [1, 2]) ${this.loopBody(counter, true)}`,
      () =>
        `for (const ${counter} of $.iterable(${this.expression(2)})) ${this.loopBody(counter, true)}`,
      () =>
        `for (let { k: ${counter} } of [{ k: 1 }, { k: ${this.expression(2)} }]) ${this.loopBody(counter)}`,
      () => `for (const ${counter} in { a: 1, b: 2 }) ${this.loopBody(counter, true)}`,
      () => `for await (const ${counter} of [1, $.plain(2)]) ${this.loopBody(counter, true)}`,
    ])();
  }

  loopBody(name, constant = false) {
    if (name !== undefined && constant) this.constants.add(name);
    return this.inLoop(() =>
      this.block(() => {
        if (name !== undefined) this.add(name);
        return "";
      }),
    );
  }

  switch() {
    const cases = [];
    const count = 1 + this.random.below(3);
    this.scope.push([]);
    const withDefault = this.random.below(count + 1);
    const inner = this.loops;
    // `break` leaves the switch, `continue` the loop around it.
    for (let i = 0; i < count; i++) {
      // Who falls through to a case has not come by its test.
      const tested = this.random.chance(0.2)
        ? this.awaited()
        : this.random.pick([String(i), this.simple()]);
      const test = i === withDefault ? "default" : `case ${tested}`;
      const body = `${this.random.chance(0.8) ? `{ ${this.statementsInBlock()} }` : this.statements(2)}`;
      cases.push(`${test}: ${body} ${this.random.chance(0.6) ? "break;" : ""}`);
    }
    this.loops = inner;
    this.scope.pop();
    return `switch (${this.expression()}) { ${cases.join("\n")} }`;
  }

  statementsInBlock() {
    this.scope.push([]);
    const text = this.statements(3);
    this.scope.pop();
    return text;
  }

  try() {
    const error = this.fresh("e");
    const handler = () =>
      this.random.pick([
        () => `catch (${error}) ${this.block(() => (this.add(error), ""))}`,
        () => `catch ${this.block()}`,
        () => `catch ({ message: ${error} = 1 }) ${this.block(() => (this.add(error), ""))}`,
      ])();
    const finalizer = () => `finally ${this.block()}`;
    return this.random.pick([
      () => `try ${this.block()} ${handler()}`,
      () => `try ${this.block()} ${handler()} ${finalizer()}`,
      () => `try ${this.block()} ${finalizer()}`,
    ])();
  }

  labelled() {
    // Labels have names of their own, which may be those of variables, and of what the optimiser makes.
    const made = this.random.pick(["$rest", "$out", "$t", "$at"]);
    const isFree = !this.labels.some((it) => it.label === made);
    const label = isFree && this.random.chance(0.3) ? made : this.fresh("L");
    const loop = this.random.chance(0.6);
    this.labels.push({ label, loop });
    const text = `${label}: ${loop ? this.loop() : this.block()}`;
    this.labels.pop();
    return text;
  }

  program() {
    let first = this.random.chance(0.3) ? `${this.random.pick(hoisted)(this)}\n` : "";
    if (this.params.includes("around") && this.random.chance(0.2)) first += `${hiding(this)}\n`;
    // What is given back in front of all awaits goes another way with exact ticks.
    const early = this.random.chance(0.2) ? `if (${this.simple()}) return ${this.site()};\n` : "";
    const body = `${early}${this.statements(8)}`;
    const end = `$.log("end", ${this.scope.flat().join(", ")});\nreturn ${this.expression()};`;
    const text = `${first}${body}${end}`;
    const spelled = this.random.chance(0.3) ? tight(text) : text;
    return { params: this.params, body: spelled, sites: this.sites };
  }
}

/** The program of a seed. */
export function generate(seed) {
  return new Generator(seed).program();
}
