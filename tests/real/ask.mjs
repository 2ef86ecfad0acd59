// Has all async functions of a text ask for their conversion, without changing what they do.
import ts from "typescript";

/** What {@link ask} may do to a function. */
export const WAYS = ["directive", "inside"];

/**
 * The text with the directive in it.
 *
 * - `"directive"`: every async function that is no generator begins with it; callers may get plain
 *   values where they got promises.
 * - `"inside"`: every such function runs its body in an async arrow function that begins with it,
 *   and stays an async function for its callers.
 */
export function ask(text, file, way) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const insertions = [];
  const visit = (node) => {
    if (isAsync(node)) insertions.push(...insertionsFor(node, source, way));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { text: inserted(text, insertions), functions: insertions.length / 2 };
}

/** Of two insertions at one place, the one of the outer node, found first, comes first. */
function inserted(text, insertions) {
  let out = "";
  let done = 0;
  for (const { at, insert } of insertions.toSorted((a, b) => a.at - b.at)) {
    out += text.slice(done, at) + insert;
    done = at;
  }
  return out + text.slice(done);
}

const OF_PROMISES = ["then", "catch", "finally"];

/** The text with `$promised(…)` around all whose `then`, `catch` or `finally` is called. */
export function promised(text, file) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const insertions = [];
  const visit = (node) => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (OF_PROMISES.includes(name.text) && expression.kind !== ts.SyntaxKind.SuperKeyword) {
        insertions.push({ at: expression.getStart(source), insert: "$promised(" });
        insertions.push({ at: expression.end, insert: ")" });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return inserted(text, insertions);
}

function isAsync(node) {
  return (
    ts.isFunctionLike(node) &&
    node.body !== undefined &&
    node.asteriskToken === undefined &&
    (node.modifiers ?? []).some((it) => it.kind === ts.SyntaxKind.AsyncKeyword)
  );
}

const BEGIN = `"perhaps async"; `;
const INSIDE = `return (async () => { ${BEGIN}`;

function insertionsFor(node, source, way) {
  const { body } = node;
  const inside = way === "inside";
  if (!ts.isBlock(body)) {
    const begin = inside ? `{ ${INSIDE}return ` : `{ ${BEGIN}return `;
    return [
      { at: body.getStart(source), insert: begin },
      { at: body.end, insert: inside ? "\n; })(); }" : "\n; }" },
    ];
  }
  const directives = body.statements.findIndex(
    (it) => !ts.isExpressionStatement(it) || !ts.isStringLiteral(it.expression),
  );
  const count = directives === -1 ? body.statements.length : directives;
  const at = count === 0 ? body.getStart(source) + 1 : body.statements[count - 1].end;
  return [
    { at, insert: ` ${count > 0 ? ";" : ""}${inside ? INSIDE : BEGIN}` },
    { at: body.end - 1, insert: inside ? "\n})();" : "" },
  ];
}
