// Adds to a source the calls that tell the runtime (runtime.mjs) what it reads and writes.
//
// `__S` is the runtime and `__a3` the activation of the function number 3. Parameters that are
// patterns or have defaults are taken apart in the body, where the activation has begun.
import { parseSource } from "../callgraph/transform.mjs";
import { childrenOf, isFunction, patternNames, resolve } from "./scopes.mjs";

/**
 * @typedef {import("./scopes.mjs").Node} Node
 * @typedef {{ file: string, starts: string[], end: string, params: string[] }} Fun Places are
 *   lines and columns from 1, the end exclusive.
 * @typedef {{ fn: number, thisOk: boolean, derived: boolean, scope: import("./scopes.mjs").Scope }} Context
 */

/** @param {{ line: number, column: number }} position */
const place = ({ line, column }) => `${line}:${column + 1}`;
const quote = JSON.stringify;

/** What a pattern reads: `[key, pattern inside][]`, the key `*` is any. @param {Node | null} node @returns {any} */
function shapeOf(node) {
  switch (node?.type) {
    case "AssignmentPattern":
      return shapeOf(node.left);
    case "ObjectPattern":
      return node.properties.map((/** @type {Node} */ p) =>
        p.type === "RestElement" || p.computed
          ? ["*", null]
          : [p.key.name ?? String(p.key.value), shapeOf(p.value)],
      );
    case "ArrayPattern":
      return [
        ["[…]", null],
        ...node.elements.map((/** @type {Node} */ e, /** @type {number} */ i) => [i, shapeOf(e)]),
      ];
    default:
      return null;
  }
}

/** @param {Node} node */
const isPattern = (node) => /^(Object|Array)Pattern$/.test(node?.type);

class Instrumenter {
  /** @param {string} source @param {string} file @param {"module" | "script"} sourceType @param {number} base */
  constructor(source, file, sourceType, base) {
    this.source = source;
    this.file = file;
    this.base = base;
    this.program = parseSource(source, sourceType);
    const { scopes, functions } = resolve(this.program);
    this.scopes = scopes;
    this.numbers = functions;
    /** @type {Fun[]} */
    this.functions = [];
  }

  run() {
    /** @type {Context} */
    const context = {
      fn: -1,
      thisOk: true,
      derived: false,
      scope: /** @type {any} */ (this.scopes.get(this.program)),
    };
    const { body } = this.program;
    const directives = this.directives(body);
    const rest = body.slice(directives.length);
    const head = this.source.slice(0, (directives.at(-1) ?? { end: this.hashBang() }).end);
    const text = `${head}${this.hoisted(rest)}\n${this.list(rest, context)}`;
    return { text, functions: this.functions };
  }

  hashBang() {
    return this.source.startsWith("#!") ? this.source.indexOf("\n") : 0;
  }

  /** @param {Node[]} statements */
  directives(statements) {
    return statements.filter((statement) => statement.directive !== undefined);
  }

  /** Names and births of the functions that a body declares. @param {Node[]} statements */
  hoisted(statements) {
    return statements
      .map((s) => (/^Export(Named|Default)/.test(s.type) ? (s.declaration ?? s) : s))
      .filter((s) => s.type === "FunctionDeclaration" && s.id)
      .map((s) => `;__S.nm(${quote(s.id.name)},__S.b(${s.id.name},${this.line(s)}));`)
      .join("");
  }

  /** @param {Node} node */
  line(node) {
    return quote(`${this.file}:${node.loc.start.line}`);
  }

  /** The text of a node, in which its children are replaced. @param {Node} node @param {Context} c @returns {string} */
  inside(node, c) {
    let text = "";
    let from = node.start;
    for (const child of childrenOf(node)) {
      if (child.start < from) continue;
      text += this.source.slice(from, child.start) + this.gen(child, c, node);
      from = child.end;
    }
    return text + this.source.slice(from, node.end);
  }

