// What the instrumenter (transform.mjs) does with statements and expressions.
import { isFunction, patternNames } from "./scopes.mjs";
import { Instrumenter, isPattern, quote, shapeOf } from "./transform.mjs";

/**
 * @typedef {import("./scopes.mjs").Node} Node
 * @typedef {import("./transform.mjs").Context} Context
 * @typedef {import("./transform.mjs").Fun} Fun
 */

/** Those that run before `super(…)` cannot say what is called natively. */
const LEFT_ALONE = /^(require|eval|import)$/;

class Expressions extends Instrumenter {
  /** The key of a member as code. @param {Node} node @param {Context} c */
  key(node, c) {
    return node.computed ? this.gen(node.property, c, node) : quote(node.property.name);
  }

  /** Whether a member is one that the runtime can read and write. @param {Node} node */
  open(node) {
    return (
      node.type === "MemberExpression" &&
      node.object.type !== "Super" &&
      node.property.type !== "PrivateIdentifier"
    );
  }

  /** Whether a member is private, of an object that is safe to name twice. @param {Node} node */
  isPrivate(node) {
    return (
      node.type === "MemberExpression" &&
      node.property.type === "PrivateIdentifier" &&
      /^(ThisExpression|Identifier)$/.test(node.object.type)
    );
  }

  /** @param {Node} node @param {Context} c */
  MemberExpression(node, c) {
    if (this.open(node)) {
      return `__S.get(${this.gen(node.object, c, node)},${this.key(node, c)})`;
    }
    if (this.isPrivate(node)) {
      return `__S.pget(${this.raw(node.object)},${quote(node.property.name)},${this.raw(node)})`;
    }
    return this.member(node, c);
  }

  /** A member that stays a reference. @param {Node} node @param {Context} c */
  member(node, c) {
    const object = node.object.type === "Super" ? "super" : this.gen(node.object, c, node);
    const key = node.computed ? `[${this.gen(node.property, c, node)}]` : this.raw(node.property);
    return `${object}${node.optional ? "?." : ""}${node.computed || node.optional ? "" : "."}${key}`;
  }

  /** @param {Node} node @param {Context} c */
  ChainExpression(node, c) {
    const { expression } = node;
    if (this.open(expression) && expression.optional) {
      let object = expression.object;
      for (; object; object = object.object ?? object.callee) if (object.optional) break;
      if (!object) {
        return `__S.getOptional(${this.gen(expression.object, c, expression)},()=>${this.key(expression, c)})`;
      }
    }
    return this.chain(expression, c);
  }

  /** A chain with `?.` is left as it is, but for what is computed in it. @param {Node} node @param {Context} c @returns {string} */
  chain(node, c) {
    if (node.type === "MemberExpression") {
      const key = node.computed ? `[${this.gen(node.property, c, node)}]` : this.raw(node.property);
      const dot = node.optional ? "?." : node.computed ? "" : ".";
      return `${this.chain(node.object, c)}${dot}${key}`;
    }
    if (node.type === "CallExpression") {
      const list = node.arguments.map((/** @type {Node} */ a) => this.gen(a, c, node));
      return `${this.chain(node.callee, c)}${node.optional ? "?." : ""}(${list})`;
    }
    return node.type === "Super" ? "super" : this.gen(node, c, null);
  }

  /** @param {Node} node @param {Context} c */
  CallExpression(node, c) {
    const { callee } = node;
    const list = node.arguments.map((/** @type {Node} */ a) => this.gen(a, c, node));
    if (callee.type === "Super") return `__S.born(super(${list}))`;
    if (callee.type === "Identifier" && LEFT_ALONE.test(callee.name)) {
      return `${callee.name}(${list})`;
    }
    if (callee.type === "MemberExpression") {
      if (this.open(callee)) {
        const object = this.gen(callee.object, c, callee);
        return `__S.call(${object},${this.key(callee, c)},[${list}])`;
      }
      return `${this.member(callee, c)}(${list})`;
    }
    if (callee.type === "ChainExpression") return this.inside(node, c);
    return `__S.fcall(${this.gen(callee, c, node)},[${list}])`;
  }

