/** Evaluation order: the first await of a statement, and what is evaluated before it. */
import { types as t } from "@babel/core";
import { containsAwait } from "./paper-scheme-limits.mjs";

/**
 * Finds the first await of a statement and puts a name in its place.
 *
 * @param {object} node a statement that has an await in the part that runs first; changed in place
 * @param {{assigned: Set<string>, fresh: (letter: string) => object}} context
 * @returns {{before: object[], operand?: object, value?: object, statements?: object[]}}
 *   `before` keeps what is evaluated earlier. Then either `operand` is what is awaited and `value` the
 *   name that stands for it, or `statements` compute, with awaits, what a name stands for.
 */
export function firstAwait(node, context) {
  const before = [];
  const cut = (parent, key) => {
    const it = parent[key];
    if (t.isAwaitExpression(it) && !containsAwait(it.argument)) {
      const value = context.fresh("v");
      parent[key] = value;
      return { before, operand: it.argument, value };
    }
    if (isConditional(it)) return { before, statements: lift(parent, key, context) };
    normalise(it, before, context);
    const operands = operandsOf(it);
    const next = operands.findIndex(([owner, name]) => owner[name] && containsAwait(owner[name]));
    for (const [owner, name] of operands.slice(0, next)) keep(owner, name, before, context);
    return cut(...operands[next]);
  };
  return cut(node, entry(node));
}

/** Where the expression that a statement evaluates first stands. */
function entry(node) {
  const key = { IfStatement: "test", SwitchStatement: "discriminant", ReturnStatement: "argument" };
  if (t.isVariableDeclaration(node)) return "declarations";
  if (t.isThrowStatement(node)) return "argument";
  return key[node.type] ?? "expression";
}

/** Whether an await in this expression may not be reached. */
function isConditional(node) {
  if (t.isLogicalExpression(node)) return !containsAwait(node.left);
  return t.isConditionalExpression(node) && !containsAwait(node.test);
}

/** Statements that do what a conditional expression does; a name takes its place. */
function lift(parent, key, context) {
  const node = parent[key];
  const name = context.fresh("c");
  parent[key] = name;
  const set = (value) =>
    t.blockStatement([
      t.expressionStatement(t.assignmentExpression("=", t.cloneNode(name), value)),
    ]);
  const declare = (value) =>
    t.variableDeclaration("let", [t.variableDeclarator(t.cloneNode(name), value)]);
  context.assigned.add(name.name);
  if (t.isConditionalExpression(node)) {
    return [declare(null), t.ifStatement(node.test, set(node.consequent), set(node.alternate))];
  }
  const tests = {
    "&&": () => t.cloneNode(name),
    "||": () => t.unaryExpression("!", t.cloneNode(name)),
    "??": () => t.binaryExpression("==", t.cloneNode(name), t.nullLiteral()),
  };
  return [declare(node.left), t.ifStatement(tests[node.operator](), set(node.right))];
}

/** Makes `x op= await e` into `x = x op await e`, its parts evaluated once. */
function normalise(node, before, context) {
  if (!t.isAssignmentExpression(node) || node.operator === "=" || !containsAwait(node.right))
    return;
  if (t.isMemberExpression(node.left)) {
    if (containsAwait(node.left)) return;
    keepTarget(node.left, before, context);
  }
  const read = t.cloneNode(node.left);
  node.right = t.binaryExpression(node.operator.slice(0, -1), read, node.right);
  node.operator = "=";
}

function keepTarget(node, before, context) {
  for (const [owner, name] of targetOf(node)) keep(owner, name, before, context);
}

/** The operands of an expression, in the order of their evaluation. */
function operandsOf(node) {
  if (Array.isArray(node)) return [[node[0], "init"]];
  switch (node.type) {
    case "CallExpression":
    case "OptionalCallExpression": {
      const callee = t.isMemberExpression(node.callee) ? targetOf(node.callee) : [[node, "callee"]];
      return [...callee, ...node.arguments.map((_, at) => [node.arguments, at])];
    }
    case "MemberExpression":
      return targetOf(node);
    case "AssignmentExpression": {
      const target = t.isMemberExpression(node.left) ? targetOf(node.left) : [];
      return [...target, [node, "right"]];
    }
    case "ObjectExpression":
      return node.properties.map((it) => [it, t.isSpreadElement(it) ? "argument" : "value"]);
    case "TemplateLiteral":
      return node.expressions.map((_, at) => [node.expressions, at]);
    default:
      return t.VISITOR_KEYS[node.type].flatMap((key) =>
        Array.isArray(node[key]) ? node[key].map((_, at) => [node[key], at]) : [[node, key]],
      );
  }
}

function targetOf(node) {
  return node.computed
    ? [
        [node, "object"],
        [node, "property"],
      ]
    : [[node, "object"]];
}

/** Keeps what an operand is now in a constant, unless it stays what it is. */
function keep(owner, name, before, { assigned, fresh }) {
  const node = owner[name];
  if (!node || isStable(node, assigned)) return;
  const spread = t.isSpreadElement(node);
  const value = spread ? t.arrayExpression([node]) : node;
  const constant = fresh("s");
  before.push(t.variableDeclaration("const", [t.variableDeclarator(constant, value)]));
  owner[name] = spread ? t.spreadElement(t.cloneNode(constant)) : t.cloneNode(constant);
}

function isStable(node, assigned) {
  if (t.isIdentifier(node)) return !assigned.has(node.name);
  return (
    t.isThisExpression(node) ||
    t.isSuper(node) ||
    t.isFunction(node) ||
    (t.isLiteral(node) && !t.isTemplateLiteral(node))
  );
}
