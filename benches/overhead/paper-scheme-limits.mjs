/** What the paper's scheme does not convert, so that the function stays an async function. */
import { types as t } from "@babel/core";

/** Calls `visit` for each node that runs as part of this one, so not for what functions in it hold. */
function walkOwn(node, visit) {
  visit(node);
  for (const key of t.VISITOR_KEYS[node.type]) {
    for (const child of [node[key]].flat()) {
      if (child && !t.isFunction(child)) walkOwn(child, visit);
    }
  }
}

/** Whether the node itself waits. */
export function containsAwait(node) {
  let found = false;
  if (!t.isFunction(node)) {
    walkOwn(node, (it) => {
      found ||= t.isAwaitExpression(it) || (t.isForOfStatement(it) && it.await);
    });
  }
  return found;
}

const UNSUPPORTED = {
  TryStatement: "an await in try",
  LabeledStatement: "an await in a labelled statement",
  WithStatement: "an await in with",
  Class: "an await in a class",
  OptionalMemberExpression: "an await in an optional chain",
  OptionalCallExpression: "an await in an optional chain",
  Pattern: "an await in a pattern",
  TaggedTemplateExpression: "an await in a tagged template",
  YieldExpression: "an await in yield",
};

/** Why the body of an async function cannot be converted; undefined if it can. */
export function obstacle(node) {
  if (node.generator) return "an async generator";
  if (!containsAwait(node.body)) return undefined;
  let reason;
  const refuse = (why) => (reason ??= why);
  walkOwn(node.body, (it) => {
    if (t.isVariableDeclaration(it, { kind: "var" })) refuse("var");
    if (t.isBlock(it) && it.body.some((inner) => t.isFunctionDeclaration(inner))) {
      refuse("a function declaration");
    }
    if (!containsAwait(it)) return;
    if (t.isLoop(it)) refuse("an await in a loop");
    for (const [type, why] of Object.entries(UNSUPPORTED)) if (t.is(type, it)) refuse(why);
    if (t.isAssignmentExpression(it) && /^(&&|\|\||\?\?)=$/.test(it.operator)) {
      refuse("an await in a logical assignment");
    }
    if (t.isObjectProperty(it) && it.computed && containsAwait(it.key)) refuse("an await in a key");
    if (t.isSwitchStatement(it)) it.cases.forEach((one, at) => checkCase(one, at, it, refuse));
  });
  return reason;
}

function checkCase({ test, consequent }, at, { cases }, refuse) {
  if (test && containsAwait(test)) refuse("an await in the test of a case");
  const waits = consequent.some(containsAwait);
  const last = consequent.at(-1);
  const ends = t.isCompletionStatement(last) || at === cases.length - 1;
  if (waits && !ends) refuse("an await in a case that falls through");
}
