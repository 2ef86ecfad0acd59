// Small random programs that end and seldom throw.
import { FEATURES } from "./features.mjs";
import { KINDS, Values } from "./values.mjs";

/**
 * @typedef {import("./values.mjs").Kind} Kind
 * @typedef {import("./values.mjs").Env} Env
 * @typedef {import("./values.mjs").Callable} Callable
 */

class Generator extends Values {
  /** @param {Env} env @param {number} count */
  block(env, count) {
    /** @type {Env} */
    const inner = { ...env, vars: [...env.vars] };
    let text = "";
    for (let i = 0; i < count; i++) text += `${this.statement(inner)}\n`;
    return text.replace(/^/gm, "  ").trimEnd() + "\n";
  }

  /** @param {Env} env @returns {string} */
  call(env) {
    if (this.callables.length === 0) return `${this.value(env, "obj")}.a = 1;`;
    const target = this.pick(this.callables);
    const args = target.kinds.map((kind) => this.value(env, kind, 1)).join(", ");
    const text = `${target.call}(${args})`;
    if (target.generator) {
      const item = this.name("g");
      return this.chance(0.6)
        ? `for (const ${item} of ${text}) { ${item}.a = 2; }`
        : `${text}.next();`;
    }
    if (target.async) {
      if (env.async) return `await ${text};`;
      return this.pick([`${text};`, `${text}.then((r) => { r.a = 5; }, () => {});`]);
    }
    if (this.chance(0.3)) return `${target.call}.call(null, ${args});`;
    if (this.chance(0.15)) return `${target.call}.apply(null, [${args}]);`;
    if (this.chance(0.5)) {
      const name = this.name("r");
      env.vars.push([name, target.returns]);
      return `const ${name} = ${text};`;
    }
    return `${text};`;
  }

  /** @param {Env} env @returns {string} */
  statement(env) {
    const v = (/** @type {Kind} */ kind) => this.value(env, kind, 1);
    const lets = this.globals.filter(([name]) => name.startsWith("n"));
    const choices = [
      () => `${v("obj")}.a = ${v("num")};`,
      () => `${v("obj")}.b += ${v("num")};`,
      () => `${v("obj")}.sub = ${v("obj")};`,
      () => `${v("obj")}["k" + ${v("num")}] = ${v("num")};`,
      () => `delete ${v("obj")}.extra;`,
      () => `(${v("obj")}.list ??= []).push(${v("num")});`,
      () => `${v("arr")}.push(${v("obj")});`,
      () => `${v("arr")}[0] = ${v("obj")};`,
      () => `${v("map")}.set("k${Math.floor(this.rand() * 3)}", ${v("obj")});`,
      () => `${v("map")}.delete("k1");`,
      () => `${v("set")}.add(${v("num")});`,
      () => `${v("inst")}.v = ${v("num")};`,
      () => `${v("inst")}.m${this.pick([0, 1])}(${v("obj")});`,
      () => `${v("fn")}(${v("obj")});`,
      () => `Object.assign(${v("obj")}, { a: ${v("num")} });`,
      () => `${v("arr")}.forEach((e) => { e.a = ${v("num")}; });`,
      () => `${v("arr")}.forEach(${v("fn")});`,
      () => `if (${v("num")} > 3) { ${this.block({ ...env, depth: env.depth + 1 }, 1)} }`,
      () =>
        `try { ${this.block({ ...env, depth: env.depth + 1 }, 1)} } catch (e) { ${v("obj")}.a = 0; }`,
      () => this.call(env),
      () => this.call(env),
      () => {
        const name = this.name("e");
        const inner = {
          ...env,
          depth: env.depth + 1,
          vars: /** @type {Env["vars"]} */ ([...env.vars, [name, "obj"]]),
        };
        return `for (const ${name} of ${v("arr")}.slice(0, 3)) { ${this.block(inner, 1)} }`;
      },
      () => {
        const name = this.name("x");
        const kind = this.pick(KINDS);
        const text = `const ${name} = ${this.value(env, kind)};`;
        env.vars.push([name, kind]);
        return text;
      },
      () => {
        const name = this.name("d");
        const [a, rest] = [`${name}a`, `${name}r`];
        const text = `const { a: ${a}, sub: ${name} = {}, ...${rest} } = ${v("obj")};`;
        env.vars.push([a, "num"], [name, "obj"], [rest, "obj"]);
        return text;
      },
      () => {
        const name = this.name("y");
        const text = `let ${name} = ${v("obj")};\nif (${v("num")} > 2) ${name} = ${v("obj")};`;
        env.vars.push([name, "obj"]);
        return text;
      },
      () => (lets.length ? `${this.pick(lets)[0]} ${this.pick(["+=", "="])} ${v("num")};` : ";"),
      () => (lets.length ? `${this.pick(lets)[0]}++;` : ";"),
      () => `console.log(${v("num")});`,
      () => (env.async ? `await ${this.pick(["null", `Promise.resolve(${v("obj")})`])};` : ";"),
      () => (env.generator ? `yield ${v("obj")};` : ";"),
      () => (env.self ? `this.v += 1;` : ";"),
      () => (env.self ? `this.o = ${v("obj")};` : ";"),
      () => `Promise.resolve(${v("obj")}).then(${v("fn")}).catch(() => {});`,
      () =>
        this.pick([
          `Date.now();`,
          `Math.random();`,
          `process.env.HOME;`,
          `bus.emit("x", ${v("obj")});`,
        ]),
      () => {
        const lets = env.vars.filter(([name, kind]) => name.startsWith("c") && kind === "num");
        return lets.length ? `${this.pick(lets)[0]} += 1;` : ";";
      },
    ];
    const simple = env.depth > 2 ? choices.slice(0, 16) : choices;
    return this.pick(simple)();
  }