  /** @param {Node[]} nodes @param {Context} c */
  list(nodes, c) {
    return nodes.map((node) => this.gen(node, c, null)).join("\n");
  }

  /** @param {Node} node */
  raw(node) {
    return this.source.slice(node.start, node.end);
  }

  /** @param {Node} node @param {Context} c @param {Node | null} parent @returns {string} */
  gen(node, c, parent) {
    const scope = this.scopes.get(node);
    const context = scope && !isFunction(node) ? { ...c, scope } : c;
    if (isFunction(node)) return this.functionLike(node, c, parent);
    const method = /** @type {any} */ (this)[node.type];
    return method ? method.call(this, node, context, parent) : this.inside(node, context);
  }

  // Functions and classes.

  /** @param {Node} node @param {Context} c @param {Node | null} parent */
  functionLike(node, c, parent) {
    const text = this.fun(node, c, `${node.async ? "async " : ""}`, [node.start]);
    if (node.type === "FunctionDeclaration" || parent?.type === "ExportDefaultDeclaration") {
      return text;
    }
    return `__S.b(${text},${this.line(node)})`;
  }

  /** @param {Node} node @param {Context} c @param {string} head @param {Node[]} starts @param {string} [kind] */
  fun(node, c, head, starts, kind = "function") {
    const number = this.number(node);
    const arrow = node.type === "ArrowFunctionExpression";
    this.functions[number - this.base] = {
      file: this.file,
      starts: starts.map((start) => this.at(/** @type {any} */ (start))),
      end: place(node.loc.end),
      params: node.params.map((/** @type {Node} */ p, /** @type {number} */ i) => {
        const target = p.type === "AssignmentPattern" ? p.left : p;
        const bare = target.type === "RestElement" ? target.argument : target;
        return bare.type === "Identifier" ? bare.name : `(parameter ${i + 1})`;
      }),
    };
    const derived = arrow ? c.derived : kind === "derived";
    const inner = {
      fn: number,
      thisOk: arrow ? c.thisOk : true,
      derived,
      scope: /** @type {any} */ (this.scopes.get(node)),
    };
    const self = derived ? "undefined" : "this";
    const target = arrow || derived || kind === "method" ? "undefined" : "new.target";
    const { params, values, moved } = this.parameters(node, inner);
    const enter = `const __a${number}=__S.enter(${number},${self},${target},[${values}]);`;
    const star = node.generator ? "*" : "";
    const start =
      kind === "function" && !arrow ? `${head}function${star} ${node.id?.name ?? ""}` : head;
    const open = `${start}(${params})${arrow ? "=>" : ""}{`;
    const close = `}finally{__S.leave(__a${number})}}`;
    if (node.body.type !== "BlockStatement") {
      return `${open}${enter}try{${moved}return(${this.gen(node.body, inner, node)});${close}`;
    }
    const { body } = node.body;
    const directives = this.directives(body).map((d) => this.raw(d));
    const rest = body.slice(directives.length);
    return (
      `${open}${directives.join("")}${enter}try{${moved}${this.hoisted(rest)}` +
      `\n${this.list(rest, inner)}\n${close}`
    );
  }

  /** @param {number} offset */
  at(offset) {
    const before = this.source.slice(0, offset).split("\n");
    return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
  }

  /** @param {Node} node */
  number(node) {
    return this.base + /** @type {number} */ (this.numbers.get(node));
  }

  /** @param {Node} node @param {Context} c */
  parameters(node, c) {
    const simple = node.params.findIndex((/** @type {Node} */ p) => p.type !== "Identifier");
    const split = simple < 0 ? node.params.length : simple;
    const params = [];
    const values = [];
    let moved = "";
    for (const [index, param] of node.params.entries()) {
      if (index < split) {
        params.push(param.name);
        values.push(param.name);
        moved += `__S.nm(${quote(param.name)},${param.name});`;
        continue;
      }
      const name = `__p${index}`;
      const rest = param.type === "RestElement";
      params.push(rest ? `...${name}` : name);
      values.push(rest ? `__S.b(${name})` : name);
      const target = rest
        ? param.argument
        : param.type === "AssignmentPattern"
          ? param.left
          : param;
      const value =
        param.type === "AssignmentPattern"
          ? `(${name}===undefined?${this.gen(param.right, c, param)}:${name})`
          : name;
      moved += `var ${this.declaration(target, value, c)};${this.named(target)}`;
    }
    return { params, values, moved };
  }

