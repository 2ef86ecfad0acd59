// Adds to a source the calls that tell the runtime (runtime.mjs) which function runs and which call
// is under way. Nothing moves to another line, so that stack traces stay readable.
//
// `__cg()` is the runtime's view of the file, `__cgs` the activation of the function that runs. A
// call is marked after its last argument was evaluated, right before the callee is entered.
import { parse } from "acorn";

/**
 * @typedef {any} Node An ESTree node.
 * @typedef {{ fn: number, local: boolean }} Context The function a node runs in, and whether its
 *   activation is in scope: it is not in parameters and in the initializers of fields.
 * @typedef {{ at: string, also?: string, name?: string, accessor?: boolean, module?: boolean }} Fun
 * @typedef {{ at: string, fn: number, forwards?: string }} Call
 * @typedef {{ functions: Fun[], calls: Call[] }} Table
 */

const IS_FUNCTION = /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/;

/**
 * The place of a node as Jelly writes it: lines and columns from 1, the end exclusive.
 *
 * @param {Node} node
 */
function place({ loc: { start, end } }) {
  return `${start.line}:${start.column + 1}:${end.line}:${end.column + 1}`;
}

/** @param {Node} key @param {boolean} computed @returns {string | undefined} */
function keyName(key, computed) {
  return computed ? undefined : (key.name ?? String(key.value));
}

/**
 * Whether the declarations of a body would clash in a block, where a name that a function has may
 * not be declared again.
 *
 * @param {Node[]} statements
 */
function clashes(statements) {
  const functions = new Set();
  const variables = new Set();
  for (const statement of statements) {
    if (statement.type === "FunctionDeclaration") {
      if (functions.has(statement.id.name)) return true;
      functions.add(statement.id.name);
    } else if (statement.type === "VariableDeclaration" && statement.kind === "var") {
      for (const { id } of statement.declarations) variables.add(id.name);
    }
  }
  return [...functions].some((name) => variables.has(name));
}

/**
 * The tree of a source as Node reads it.
 *
 * @param {string} source
 * @param {"module" | "script"} sourceType
 * @returns {Node}
 */
export function parseSource(source, sourceType) {
  return parse(source, {
    ecmaVersion: "latest",
    sourceType,
    locations: true,
    allowHashBang: true,
    allowReturnOutsideFunction: sourceType === "script",
  });
}

class Instrumenter {
  /** @param {string} source @param {"module" | "script"} sourceType */
  constructor(source, sourceType) {
    this.source = source;
    this.program = parseSource(source, sourceType);
    /** @type {Table} */
    this.table = { functions: [], calls: [] };
    /** Calls in the middle of an optional chain: only the whole chain can be wrapped. @type {Set<Node>} */
    this.chained = new Set();
    /** @type {{ at: number, opens: boolean, text: string }[]} */
    this.inserts = [];
  }

  /** Text before what starts at a place; outer nodes come first. @param {number} at @param {string} text */
  open(at, text) {
    this.inserts.push({ at, opens: true, text });
  }

  /** Text behind what ends at a place; inner nodes come first. @param {number} at @param {string} text */
  close(at, text) {
    this.inserts.push({ at, opens: false, text });
  }

  /** @param {Fun} fun */
  addFunction(fun) {
    return this.table.functions.push(fun) - 1;
  }

  /** @param {string} at @param {Context} context @param {string} [forwards] */
  addCall(at, { fn }, forwards) {
    return this.table.calls.push({ at, fn, ...(forwards && { forwards }) }) - 1;
  }

  /** @param {string} rel */
  run(rel) {
    const context = {
      fn: this.addFunction({ at: place(this.program), module: true }),
      local: true,
    };
    const start = this.afterDirectives(this.program.body, this.source.startsWith("#!"));
    this.close(start, `;var __cgs=__cg().enter(${context.fn});`);
    this.children(this.program, context);
    // A function, since hoisted functions can run before the first statement of their module.
    const table = JSON.stringify(this.table);
    this.close(
      this.program.end,
      `\n;__cg().leave(__cgs);function __cg(){return __cg.view??=` +
        `globalThis[Symbol.for("headstart.callgraph")].file(${JSON.stringify(rel)},${table})}`,
    );
    return this.print();
  }

