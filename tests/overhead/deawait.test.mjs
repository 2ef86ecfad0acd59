// What compilers have written as generators does the same when it is restored.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { optimize } from "headstart";

import { COMPILERS, load } from "./compilers.mjs";
import { scenarios, textOf } from "./differ.mjs";
import { generate } from "./generate.mjs";
import { SAMPLES } from "./samples.mjs";
import { observe } from "./world.mjs";

const COUNT = Number(process.env["DEAWAIT_COUNT"] ?? 60);
const SEED = Number(process.env["DIFFER_SEED"] ?? 1);

/** What is rejected on purpose is nobody's business but that of who awaits it. */
process.on("unhandledRejection", () => undefined);

const restoredOf = ({ functions }) => functions.filter((it) => it.outcome.kind === "restored");
const leftOf = ({ functions }) =>
  functions.filter(
    (it) => it.outcome.kind === "kept" && /not restored|named like/.test(it.outcome.reason),
  );

/** The text of a program, compiled, that gives back its `main`. */
const compiled = (compile, code, mode = '"use strict";\n') =>
  `${compile(`${mode}${code}`)}\nreturn main;\n`;

/**
 * As above; nothing where the compiler itself fails, as TypeScript does for some templates in heads of loops, and
 * Babel for a `var` of the name of a parameter with a default, or where it leaves an `await`, as TypeScript does.
 */
function compiledIfPossible(compile, code) {
  let text;
  try {
    text = compiled(compile, code);
  } catch (error) {
    if (/Debug Failure|Duplicate declaration/.test(error.message)) return undefined;
    throw error;
  }
  return parses(text) ? text : undefined;
}

function parses(code) {
  try {
    return Boolean(load(code));
  } catch {
    return false;
  }
}

/** All that could be seen, but for the text of functions, which is another one afterwards. */
const seen = ({ outcome, log }) =>
  [outcome, ...log]
    .join("\n")
    .replaceAll(/function \(\) \{\s*return p[^}]*\}|\(\) => p[\w$.]*/g, "function");

/** Compares a compiled program with what `change` makes of it; returns what differs. */
async function mismatch(code, change, sites, seed) {
  const result = change(code);
  const before = load(code);
  const after = load(result.code);
  // The helpers of compilers call a `then` put on a promise, which `await` does not: docs/deawait.md.
  for (const behaviours of scenarios(sites, seed, [])) {
    // Compilers assign where there was a default, and from variables that live in boxes functions get no name.
    const expected = await observe(before, behaviours, { names: false });
    const actual = await observe(after, behaviours, { names: false });
    if (seen(expected) !== seen(actual)) {
      return { behaviours, expected, actual, code, changed: result.code };
    }
  }
  return undefined;
}

const optimized = (code) => optimize(code, { file: "program.cjs" });
const programText = (seed) => {
  const program = generate(seed);
  const text = textOf(program, seed % 2 === 0);
  return { code: text.slice(0, text.lastIndexOf("return main;")), sites: program.sites };
};

for (const { name, compile, generators } of COMPILERS) {
  describe(`from ${name}`, () => {
    it(`random functions do the same (${COUNT} from seed ${SEED})`, async () => {
      let tried = 0;
      for (let seed = SEED; seed < SEED + COUNT; seed++) {
        const { code, sites } = programText(seed);
        const text = compiledIfPossible(compile, code);
        if (text === undefined) continue;
        tried += 1;
        const found = await mismatch(text, optimized, sites, seed);
        assert.equal(found, undefined, found && JSON.stringify(found, null, 1));
        const left = leftOf(optimized(text)).map((it) => it.outcome.reason);
        if (generators) assert.deepEqual(left, [], text);
      }
      assert.ok(tried > 0.9 * COUNT, `only ${tried} of ${COUNT} could be compiled`);
    });

    for (const sample of SAMPLES) {
      it(`${sample.name} do the same in sloppy code`, async () => {
        const text = compiled(compile, sample.code, "");
        const found = await mismatch(text, optimized, sample.sites, 1);
        assert.equal(found, undefined, found && JSON.stringify(found, null, 1));
      });

      it(`${sample.name} do the same`, async () => {
        const text = compiled(compile, sample.code);
        const found = await mismatch(text, optimized, sample.sites, 1);
        assert.equal(found, undefined, found && JSON.stringify(found, null, 1));
        // A loop whose rounds closures hold yields to another generator in a state machine.
        const { restored = true } = sample;
        if (generators || restored) assert.ok(restoredOf(optimized(text)).length > 0, text);
      });
    }
  });
}