  /** @param {Node} node @param {Context} c */
  NewExpression(node, c) {
    const list = node.arguments.map((/** @type {Node} */ a) => this.gen(a, c, node));
    return `__S.nw(${this.gen(node.callee, c, node)},[${list}],${this.line(node)})`;
  }

  /** @param {Node} node @param {Context} c */
  TaggedTemplateExpression(node, c) {
    const tag =
      node.tag.type === "MemberExpression" ? this.member(node.tag, c) : this.gen(node.tag, c, node);
    return `${tag}${this.inside(node.quasi, c)}`;
  }

  /** @param {Node} node @param {Context} c */
  ObjectExpression(node, c) {
    const parts = node.properties.map((/** @type {Node} */ p) => {
      if (p.type === "SpreadElement") return `...__S.all(${this.gen(p.argument, c, p)})`;
      if (p.method || p.kind !== "init") return this.method(p, c, "method");
      const key = p.computed ? `[${this.gen(p.key, c, p)}]` : this.raw(p.key);
      return `${key}:${this.gen(p.value, c, p)}`;
    });
    return `__S.b({${parts.join(",")}},${this.line(node)})`;
  }

  /** @param {Node} node @param {Context} c */
  ArrayExpression(node, c) {
    const parts = node.elements.map((/** @type {Node} */ e) => (e ? this.gen(e, c, node) : ""));
    const hole = node.elements.at(-1) === null ? "," : "";
    return `__S.b([${parts.join(",")}${hole}],${this.line(node)})`;
  }

  /** @param {Node} node @param {Context} c */
  SpreadElement(node, c) {
    return `...__S.items(${this.gen(node.argument, c, node)})`;
  }

  // Variables.

  /** The activation that a variable belongs to, undefined if it is no location here. @param {string} name @param {Context} c */
  owner(name, c) {
    const variable = c.scope.find(name);
    if (!variable || variable.assigned < 2) return undefined;
    const declared = variable.fn < 0 ? -1 : this.base + variable.fn;
    if (declared === c.fn) return undefined;
    if (declared < 0) return "0";
    return this.fields.has(variable.fn) ? undefined : `__a${declared}`;
  }

  /** The numbers of fields and static blocks, which have no activation. */
  get fields() {
    const entries = [...this.numbers].filter(([node]) => !isFunction(node));
    return new Set(entries.map(([, number]) => number));
  }

  /** @param {Node} node @param {Context} c */
  Identifier(node, c) {
    const owner = this.owner(node.name, c);
    return owner === undefined
      ? node.name
      : `(__S.v("r",${owner},${quote(node.name)}),${node.name})`;
  }

  /** @param {Node} node @param {Context} c */
  AssignmentExpression(node, c) {
    return this.assign(node, this.gen(node.right, c, node), c);
  }

