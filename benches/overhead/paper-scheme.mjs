/**
 * The scheme of "Potentially-async functions" (Kawamukai, Yamazaki, Chiba 2024; ../shared/papers/3-*),
 * section 3.2, for comparison: each await becomes a test for a promise, and what follows it a
 * continuation that is called or handed to `then`.
 *
 * As the paper has it:
 * - A function with an await in a loop or in `try` stays an async function (3.1, 3.2.1).
 * - What follows an `if` or a `switch` becomes a function that every branch ends by calling (3.2.2),
 *   whether or not a branch waits (program 4).
 * - `instanceof Promise` decides (3.2.4), and `return await e` gets a continuation, too.
 *
 * Where the paper says nothing:
 * - What was evaluated before an await is kept in a constant, unless it cannot change; only the
 *   method of `o.m(await e)` is looked up late, as replacing the await in place does.
 * - `a && await b` and `c ? await x : y` become an `if` first.
 * - An `if` behind which, and in which, nothing is awaited is left alone.
 */
import { parseSync, transformFromAstSync, traverse, types as t } from "@babel/core";
import { containsAwait, obstacle } from "./paper-scheme-limits.mjs";
import { firstAwait } from "./paper-scheme-order.mjs";

export const DIRECTIVE = "perhaps async";

/**
 * Transforms the functions that begin with the directive.
 *
 * @param {string} code an ES module
 * @returns {{code: string, functions: {line: number, converted: boolean, reason?: string}[]}}
 */
export function perhapsAsync(code) {
  const ast = parseSync(code, { sourceType: "module", configFile: false, babelrc: false });
  const functions = [];
  const writer = new Writer(assignedNames(ast));
  traverse(ast, {
    Function: {
      exit({ node }) {
        if (!node.async || !takeDirective(node)) return;
        const reason = obstacle(node);
        functions.push({ line: node.loc.start.line, converted: reason === undefined, reason });
        if (reason === undefined) writer.convert(node);
      },
    },
  });
  const output = transformFromAstSync(ast, undefined, { configFile: false, babelrc: false });
  return { code: output.code, functions };
}

/** Names that are assigned to somewhere after their declaration. */
function assignedNames(ast) {
  const names = new Set();
  traverse(ast, {
    Scope({ scope }) {
      for (const [name, binding] of Object.entries(scope.bindings)) {
        if (!binding.constant) names.add(name);
      }
    },
  });
  return names;
}

/** Removes the directive, a string or a template literal; whether there was one. */
function takeDirective(node) {
  if (!t.isBlockStatement(node.body)) return false;
  const [directive] = node.body.directives;
  if (directive?.value.value === DIRECTIVE) {
    node.body.directives.shift();
    return true;
  }
  const [first] = node.body.body;
  const isTemplate =
    t.isExpressionStatement(first) &&
    t.isTemplateLiteral(first.expression) &&
    first.expression.quasis[0].value.cooked === DIRECTIVE;
  if (isTemplate) node.body.body.shift();
  return isTemplate;
}

class Writer {
  constructor(assigned) {
    this.assigned = assigned;
    this.names = 0;
  }

  fresh(letter) {
    this.names += 1;
    return t.identifier(`$${letter}${this.names}`);
  }

  convert(node) {
    node.async = false;
    node.body.body = this.sequence(node.body.body);
  }

  /** Statements that end a function, those with awaits in them converted. */
  sequence(statements) {
    const last = statements.findLastIndex(containsAwait);
    const index = statements.findIndex(
      (it, at) =>
        at <= last && (containsAwait(it) || t.isIfStatement(it) || t.isSwitchStatement(it)),
    );
    if (index < 0) return statements;
    const rest = statements.slice(index + 1);
    return [...statements.slice(0, index), ...this.statement(statements[index], rest)];
  }

