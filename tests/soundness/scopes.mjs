// Which declaration each name of a program means, and how often each variable is assigned.

/**
 * @typedef {any} Node An ESTree node.
 * @typedef {{ name: string, fn: number, assigned: number }} Variable `fn` is the function that
 *   declares it, -1 for the file.
 */

const FUNCTION = /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/;

/** @param {Node} node */
export function isFunction(node) {
  return FUNCTION.test(node.type);
}

/** The children of a node in the order of the source. @param {Node} node @returns {Node[]} */
export function childrenOf(node) {
  const found = [];
  for (const key in node) {
    const child = node[key];
    if (key === "loc" || child === null || typeof child !== "object") continue;
    for (const item of Array.isArray(child) ? child : [child]) {
      if (typeof item?.type === "string") found.push(item);
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The names that a pattern declares. @param {Node | null} node @returns {string[]} */
export function patternNames(node) {
  switch (node?.type) {
    case "Identifier":
      return [node.name];
    case "ObjectPattern":
      return node.properties.flatMap((/** @type {Node} */ p) => patternNames(p.value ?? p));
    case "ArrayPattern":
      return node.elements.flatMap(patternNames);
    case "AssignmentPattern":
      return patternNames(node.left);
    case "RestElement":
      return patternNames(node.argument);
    default:
      return [];
  }
}

export class Scope {
  /** @param {Scope | null} parent @param {number} fn */
  constructor(parent, fn) {
    this.parent = parent;
    this.fn = fn;
    /** @type {Map<string, Variable>} */
    this.names = new Map();
  }

  /** @param {string} name @param {number} assigned */
  declare(name, assigned) {
    const known = this.names.get(name);
    if (known) known.assigned += assigned;
    else this.names.set(name, { name, fn: this.fn, assigned });
  }

  /** @param {string} name @returns {Variable | undefined} */
  find(name) {
    return this.names.get(name) ?? this.parent?.find(name);
  }

  /** The scope of the function, or of the file. @returns {Scope} */
  outer() {
    return this.parent && this.parent.fn === this.fn ? this.parent.outer() : this;
  }
}

/**
 * @param {Node} program
 * @returns {{ scopes: Map<Node, Scope>, functions: Map<Node, number> }} The scope that each node
 *   opens, and the numbers of the functions. What stands in a field counts as a function.
 */
export function resolve(program) {
  /** @type {Map<Node, Scope>} */
  const scopes = new Map();
  /** @type {Map<Node, number>} */
  const functions = new Map();
  /** @type {[Scope, string][]} */
  const assignments = [];

  /** @param {Node} node @param {Scope} scope */
  const opened = (node, scope) => {
    scopes.set(node, scope);
    return scope;
  };
  /** @param {Node} target @param {Scope} scope */
  const assign = (target, scope) => {
    for (const name of patternNames(target)) assignments.push([scope, name]);
  };

  /** @param {Node} node @param {Scope} scope @param {Node | null} parent */
  const visit = (node, scope, parent) => {
    let inner = scope;
    if (isFunction(node)) {
      functions.set(node, functions.size);
      if (node.type === "FunctionDeclaration" && node.id) scope.declare(node.id.name, 1);
      inner = opened(node, new Scope(scope, functions.size - 1));
      if (node.type === "FunctionExpression" && node.id) inner.declare(node.id.name, 1);
      for (const param of node.params) {
        for (const name of patternNames(param)) inner.declare(name, 1);
      }
    } else if (node.type === "BlockStatement" && parent && isFunction(parent)) {
      inner = scope;
    } else if (/^(BlockStatement|For.*Statement|SwitchStatement|CatchClause)$/.test(node.type)) {
      inner = opened(node, new Scope(scope, scope.fn));
      for (const name of patternNames(node.param)) inner.declare(name, 1);
    } else if (node.type === "PropertyDefinition" || node.type === "StaticBlock") {
      functions.set(node, functions.size);
      inner = opened(node, new Scope(scope, functions.size - 1));
    } else if (/^Class/.test(node.type) && node.id) {
      if (node.type === "ClassDeclaration") scope.declare(node.id.name, 1);
      else {
        inner = opened(node, new Scope(scope, scope.fn));
        inner.declare(node.id.name, 1);
      }
    } else if (node.type === "VariableDeclaration") {
      const target = node.kind === "var" ? scope.outer() : scope;
      const each = /^For(In|Of)/.test(parent?.type) && parent.left === node;
      for (const { id, init } of node.declarations) {
        for (const name of patternNames(id)) target.declare(name, init || each ? 1 : 0);
      }
    } else if (/^Import.*Specifier$/.test(node.type)) {
      scope.declare(node.local.name, 1);
    } else if (node.type === "AssignmentExpression") {
      assign(node.left, scope);
    } else if (node.type === "UpdateExpression") {
      assign(node.argument, scope);
    } else if (/^For(In|Of)/.test(node.type) && node.left.type !== "VariableDeclaration") {
      assign(node.left, scope);
    }
    for (const child of childrenOf(node)) visit(child, inner, node);
  };
  visit(program, opened(program, new Scope(null, -1)), null);
  for (const [scope, name] of assignments) {
    const variable = scope.find(name);
    if (variable) variable.assigned++;
  }
  return { scopes, functions };
}