  print() {
    const sorted = this.inserts
      .map((insert, order) => ({ ...insert, order }))
      .sort((a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || a.order - b.order);
    let text = "";
    let from = 0;
    for (const insert of sorted) {
      text += this.source.slice(from, insert.at) + insert.text;
      from = insert.at;
    }
    return text + this.source.slice(from);
  }

  /** @param {Node[]} statements @param {boolean} [hashBang] @param {number} [start] */
  afterDirectives(statements, hashBang = false, start = 0) {
    const directives = statements.filter((statement) => statement.directive !== undefined);
    if (directives.length > 0) return directives[directives.length - 1].end;
    return hashBang ? this.source.indexOf("\n") + 1 : start;
  }

  /** @param {Node} node @param {Context} context */
  children(node, context) {
    for (const key in node) {
      const child = node[key];
      if (key === "loc" || child === null || typeof child !== "object") continue;
      for (const item of Array.isArray(child) ? child : [child]) {
        if (typeof item?.type === "string") this.visit(item, context, node);
      }
    }
  }

  /** @param {Node} node @param {Context} context @param {Node} parent */
  visit(node, context, parent) {
    if (IS_FUNCTION.test(node.type)) {
      const name = node.id?.name ?? parent.id?.name;
      return this.fun(node, this.addFunction({ at: place(node), name }));
    }
    switch (node.type) {
      case "ClassDeclaration":
      case "ClassExpression":
        return this.classLike(node, context);
      case "Property":
        if (node.method || node.kind !== "init") return this.method(node, context);
        return this.children(node, context);
      case "CallExpression":
      case "NewExpression":
        return this.call(node, context);
      case "TaggedTemplateExpression":
        return this.tagged(node, context);
      case "ChainExpression":
        return this.chain(node, context, parent);
      case "AwaitExpression":
      case "YieldExpression":
        return this.suspension(node, context);
      case "ForOfStatement":
        if (node.await) this.reassert(node, context);
        return this.children(node, context);
      case "TryStatement":
        if (context.local) {
          for (const block of [node.handler?.body, node.finalizer]) {
            if (block) this.close(block.start + 1, "__cg().back(__cgs);");
          }
        }
        return this.children(node, context);
      default:
        return this.children(node, context);
    }
  }

  /** The awaits of `for await` cannot be wrapped. @param {Node} node @param {Context} context */
  reassert(node, { local }) {
    if (local && node.body.type === "BlockStatement") {
      this.close(node.body.start + 1, "__cg().back(__cgs);");
    }
  }

  /** @param {Node} node @param {Context} context */
  method(node, context) {
    if (node.computed) this.visit(node.key, context, node);
    const accessor = node.kind === "get" || node.kind === "set";
    const name = keyName(node.key, node.computed);
    this.fun(
      node.value,
      this.addFunction({ at: place(node), name, ...(accessor && { accessor }) }),
    );
  }

  /** @param {Node} node @param {number} fn */
  fun(node, fn) {
    for (const parameter of node.params) this.visit(parameter, { fn, local: false }, node);
    const made = node.generator ? this.generatorParameter(node, fn) : "";
    const enter = `const __cgs=__cg().enter(${fn}${made});`;
    const leave = "finally{__cg().leave(__cgs)}";
    const { body } = node;
    if (body.type !== "BlockStatement") {
      const last = node.params[node.params.length - 1];
      const arrow = this.source.indexOf("=>", last?.end ?? node.start) + 2;
      this.close(arrow, `{${enter}try{return(`);
      this.visit(body, { fn, local: true }, node);
      this.close(node.end, `)}${leave}}`);
      return;
    }
    const guarded = !clashes(body.body);
    const start = this.afterDirectives(body.body, false, body.start + 1);
    this.close(start, `;${enter}${guarded ? "try{" : ""}`);
    this.children(body, { fn, local: true });
    if (guarded) this.close(body.end - 1, `}${leave}`);
  }

  /**
   * The body of a generator runs at the first `next`. What is called is seen in a parameter, where
   * one can be added without effect.
   *
   * @param {Node} node
   * @param {number} fn
   */
  generatorParameter({ id, start, params, body }, fn) {
    const last = params[params.length - 1];
    const strict = body.body[0]?.directive !== undefined;
    const text = this.source.slice(start, body.end);
    if (strict || last?.type === "RestElement" || /\barguments\b/.test(text)) return "";
    const at = last?.end ?? this.source.indexOf("(", id?.end ?? start) + 1;
    this.close(at, `${last ? "," : ""}__cgm=__cg().made(${fn})`);
    return ",__cgm";
  }

  /** @param {Node} node @param {Context} context */
  classLike(node, context) {
    const own = node.body.body.find((/** @type {Node} */ member) => member.kind === "constructor");
    const also = own && place(own);
    const fn = this.addFunction({ at: place(node), also, name: node.id?.name });
    if (node.superClass) this.visit(node.superClass, context, node);
    if (!own) this.implicitConstructor(node, fn);
    for (const member of node.body.body) {
      if (member === own) {
        this.fun(member.value, fn);
      } else if (member.type === "MethodDefinition") {
        this.method(member, context);
      } else if (member.type === "StaticBlock") {
        this.children(member, { fn: context.fn, local: false });
      } else {
        if (member.computed) this.visit(member.key, context, member);
        const owner = member.static ? context.fn : fn;
        if (member.value) this.visit(member.value, { fn: owner, local: false }, member);
      }
    }
  }

  /** @param {Node} node @param {number} fn */
  implicitConstructor(node, fn) {
    const at = node.body.start + 1;
    if (!node.superClass) {
      this.close(at, `constructor(){__cg().leave(__cg().enter(${fn}))}`);
      return;
    }
    const { line, column } = node.loc.start;
    const id = this.addCall(`${line}:${column + 1}:${line}:${column + 1}`, { fn, local: true });
    this.close(
      at,
      `constructor(...__cga){const __cgs=__cg().enter(${fn});` +
        `try{super(...__cg().mark(__cgs,${id},__cga))}finally{__cg().leave(__cgs)}}`,
    );
  }

  /** @param {Context} context @param {number} id */
  marker({ fn, local }, id) {
    return local ? `__cg().mark(__cgs,${id},` : `__cg().begin(${fn},${id},`;
  }

  /** @param {Context} context */
  wrapper({ local }) {
    return local ? "__cg().done(__cgs," : "__cg().end(";
  }

  /** @param {Node} node @param {Context} context */
  call(node, context) {
    const { callee } = node;
    const target =
      callee.type === "MemberExpression" ? keyName(callee.property, callee.computed) : "";
    const forwards = /^(call|apply|construct)$/.test(target ?? "") ? target : undefined;
    const mark = this.marker(context, this.addCall(place(node), context, forwards));
    const wrapped = !this.chained.has(node);
    if (wrapped) this.open(node.start, this.wrapper(context));
    const last = node.arguments[node.arguments.length - 1];
    if (last?.type === "SpreadElement") this.open(last.start + 3, `${mark}[...`);
    else if (last) this.open(last.start, `${mark}(`);
    this.children(node, context);
    if (last) {
      this.close(last.end, last.type === "SpreadElement" ? "])" : "))");
    } else if (this.source.slice(callee.end, node.end).includes("(")) {
      this.close(node.end - 1, `...${mark}[])`);
    } else {
      this.close(node.end, `(...${mark}[]))`);
    }
    if (wrapped) this.close(node.end, ")");
  }

  /** @param {Node} node @param {Context} context */
  tagged(node, context) {
    const mark = this.marker(context, this.addCall(place(node), context));
    this.open(node.start, this.wrapper(context));
    const { tag, quasi } = node;
    const last = quasi.expressions[quasi.expressions.length - 1];
    // Without an expression the mark goes before the tag, or before its object, which stays `this`.
    const marked = last ?? (tag.type === "MemberExpression" ? tag.object : tag);
    const marks = marked.type !== "Super";
    if (marks) this.open(marked.start, last ? `${mark}(` : `(${mark}0),`);
    this.children(node, context);
    if (marks) this.close(marked.end, last ? "))" : ")");
    this.close(node.end, ")");
  }

  /** @param {Node} node @param {Context} context @param {Node} parent */
  chain(node, context, parent) {
    let calls = false;
    for (let part = node.expression; part; part = part.callee ?? part.object) {
      if (part.type === "CallExpression") {
        this.chained.add(part);
        calls = true;
      } else if (part.type !== "MemberExpression") break;
    }
    // A chain in parentheses that is called or deleted has to stay a reference.
    const wrapped = calls && parent.callee !== node && parent.operator !== "delete";
    if (wrapped) this.open(node.start, this.wrapper(context));
    this.children(node, context);
    if (wrapped) this.close(node.end, ")");
  }

  /** @param {Node} node @param {Context} context */
  suspension(node, context) {
    if (!context.local) return this.children(node, context);
    const at = node.delegate ? this.source.indexOf("*", node.start) + 1 : node.start + 5;
    this.open(node.start, "__cg().resume(__cgs,");
    if (node.argument) this.open(at, " __cg().suspend(__cgs,(");
    this.children(node, context);
    this.close(node.end, node.argument ? ")))" : " __cg().suspend(__cgs))");
  }
}

/**
 * The instrumented text of a source, and what it contains.
 *
 * @param {string} source
 * @param {string} rel The path of the file in its package.
 * @param {"module" | "script"} sourceType
 */
export function instrument(source, rel, sourceType) {
  return new Instrumenter(source, sourceType).run(rel);
}