  statement(node, rest) {
    switch (node.type) {
      case "BlockStatement":
        return this.branch(rest, (end) =>
          t.blockStatement(this.sequence([...node.body, ...end()])),
        );
      case "IfStatement":
        return containsAwait(node.test) ? this.split(node, rest) : this.ifStatement(node, rest);
      case "SwitchStatement":
        return containsAwait(node.discriminant)
          ? this.split(node, rest)
          : this.switchStatement(node, rest);
      case "VariableDeclaration":
        if (node.declarations.length > 1) {
          const single = node.declarations.map((it) => t.variableDeclaration(node.kind, [it]));
          return this.sequence([...single, ...rest]);
        }
        return this.split(node, rest);
      default:
        return this.split(node, rest);
    }
  }

  /** Makes a function of what follows a branch (3.2.2). `build` gets what ends each branch. */
  branch(rest, build) {
    if (rest.length === 0) return [build(() => [])];
    const name = this.fresh("k");
    const continuation = constant(
      name,
      t.arrowFunctionExpression([], t.blockStatement(this.sequence(rest))),
    );
    return [
      continuation,
      build(() => [t.returnStatement(t.callExpression(t.cloneNode(name), []))]),
    ];
  }

  ifStatement(node, rest) {
    const body = (it, end) => t.blockStatement(this.sequence([...statementsOf(it), ...end()]));
    return this.branch(rest, (end) => {
      const alternate = node.alternate || rest.length > 0 ? body(node.alternate, end) : null;
      return t.ifStatement(node.test, body(node.consequent, end), alternate);
    });
  }

  /** A `break` becomes the call of the continuation; so does the end (3.2.2). */
  switchStatement(node, rest) {
    const [statement, ...declared] = this.branch(rest, (end) => {
      const leave = () => (rest.length === 0 ? [t.returnStatement()] : end());
      const cases = node.cases.map(({ test, consequent }) =>
        t.switchCase(test, this.sequence(consequent.flatMap((it) => replaceBreaks(it, leave)))),
      );
      return t.blockStatement([t.switchStatement(node.discriminant, cases), ...end()]);
    }).reverse();
    return [...declared, ...statement.body];
  }

  /** Cuts a statement at its first await (3.2.3, 3.2.4). */
  split(node, rest) {
    const found = firstAwait(node, { assigned: this.assigned, fresh: (it) => this.fresh(it) });
    if (found.statements)
      return this.sequence([...found.before, ...found.statements, node, ...rest]);
    const continuation = this.fresh("k");
    const operand = this.fresh("t");
    const ignored = t.isExpressionStatement(node) && node.expression === found.value;
    const body = this.sequence(ignored ? rest : [node, ...rest]);
    const call = (callee, argument) => t.returnStatement(t.callExpression(callee, [argument]));
    return [
      ...found.before,
      constant(
        continuation,
        t.arrowFunctionExpression(
          ignored ? [] : [t.cloneNode(found.value)],
          t.blockStatement(body),
        ),
      ),
      constant(operand, found.operand),
      t.ifStatement(
        t.binaryExpression("instanceof", operand, t.identifier("Promise")),
        t.blockStatement([call(t.memberExpression(operand, t.identifier("then")), continuation)]),
        t.blockStatement([call(continuation, operand)]),
      ),
    ];
  }
}

function constant(name, value) {
  return t.variableDeclaration("const", [t.variableDeclarator(name, value)]);
}

function statementsOf(node) {
  if (!node) return [];
  return t.isBlockStatement(node) ? node.body : [node];
}

/** The statement with every `break` that leaves the switch around it replaced. */
function replaceBreaks(node, leave) {
  if (t.isBreakStatement(node) && !node.label) return leave();
  if (t.isBlockStatement(node)) node.body = node.body.flatMap((it) => replaceBreaks(it, leave));
  if (t.isIfStatement(node)) {
    for (const key of ["consequent", "alternate"]) {
      if (node[key]) node[key] = t.blockStatement(replaceBreaks(node[key], leave));
    }
  }
  return [node];
}