  /** @param {Node} node @param {string} right What is assigned. @param {Context} c */
  assign({ left, operator }, right, c) {
    const plain = operator === "=";
    const short = operator.slice(0, -1);
    const logical = /^(&&|\|\||\?\?)$/.test(short);
    if (this.open(left)) {
      const ref = `${this.gen(left.object, c, left)},${this.key(left, c)}`;
      if (plain) return `__S.put(__S.ref(${ref}),(${right}))`;
      return logical
        ? `(__S.rget(__S.ref(${ref}))${short}__S.put(__S.last(),(${right})))`
        : `__S.put(__S.ref(${ref}),__S.rget(__S.last())${short}(${right}))`;
    }
    if (this.isPrivate(left)) {
      const object = this.raw(left.object);
      const name = quote(left.property.name);
      const read = plain ? "" : `__S.pget(${object},${name},${this.raw(left)}),`;
      return `(${read}${this.raw(left)}${operator}__S.pput(${object},${name},(${right})))`;
    }
    if (left.type === "Identifier") {
      const owner = this.owner(left.name, c);
      const value = `__S.nm(${quote(left.name)},(${right}))`;
      if (owner === undefined) return `(${left.name}${operator}${plain ? value : `(${right})`})`;
      const read = plain ? "" : `__S.v("r",${owner},${quote(left.name)}),`;
      return `(${read}${left.name}${operator}__S.vw(${owner},${quote(left.name)},${value}))`;
    }
    if (isPattern(left)) {
      const writes = patternNames(left).flatMap((name) => {
        const owner = this.owner(name, c);
        return owner === undefined ? [] : [`__S.v("w",${owner},${quote(name)}),`];
      });
      const shape = quote(shapeOf(left));
      return `(${writes.join("")}${this.pattern(left, c)}=__S.destr(${right},${shape}))`;
    }
    return `(${this.member(left, c)}${operator}(${right}))`;
  }

  /** @param {Node} node @param {Context} c */
  UpdateExpression(node, c) {
    const { argument, prefix } = node;
    const sign = node.operator === "++" ? 1 : -1;
    if (this.open(argument)) {
      const ref = `${this.gen(argument.object, c, argument)},${this.key(argument, c)}`;
      return `__S.inc(__S.ref(${ref}),${sign},${prefix})`;
    }
    if (this.isPrivate(argument)) {
      const object = this.raw(argument.object);
      const name = quote(argument.property.name);
      return `(__S.pget(${object},${name},0),__S.pput(${object},${name},0),${this.raw(node)})`;
    }
    if (argument.type !== "Identifier") return this.raw(node);
    const owner = this.owner(argument.name, c);
    if (owner === undefined) return this.raw(node);
    const name = quote(argument.name);
    return `(__S.v("r",${owner},${name}),__S.v("w",${owner},${name}),${this.raw(node)})`;
  }

  /** @param {Node} node @param {Context} c */
  UnaryExpression(node, c) {
    const { argument } = node;
    if (node.operator === "delete" && this.open(argument)) {
      return `__S.del(${this.gen(argument.object, c, argument)},${this.key(argument, c)})`;
    }
    if (node.operator === "typeof" && argument.type === "Identifier") return this.raw(node);
    return this.inside(node, c);
  }

  /** @param {Node} node @param {Context} c @param {Node | null} parent */
  VariableDeclaration(node, c, parent) {
    const head = /^For/.test(parent?.type) && parent?.body !== node;
    const parts = node.declarations.map((/** @type {Node} */ { id, init }) => {
      if (!init) return this.pattern(id, c);
      const value = this.gen(init, c, node);
      return isPattern(id)
        ? this.declaration(id, value, c)
        : `${id.name}=__S.nm(${quote(id.name)},${value})`;
    });
    if (head) return `${node.kind} ${parts.join(",")}`;
    const names = node.declarations.filter((/** @type {Node} */ d) => isPattern(d.id) && d.init);
    return `${node.kind} ${parts.join(",")};${names.map((/** @type {Node} */ d) => this.named(d.id)).join("")}`;
  }

  /** @param {Node} node @param {Context} c */
  ForOfStatement(node, c) {
    return this.loop(node, c, node.await ? `__S.later(${this.active(c)},` : "__S.items(");
  }

  /** @param {Node} node @param {Context} c */
  ForInStatement(node, c) {
    return this.loop(node, c, "__S.keys(");
  }

  /** @param {Context} c */
  active({ fn }) {
    return fn < 0 ? "undefined" : `__a${fn}`;
  }