  /** @param {Node} target @param {string} value @param {Context} c */
  declaration(target, value, c) {
    const shape = quote(shapeOf(target));
    return isPattern(target)
      ? `${this.pattern(target, c)}=__S.destr(${value},${shape})`
      : `${target.name}=${value}`;
  }

  /** Says what the names of a pattern hold. @param {Node} target */
  named(target) {
    return patternNames(target)
      .map((name) => `__S.nm(${quote(name)},__S.fresh(${name}));`)
      .join("");
  }

  /** @param {Node} node @param {Context} c @returns {string} */
  pattern(node, c) {
    if (!isPattern(node)) {
      if (node.type === "AssignmentPattern") {
        return `${this.pattern(node.left, c)}=${this.gen(node.right, c, node)}`;
      }
      return node.type === "RestElement" ? `...${this.pattern(node.argument, c)}` : this.raw(node);
    }
    if (node.type === "ArrayPattern") {
      const parts = node.elements.map((/** @type {Node} */ e) => (e ? this.pattern(e, c) : ""));
      return `[${parts.join(",")}]`;
    }
    const parts = node.properties.map((/** @type {Node} */ p) => {
      if (p.type === "RestElement") return this.pattern(p, c);
      const key = p.computed ? `[${this.gen(p.key, c, p)}]` : this.raw(p.key);
      return `${key}:${this.pattern(p.value, c)}`;
    });
    return `{${parts.join(",")}}`;
  }

  /** @param {Node} node @param {Context} c */
  ClassDeclaration(node, c) {
    return this.ClassExpression(node, c);
  }

  /** @param {Node} node @param {Context} c */
  ClassExpression(node, c) {
    const name = node.id ? ` ${node.id.name}` : "";
    const heritage = node.superClass ? ` extends (${this.gen(node.superClass, c, node)})` : "";
    const members = node.body.body.map((/** @type {Node} */ m) => {
      if (m.type !== "MethodDefinition") return this.gen(m, c, node);
      const kind =
        m.kind !== "constructor" ? "method" : node.superClass ? "derived" : "constructor";
      return this.method(m, c, kind);
    });
    const born =
      `static #__c=__S.bornClass(this,${quote(node.id?.name ?? "")},${this.line(node)});` +
      `#__o=__S.born(this);`;
    return `class${name}${heritage}{${born}${members.join("\n")}}`;
  }

  /** @param {Node} node @param {Context} c @param {string} kind */
  method(node, c, kind) {
    const { value, key } = node;
    const accessor = node.kind === "get" || node.kind === "set" ? `${node.kind} ` : "";
    const name = node.computed ? `[${this.gen(key, c, node)}]` : this.raw(key);
    const head =
      `${node.static ? "static " : ""}${value.async ? "async " : ""}` +
      `${value.generator ? "*" : ""}${accessor}${name}`;
    return this.fun(value, c, head, [node.start, key.start, value.start], kind);
  }

  /** @param {Node} node @param {Context} c */
  PropertyDefinition(node, c) {
    const key = node.computed ? `[${this.gen(node.key, c, node)}]` : this.raw(node.key);
    const context = { ...c, fn: this.number(node), thisOk: true, derived: false };
    const value = node.value ? `=${this.gen(node.value, context, node)}` : "";
    return `${node.static ? "static " : ""}${key}${value};`;
  }

  /** @param {Node} node @param {Context} c */
  StaticBlock(node, c) {
    return this.inside(node, { ...c, fn: this.number(node), thisOk: true, derived: false });
  }
}

export { Instrumenter, isPattern, quote, shapeOf };
