/**
 * Makes the shapes of a program from its one synchronous source: every function async, every call
 * awaited and put through `wrap`, as in section 4.1 of the paper (../shared/papers/3-*).
 *
 * The sources keep to a plain subset: classes with methods, function declarations, arrow functions; no
 * accessors, fields or generators; own methods share no name with built-in ones that are called.
 *
 * What is called while a constructor runs cannot be awaited. It gets a synchronous copy, `nameSync`,
 * which constructors call, as in the paper.
 */
import { parse } from "acorn";
import { ancestor } from "acorn-walk";
import MagicString from "magic-string";
import { DIRECTIVE } from "./paper-scheme.mjs";

/** @typedef {"sync" | "async" | "directive" | "generator"} Shape */

/**
 * @param {string} source the synchronous program
 * @param {{shape: Shape, wrap?: boolean, needed?: boolean}} options `wrap: false` leaves `wrap` out;
 *   `needed` makes every await necessary
 * @returns {string} a module with the same exports
 */
export function generate(source, { shape, wrap = true, needed = false }) {
  const [program] = readPrograms([source], "module");
  const text = new MagicString(source);
  if (shape !== "sync") program.writeSyncCopies(text);
  const write = { sync: writeSync, generator: writeGenerator }[shape] ?? writeAsync;
  write(program, text, { wrap, needed, directive: shape === "directive" });
  return text.toString() + (wrap && shape !== "generator" ? wrapFunction(needed) : "");
}

/**
 * Makes every function of a program of several files async, and awaits every call in one.
 *
 * @param {string[]} sources its CommonJS files
 * @param {{directive?: boolean, needed?: string}} options `needed` has every function wait for a promise
 *   first, `"perhaps"` behind a test
 * @returns {string[]} the same files, in the same order
 */
export function generateFiles(sources, { directive = false, needed } = {}) {
  return readPrograms(sources, "commonjs").map((program) => {
    const text = new MagicString(program.source);
    program.writeSyncCopies(text);
    writeAsync(program, text, { wrap: false, directive, waits: needed && WAITS[needed] });
    return text.toString();
  });
}

/** The files of a program: each knows what functions the others have. */
function readPrograms(sources, sourceType) {
  const named = new Map();
  const programs = sources.map((source) => new Program(source, sourceType, named));
  const copied = new Set();
  const add = (name) => {
    if (copied.has(name) || !named.has(name)) return;
    copied.add(name);
    for (const it of programs) it.calledBy(name).forEach(add);
  };
  for (const it of programs) it.early.map(({ node }) => it.ownName(node)).forEach(add);
  for (const it of programs) it.copied = copied;
  return programs;
}

function wrapFunction(needed) {
  return `\nfunction wrap(value) {\n  return ${needed ? "Promise.resolve(value)" : "value"};\n}\n`;
}

/** What a source holds: its functions, and its calls by where they are. */
class Program {
  /** `named` has the functions of all files by name: methods of every class, and declarations. */
  constructor(source, sourceType, named) {
    this.source = source;
    this.named = named;
    /** Those of this file. */
    this.ownNamed = new Map();
    /** Names of which there is a synchronous copy, in all files. */
    this.copied = new Set();
    this.ast = parse(source, { ecmaVersion: 2022, sourceType });
    /** Functions that can be async: all but constructors. */
    this.functions = [];
    /** Calls in them. */
    this.calls = [];
    /** Calls while a constructor or the module runs. */
    this.early = [];
    /** `this` in arrow functions, with the arrow and the function that it means. */
    this.arrowThis = [];
    ancestor(this.ast, {
      Function: (node, _, ancestors) => this.addFunction(node, ancestors.at(-2)),
      CallExpression: (node, _, ancestors) => this.addCall(node, ancestors),
      ThisExpression: (node, _, ancestors) => {
        if (around(ancestors)?.type !== "ArrowFunctionExpression") return;
        const home = ancestors.findLast((it) => /^Function/.test(it.type));
        this.arrowThis.push({ node, home });
      },
    });
  }

  addFunction(node, parent) {
    if (parent?.type === "MethodDefinition" && parent.kind === "constructor") return;
    const method = parent?.type === "MethodDefinition" ? parent : undefined;
    this.functions.push({ node, method });
    const name = method ? method.key.name : node.id?.name;
    if (!name) return;
    for (const all of [this.named, this.ownNamed]) {
      all.set(name, [...(all.get(name) ?? []), method ?? node]);
    }
  }

  addCall(node, ancestors) {
    if (node.callee.type === "Super") return;
    const home = around(ancestors);
    const owner = home && ancestors[ancestors.lastIndexOf(home) - 1];
    const early = !home || (owner.type === "MethodDefinition" && owner.kind === "constructor");
    (early ? this.early : this.calls).push({ node, parent: ancestors.at(-2) });
  }