  /** @param {Node} node @param {Context} c @param {string} wrap */
  loop(node, c, wrap) {
    const { left, right, body } = node;
    const declares = left.type === "VariableDeclaration";
    const target = declares ? left.declarations[0].id : left;
    const item = declares ? `${left.kind} __i` : "const __i";
    // A name of its own for each nesting: the inner loop's items may come from the outer one's.
    const name = `${item}${node.start}`;
    const value = `__i${node.start}`;
    let bind;
    if (declares) bind = `${left.kind} ${this.declaration(target, value, c)};${this.named(target)}`;
    else {
      const assigned = { type: "AssignmentExpression", operator: "=", left: target };
      bind = `${this.assign(assigned, value, c)};`;
    }
    const back = node.await && c.fn >= 0 ? `__S.back(${this.active(c)});` : "";
    const text = `for${node.await ? " await" : ""}(${name} ${node.type === "ForInStatement" ? "in" : "of"} ${wrap}${this.gen(right, c, node)})){${back}${bind}${this.gen(body, c, node)}}`;
    return back ? `{${text}${back}}` : text;
  }

  /** @param {Node} node @param {Context} c */
  TryStatement(node, c) {
    const back =
      c.fn >= 0 && !this.fields.has(c.fn - this.base) ? `__S.back(${this.active(c)});` : "";
    const block = (/** @type {Node} */ b, /** @type {Context} */ context) =>
      `{${back}${this.inside(b, this.within(b, context)).slice(1)}`;
    let text = `try${this.gen(node.block, c, node)}`;
    if (node.handler) {
      const { param, body } = node.handler;
      const context = this.within(node.handler, c);
      text += `catch${param ? `(${this.raw(param)})` : ""}${block(body, context)}`;
    }
    return node.finalizer ? `${text}finally${block(node.finalizer, c)}` : text;
  }

  /** @param {Node} node @param {Context} c */
  within(node, c) {
    const scope = this.scopes.get(node);
    return scope ? { ...c, scope } : c;
  }

  /** @param {Node} node @param {Context} c */
  AwaitExpression(node, c) {
    if (c.fn < 0) return this.inside(node, c);
    const active = this.active(c);
    return `__S.resume(${active},await __S.suspend(${active},(${this.gen(node.argument, c, node)})))`;
  }

  /** @param {Node} node @param {Context} c */
  YieldExpression(node, c) {
    const active = this.active(c);
    const value = node.argument ? this.gen(node.argument, c, node) : "undefined";
    const sent = node.delegate ? `__S.items(${value})` : `(${value})`;
    return `__S.resume(${active},(yield${node.delegate ? "*" : ""} __S.suspend(${active},${sent})))`;
  }

  // Names that are no references.

  /** @param {Node} node @param {Context} c */
  LabeledStatement(node, c) {
    return `${node.label.name}:${this.gen(node.body, c, node)}`;
  }
}

const asItIs = [
  "BreakStatement",
  "ContinueStatement",
  "ImportDeclaration",
  "ExportAllDeclaration",
  "MetaProperty",
  "Super",
  "TemplateElement",
  "ImportExpression",
];
for (const type of asItIs) {
  /** @type {any} */ (Expressions.prototype)[type] =
    /** @this {Expressions} @param {Node} node */ function (node) {
      return this.raw(node);
    };
}

// What begins the next line may have got a parenthesis.
for (const type of ["ExpressionStatement", "ReturnStatement", "ThrowStatement"]) {
  /** @type {any} */ (Expressions.prototype)[type] =
    /** @this {Expressions} @param {Node} node @param {Context} c */ function (node, c) {
      return `${this.inside(node, c).replace(/;$/, "")};`;
    };
}

/** @type {any} */ (Expressions.prototype).ExportNamedDeclaration =
  /** @this {Expressions} @param {Node} node @param {Context} c */ function (node, c) {
    return node.declaration ? `export ${this.gen(node.declaration, c, node)}` : this.raw(node);
  };

/**
 * The instrumented text of a source, and its functions, numbered from `base`.
 *
 * @param {string} source
 * @param {string} file
 * @param {"module" | "script"} sourceType
 * @param {number} base
 */
export function instrument(source, file, sourceType, base) {
  return new Expressions(source, file, sourceType, base).run();
}