describe("helpers", () => {
  const source = `async function main(a) { return await a; }\nmodule.exports = main;`;
  const inline = COMPILERS.filter(({ name }) => !name.includes("tslib"));

  for (const { name, compile } of inline) {
    it(`that are not used any more are gone (${name})`, () => {
      const text = compile(source);
      const result = optimized(text);
      assert.equal(restoredOf(result).length, 1);
      assert.doesNotMatch(result.code, /__awaiter|__async\b|syncToGenerator|asyncGeneratorStep/);
    });
  }

  for (const { name, compile } of inline) {
    it(`of which one word is another are left alone (${name})`, () => {
      const text = compile(source);
      const [from, to] = helperOf(text);
      const words = [...text.slice(from, to).matchAll(/[\w$]+|[!?:]/g)];
      assert.ok(words.length > 50);
      let tried = 0;
      for (const { index, 0: word } of words) {
        const other = `${text.slice(0, from + index)}${word === "!" ? "" : "zz"}${text.slice(from + index + word.length)}`;
        let result;
        try {
          result = optimized(other);
        } catch {
          continue;
        }
        tried++;
        assert.equal(restoredOf(result).length, 0, other);
      }
      assert.ok(tried > 20);
    });
  }

  /** Where the functions that a compiler has put into a text begin and end, their names left out. */
  function helperOf(text) {
    const main = text.search(/(async )?function main\(/);
    const awaiter = text.search(/\((thisArg, _arguments|__this|n, t, e, r, o, a, c)/);
    const end = text.slice(0, main).trimEnd().length;
    return [awaiter, text.includes("__generator") ? text.indexOf("var __generator") : end];
  }

  it("are left alone where something else uses them, or exports them", () => {
    const { compile } = COMPILERS[0];
    for (const use of ["other(__awaiter);", "exports.__awaiter = __awaiter;"]) {
      const { code } = optimized(compile(`${source}\n${use}`));
      assert.match(code, /__awaiter = /);
    }
  });

  it("that somebody has assigned to, or promises that are not the language's, are left alone", () => {
    const { compile } = COMPILERS[0];
    for (const change of ["__awaiter = other;", "var Promise = other;", "Promise = other;"]) {
      assert.equal(restoredOf(optimized(compile(`${source}\n${change}`))).length, 0);
    }
  });
});

describe("what is left, with the reason:", () => {
  const [typescript] = COMPILERS;
  const cases = {
    "a promise of a class of its own": [
      /class of its own/,
      (code) => code.replace("void 0, function", "Other, function"),
    ],
    "a generator that yields to another": [
      /yields as no compiler/,
      (code) => code.replace("yield a", "yield* a"),
    ],
    "a file that uses `await` as a name": [
      /`await` as a name/,
      (code) => `${code}\nvar await = 1;`,
    ],
  };
  for (const [name, [reason, change]] of Object.entries(cases)) {
    it(name, () => {
      const before = typescript.compile(`async function main(a) { return await a; }`);
      const code = change(before);
      assert.notEqual(code, before);
      const result = optimized(code);
      assert.deepEqual(restoredOf(result), []);
      assert.match(leftOf(result)[0].outcome.reason, reason);
    });
  }

  it("with exact ticks, what would wait longer or shorter", () => {
    const exact = (compile) =>
      optimize(compile(`async function main(a) { return await a; }`), {
        file: "a.cjs",
        ticks: "exact",
      });
    for (const { name, compile, generators } of COMPILERS.filter((it) => it.generators)) {
      const restored = restoredOf(exact(compile)).length;
      assert.equal(restored, name.startsWith("TypeScript") ? 0 : 1, `${name} ${generators}`);
    }
  });

  it("everything, if it is asked for", () => {
    const text = typescript.compile(`async function main(a) { return await a; }`);
    assert.equal(optimize(text, { file: "a.cjs", restore: false }).code, text);
  });
});

describe("the name of what holds `this` outside:", () => {
  const [{ compile }] = COMPILERS;
  const helper = compile(`async function main() {}`).replace(
    /async function main|function main[^]*/,
    "",
  );
  /** What a function gives whose generator has this body; `self` is what holds its `this`. */
  const programs = (body) => ({
    "in an arrow function": `var self = { x: 1 };
      return ((y) => __awaiter(self, void 0, void 0, function* () { ${body} }))(2);`,
    "in a function of another name": `var self = this;
      return [1].map(() => __awaiter(self, void 0, void 0, function* () { ${body} }))[0];`,
    "behind a declaration": `const call = () => { var self = { x: 1 };
        return __awaiter(self, void 0, void 0, function* () { ${body} }); };
      return call();`,
    "in an expression": `var self = { x: 1 }, other = __awaiter(self, void 0, void 0, function* () { ${body} });
      return other;`,
    "in a round of a loop": `var all = [];
      for (var i = 1; i < 3; i++) { var self = { x: i }; all.push(__awaiter(self, void 0, void 0, function* () { ${body} })); }
      return all[0];`,
  });
  const bodies = [
    "var self = this; yield 0; return [1].map(() => self.x)[0];",
    "var self = this, a = 1; yield 0; return [1].map(() => self.x * a)[0];",
    "var a = 1, self = this, b = 1; yield 0; return [1].map(() => self.x * a * b)[0];",
    "var a\nvar self = this\n;[yield 0]; return self.x;",
    "var self = this; yield 0; return self === this ? this.x : 0;",
    "var self = this; var x = self.x; yield 0; self = 0; return x;",
    "var self = this; if (yield 0) { var self = 0; } return self.x;",
    "var early = () => self.x; yield 0; var self = this; return early();",
    "var got = read(); var self = this; yield 0; return got === 0 ? self.x : 0; function read() { return self ? 1 : 0; }",
    "yield 0; var self = 5; return this.x;",
    "{ let self = 5; yield self; return this.x; }",
    "try { throw 5; } catch (self) { yield self; return this.x; }",
    "yield 0; return [5].map((self) => this.x)[0];",
    "yield 0; return (() => { const self = 5; return [1].map(() => this.x)[0]; })();",
    "for (let self = 5; ; ) { yield 0; return this.x; }",
    "for (const self of [5]) { yield 0; return this.x; }",
    "yield 0; return class self { static [this.x] = 0; static get it() { return Object.keys(self)[0]; } }.it * 1;",
    "yield 0; { function self() {} } return this.x;",
    "yield 0; return this.x;",
  ];
  for (const place of Object.keys(programs(""))) {
    it(`${place}, it stands for nothing else`, async () => {
      for (const body of bodies) {
        const code = `${helper}\nfunction main() { ${programs(body)[place]} }\nmodule.exports = main;`;
        const result = optimized(code);
        assert.equal(restoredOf(result).length, 1, code);
        const [before, after] = [code, result.code].map((text) => {
          const module = {};
          new Function("module", text)(module);
          return module.exports;
        });
        assert.equal(await before.call({ x: 1 }), 1, code);
        assert.equal(await after.call({ x: 1 }), 1, result.code);
      }
    });
  }

  it("and `var _this = this` of TypeScript does not keep a function from being async itself", () => {
    const { compile: toEs5 } = COMPILERS.find(({ name }) => name === "TypeScript, ES5");
    const text = toEs5(
      `class A { x = 1; sum = async (xs) => { await null; return xs.map((y) => y + this.x); }; }`,
    );
    const result = optimized(text);
    assert.deepEqual(
      restoredOf(result).map((it) => it.outcome.form),
      ["async function"],
    );
    assert.doesNotMatch(result.code, /_this = _this/);
  });
});

it("maps what it writes to the text that was compiled", () => {
  const text = COMPILERS[0].compile(`async function main(a) {\n  return await a.value;\n}`);
  const { code, map } = optimize(text, { file: "a.cjs", sourceMap: true });
  assert.match(code, /async function main\(a\)/);
  assert.deepEqual(map.sourcesContent, [text]);
  assert.ok(map.mappings.length > 20);
});

describe("a bug is found:", () => {
  const bugs = {
    "a value that is not waited for": (code) => code.replace(/= await \$/, "= $"),
    "brackets that are left out": (code) =>
      code.replaceAll(/\(await (\$\.op\([^()]*\))\)( [+<] [\w$.]+)/g, "(await ($1$2))"),
    "`this` that is lost": (code) => code.replace(/this\.k(?! *[+|]*=)/, "undefined"),
    "a `finally` that fails": (code) => code.replace("finally {", "finally { missing();"),
    "a statement that runs twice": (code) => code.replace(/^( *\$\.log\([^;\n]*;)$/m, "$1 $1"),
  };
  const [{ compile }] = COMPILERS;
  for (const [name, breakIt] of Object.entries(bugs)) {
    it(name, async () => {
      const broken = (code) => ({ code: breakIt(optimized(code).code) });
      for (const { code, sites } of SAMPLES) {
        const text = compiled(compile, code);
        if (parses(broken(text).code) && (await mismatch(text, broken, sites, 1))) return;
      }
      for (let seed = 1; seed < 200; seed += 2) {
        const { code, sites } = programText(seed);
        const text = compiledIfPossible(compile, code);
        if (text === undefined) continue;
        if (parses(broken(text).code) && (await mismatch(text, broken, sites, seed))) return;
      }
      assert.fail("100 functions and the samples do not show it");
    });
  }
});