  /** Whether a call may call a function of the program rather than a built-in one. */
  isOwn({ callee }) {
    if (callee.type === "MemberExpression") return this.named.has(callee.property.name);
    return (
      callee.type !== "Identifier" || !(callee.name in globalThis || callee.name === "require")
    );
  }

  /** The name of the program's function that a call may call. */
  ownName(node) {
    return this.isOwn(node) ? (node.callee.property?.name ?? node.callee.name) : undefined;
  }

  /** The names of the program's functions that functions of a name call in this file. */
  calledBy(name) {
    const homes = this.ownNamed.get(name) ?? [];
    return homes.flatMap((home) => this.callsIn(home).map(({ node }) => this.ownName(node)));
  }

  callsIn({ start, end }) {
    return this.calls.filter(({ node }) => node.start >= start && node.end <= end);
  }

  /** Adds the synchronous copies of what runs early, and of what those call. */
  writeSyncCopies(text) {
    const rename = (into, node) => {
      if (this.copied.has(this.ownName(node))) into.appendLeft(node.callee.end, "Sync");
    };
    for (const { node } of this.early) rename(text, node);
    for (const name of this.copied) {
      for (const node of this.ownNamed.get(name) ?? []) {
        const copy = new MagicString(this.source);
        copy.appendLeft((node.key ?? node.id).end, "Sync");
        for (const call of this.callsIn(node)) rename(copy, call.node);
        text.appendRight(node.end, `\n\n${copy.slice(node.start, node.end)}`);
      }
    }
  }
}

function around(ancestors) {
  return ancestors.slice(0, -1).findLast((it) => /Function/.test(it.type));
}

function writeSync(program, text, { wrap }) {
  if (!wrap) return;
  for (const { node } of program.calls) surround(text, node, "wrap(", ")");
}

/** Has a function begin with some statements: an arrow function, in a body that it gets for that. */
function begin(body, text, statements) {
  if (body.type === "BlockStatement") {
    text.appendLeft(body.start + 1, `\n${statements}`);
    return;
  }
  text.appendLeft(body.start, `{ ${statements} return `);
  text.appendRight(body.end, "; }");
}

/** How a function begins that waits. */
const WAITS = {
  always: "await Promise.resolve();",
  perhaps: "if (!globalThis.ready) await Promise.resolve();",
};

function writeAsync(program, text, { wrap, directive, waits }) {
  const statements = [directive && `"${DIRECTIVE}";`, waits].filter(Boolean).join(" ");
  for (const { node, method } of program.functions) {
    text.appendLeft((method?.key ?? node).start, "async ");
    if (statements) begin(node.body, text, statements);
  }
  for (const { node, parent } of program.calls) {
    const [open, close] = standsAlone(parent, node) ? ["", ""] : ["(", ")"];
    surround(text, node, `${open}await ${wrap ? "wrap(" : ""}`, (wrap ? ")" : "") + close);
  }
}

/**
 * Every function a generator, and the entry, `run`, a generator `program` of which the libraries make
 * a function. Where awaits are not needed, built-in functions are called as they are: they yield
 * nothing, which is what somebody who writes generators by hand knows.
 */
function writeGenerator(program, text, { wrap, needed }) {
  const aliased = new Set();
  for (const { node, home } of program.arrowThis) {
    text.overwrite(node.start, node.end, "self");
    if (!aliased.has(home)) text.appendLeft(home.body.start + 1, "\nconst self = this;");
    aliased.add(home);
  }
  for (const { node, method } of program.functions) writeGeneratorHead(text, node, method);
  for (const { node } of program.calls) {
    if (program.isOwn(node))
      surround(text, node, `(yield* ${wrap ? "wrap(" : ""}`, wrap ? "))" : ")");
    else if (needed) surround(text, node, "(yield* deferred(", "))");
  }
  if (wrap) text.append(generatorWrap(needed));
}

function writeGeneratorHead(text, node, method) {
  if (method) text.appendLeft(method.key.start, "*");
  else if (node.type === "ArrowFunctionExpression") {
    text.appendLeft(node.start, "function* ");
    text.remove(
      text.original.indexOf("=>", node.params.at(-1)?.end ?? node.start),
      node.body.start,
    );
  } else if (node.id.name === "run") text.overwrite(node.id.start, node.id.end, "* program");
  else text.appendLeft(node.start + "function".length, "*");
}

function generatorWrap(needed) {
  return needed
    ? "\nfunction* wrap(generator) {\n  return yield* deferred(yield* generator);\n}\n"
    : "\nfunction wrap(generator) {\n  return generator;\n}\n";
}

function surround(text, node, open, close) {
  text.appendLeft(node.start, open);
  text.prependRight(node.end, close);
}

/** Whether an await may stand there without parentheses. */
function standsAlone(parent, node) {
  switch (parent.type) {
    case "CallExpression":
      return parent.callee !== node;
    case "ExpressionStatement":
    case "ReturnStatement":
    case "VariableDeclarator":
    case "AssignmentExpression":
    case "IfStatement":
      return true;
    default:
      return false;
  }
}
