import { parse, type Node } from "acorn";

interface Edit {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The same module with generators for `async` functions, as one writes it for {@link act}: `async () => { await x; }`
 * becomes `() => act(function* () { yield* wait(x); })`. Only for arrow functions with a block, which is what the rows use.
 */
export function withGenerators(source: string): string {
  const edits: Edit[] = [];
  visit(parse(source, { ecmaVersion: "latest", sourceType: "module" }), (node) => {
    const { start, end } = node;
    if (node.type === "AwaitExpression") {
      const { argument } = node as unknown as { argument: Node };
      edits.push(
        { at: start, end: argument.start, text: "(yield* wait(" },
        { at: end, end, text: "))" },
      );
    }
    if (node.type === "ArrowFunctionExpression" && (node as unknown as { async: boolean }).async) {
      const { body } = node as unknown as { body: Node };
      edits.push({ at: start, end: start + "async".length, text: "" });
      edits.push(
        { at: body.start, end: body.start, text: "act(function* () " },
        { at: end, end, text: ")" },
      );
    }
  });
  // What ends at a place is written before what starts there, the inner before the outer.
  edits.sort((a, b) => b.at - a.at);
  let text = source;
  for (const { at, end, text: put } of edits) text = text.slice(0, at) + put + text.slice(end);
  return text;
}

function visit(node: Node, each: (node: Node) => void): void {
  each(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (typeof child === "object" && child !== null && "type" in child)
        visit(child as Node, each);
    }
  }
}