  /** @param {Callable} callable @param {{ self?: boolean, captured?: Env["vars"] }} [options] */
  body(callable, { self = false, captured = [] } = {}) {
    const patterns = callable.kinds.map((kind) => {
      const name = this.name("p");
      /** @type {[string, Kind][]} */
      const vars = [[name, kind]];
      if (kind === "obj" && this.chance(0.15)) {
        return {
          text: `{ a: ${name}a, sub: ${name} = {} }`,
          vars: /** @type {[string, Kind][]} */ ([...vars, [`${name}a`, "num"]]),
        };
      }
      return { text: kind === "num" && this.chance(0.3) ? `${name} = 1` : name, vars };
    });
    /** @type {Env} */
    const env = {
      vars: [...captured, ...patterns.flatMap(({ vars }) => vars)],
      async: callable.async,
      generator: callable.generator,
      self,
      depth: 0,
    };
    const statements = this.block(env, 2 + Math.floor(this.rand() * 4));
    const params = patterns.map(({ text }) => text).join(", ");
    const result = callable.generator ? "" : `return ${this.value(env, callable.returns)};`;
    return { params, text: `${statements}${result}` };
  }

  /** @param {string} [prefix] @returns {Callable} */
  callable(prefix = "f") {
    const name = this.name(prefix);
    const kinds = Array.from({ length: 1 + Math.floor(this.rand() * 3) }, () => this.pick(KINDS));
    const form = this.rand();
    const asynchronous = form < 0.2;
    const generator = form > 0.9;
    const returns = asynchronous ? "obj" : this.pick(KINDS);
    return { name, kinds, call: name, async: asynchronous, generator, returns };
  }

  /** @returns {string} */
  functionText() {
    const callable = this.callable();
    const { name, async: isAsync, generator } = callable;
    if (!isAsync && !generator && this.chance(0.2)) return this.closure(callable);
    const { params, text } = this.body(callable);
    this.callables.push(callable);
    const head = isAsync ? "async " : "";
    if (!generator && this.chance(0.3))
      return `const ${name} = ${head}(${params}) => {\n${text}\n};`;
    return `${head}function${generator ? "*" : ""} ${name}(${params}) {\n${text}\n}`;
  }

  /** A function that keeps state in a closure. @param {Callable} callable */
  closure(callable) {
    const state = this.name("s");
    const count = this.name("c");
    const maker = this.name("make");
    const { params, text } = this.body(callable, {
      captured: [
        [state, "obj"],
        [count, "num"],
      ],
    });
    this.callables.push(callable);
    return (
      `function ${maker}(${state}) {\n  let ${count} = 0;\n` +
      `  const inner = (${params}) => {\n${count}++;\n${text}\n};\nreturn inner;\n}\n` +
      `const ${callable.name} = ${maker}(${this.value({ vars: [], async: false, generator: false, self: false, depth: 3 }, "obj", 2)});`
    );
  }

  /** @returns {string} */
  classText() {
    const name = `C${this.classes}`;
    const parent =
      this.classes > 0 && this.chance(0.6) ? `C${Math.floor(this.rand() * this.classes)}` : "";
    const methods = ["m0", "m1"]
      .filter(() => !parent || this.chance(0.6))
      .map((method) => {
        /** @type {Callable} */
        const callable = {
          name: method,
          kinds: ["obj"],
          call: method,
          async: false,
          generator: false,
          returns: "obj",
        };
        const { params, text } = this.body(callable, { self: true });
        const above = parent && this.chance(0.5) ? `super.${method}({ a: 1 });\n` : "";
        const secret = parent
          ? ""
          : this.pick(["this.#n++;\n", "this.#t.push(this.v);\n", `${name}.made += 1;\n`, ""]);
        return `${method}(${params}) {\n${above}${secret}${text}\n}`;
      });
    const fields = parent ? `extra = 1;` : `v = 1;\n#n = 0;\n#t = [];\nstatic made = 0;`;
    const init = parent ? `super(o);` : `this.o = o;`;
    const own = !parent || this.chance(0.5) ? `constructor(o) {\n${init}\nthis.list = [];\n}` : "";
    const getter =
      this.chance(0.6) || !parent
        ? `get total() { return this.list.length + this.v; }\nset total(t) { this.v = t; }`
        : "";
    this.classes++;
    return `class ${name}${parent ? ` extends ${parent}` : ""} {\n${fields}\n${own}\n${getter}\n${methods.join("\n")}\n}`;
  }

