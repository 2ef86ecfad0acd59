/** Makes the shapes of a module that was written with `async`: with directives, and of generators. */
import { parse } from "acorn";
import { simple } from "acorn-walk";
import MagicString from "magic-string";
import { DIRECTIVE } from "./paper-scheme.mjs";

/** Puts the directive into every async function of a module that was written with `async`. */
export function markAsync(source) {
  const text = new MagicString(source);
  const mark = ({ async, body }) => {
    if (async) text.appendLeft(body.start + 1, `\n"${DIRECTIVE}";`);
  };
  simple(parse(source, { ecmaVersion: 2022, sourceType: "module" }), { Function: mark });
  return text.toString();
}

/**
 * Makes generators of the async functions of a module that was written with `async`; its entry becomes
 * a generator `program`, and `deferred` has to wait for promises.
 *
 * @throws where the entry is not async, or an async function is called and not awaited: a generator
 *   would not run then
 */
export function generatorsFromAsync(source) {
  const ast = parse(source, { ecmaVersion: 2022, sourceType: "module" });
  const text = new MagicString(source);
  const generators = generatorNames(ast);
  if (!generators.has("run")) throw new Error("no generator form: the entry is not async");
  const awaited = new Set();
  const begin = (start, at) => {
    text.remove(start, source.indexOf("async", start) + "async ".length);
    text.appendLeft(at, "*");
  };
  simple(ast, {
    MethodDefinition: ({ start, key, value }) => value.async && begin(start, key.start),
    FunctionDeclaration({ start, async, id }) {
      if (!async) return;
      begin(start, id.start);
      if (id.name === "run") text.overwrite(id.start, id.end, " program");
    },
    AwaitExpression({ start, end, argument }) {
      awaited.add(argument);
      const own = generators.has(calleeName(argument));
      text.overwrite(start, argument.start, own ? "(yield* " : "(yield* deferred(");
      text.appendLeft(end, own ? ")" : "))");
    },
    ReturnStatement: ({ argument }) => awaited.add(argument),
  });
  simple(ast, {
    CallExpression(node) {
      if (generators.has(calleeName(node)) && !awaited.has(node)) {
        throw new Error("no generator form: calls without awaiting");
      }
    },
  });
  return text.toString();
}

/** Names of async functions and methods, and of those that only return what one of them returns. */
function generatorNames(ast) {
  const names = new Set();
  const add = (name, { async, body }) => {
    const [first] = body.body;
    const passes = first?.type === "ReturnStatement" && names.has(calleeName(first.argument));
    if (async || passes) names.add(name);
  };
  const visitors = {
    MethodDefinition: ({ key, value }) => add(key.name, value),
    FunctionDeclaration: (node) => add(node.id.name, node),
  };
  for (let size = -1; size < names.size;) {
    size = names.size;
    simple(ast, visitors);
  }
  return names;
}

function calleeName(node) {
  return node?.type === "CallExpression" ? (node.callee.property ?? node.callee).name : undefined;
}