  /** A part that shows a feature, with a function that others can call. @returns {string} */
  feature() {
    const id = String(this.unique++);
    const text = this.pick(FEATURES).replaceAll("@", id);
    /** @type {Env} */
    const top = { vars: [], async: false, generator: false, self: false, depth: 3 };
    const filled = text.replace(/\$(obj|num|arr|fn|do)/g, (_, kind) => {
      if (kind.startsWith("do")) return this.chance(0.6) ? this.block(top, 1).trim() : "";
      return this.value(top, kind, 2);
    });
    const name = `f${id}`;
    const [, head, params] = /** @type {RegExpExecArray} */ (
      new RegExp(`^(.*)function\\*? ${name}\\((.*?)\\)`, "m").exec(filled)
    );
    /** @type {Kind[]} */
    const kinds = params.split(",").map(() => "obj");
    const isAsync = head.startsWith("async");
    this.callables.push({
      name,
      kinds,
      call: name,
      async: isAsync,
      generator: false,
      returns: "obj",
    });
    return filled;
  }

  program() {
    const top = { vars: [], async: false, generator: false, self: false, depth: 3 };
    const parts = [];
    for (const kind of /** @type {Kind[]} */ (["obj", "obj", "arr", "map", "set"])) {
      const name = this.name("o");
      if (!this.chance(0.75)) continue;
      parts.push(`const ${name} = ${this.value(top, kind, 1)};`);
      this.globals.push([name, kind]);
    }
    for (let i = 0; i < 2; i++) {
      const name = this.name("n");
      parts.push(`let ${name} = 0;`);
      this.globals.push([name, "num"]);
    }
    parts.push(
      `const bus = new EventEmitter();\nbus.on("x", (o) => { ${this.block({ ...top, vars: [["o", "obj"]] }, 1)} });`,
    );
    for (let i = 0; i < 2; i++) parts.push(this.functionText());
    const classes = Math.floor(this.rand() * 3);
    for (let i = 0; i < classes; i++) parts.push(this.classText());
    if (classes > 0) {
      const name = this.name("i");
      parts.push(`const ${name} = ${this.fresh(top, "inst", 2)};`);
      this.globals.push([name, "inst"]);
    }
    if (this.chance(0.5)) parts.push(this.feature());
    const split = parts.length;
    const count = 3 + Math.floor(this.rand() * 4);
    for (let i = 0; i < count; i++) {
      parts.push(this.chance(0.4) ? this.feature() : this.functionText());
    }
    const main = [];
    for (let i = 0; i < count + 2; i++)
      main.push(`try { ${this.call({ ...top, depth: 0 })} } catch {}`);
    return { parts, split, main, globals: this.globals };
  }

  /** @returns {Record<string, string>} */
  files() {
    const { parts, split, main } = this.program();
    const header = this.esm
      ? `import { EventEmitter } from "node:events";`
      : `const { EventEmitter } = require("node:events");`;
    const extension = this.esm ? "mjs" : "js";
    if (this.chance(0.6)) {
      return { [`main.${extension}`]: [header, ...parts, ...main].join("\n") + "\n" };
    }
    const first = parts.slice(0, split);
    const names = first.join("\n").matchAll(/^(?:async )?(?:const|function\*?|class) (\w+)/gm);
    const all = [...names].map(([, name]) => name);
    const lets = [...first.join("\n").matchAll(/^let (\w+)/gm)].map(([, name]) => name);
    const code = parts.slice(split).concat(main).join("\n");
    // Variables of another file cannot be assigned.
    const own = lets.map((name) => `let ${name} = 0;`).join("\n");
    const list = all.join(", ");
    return this.esm
      ? {
          "main.mjs": `import { ${list} } from "./lib.mjs";\n${header}\n${own}\n${code}\n`,
          "lib.mjs": `${header}\n${first.join("\n")}\nexport { ${list} };\n`,
        }
      : {
          "main.js": `const { ${list} } = require("./lib");\n${header}\n${own}\n${code}\n`,
          "lib.js": `${header}\n${first.join("\n")}\nmodule.exports = { ${list} };\n`,
        };
  }
}

/** The files of the program of a seed, by name. @param {number} seed */
export function generate(seed) {
  return new Generator(seed).files();
}
