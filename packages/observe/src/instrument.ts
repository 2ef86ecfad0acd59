import type { Node } from "@babel/types";
import { applyEdits, type Edit } from "@headstart/verify/edits";
import { inCall, merged } from "@headstart/verify/instrument";
import { isTyped, parseText, stretchOf, visit } from "@headstart/verify/syntax";

import { importsOf } from "./bound.js";
import { Lines, type Within, within } from "./located.js";

const [ENTER, LEAVE] = ["__headstartEnter", "__headstartLeave"];

/** An await of the project, with its place in the user's file. */
export interface ObservedAwait {
  readonly file: string;
  /** From one. */
  readonly line: number;
  /** From one, in UTF-16 units. */
  readonly column: number;
  /** The function around it: what was seen holds as long as its text is the same. */
  readonly within: Within;
}

/**
 * Puts calls around all that is awaited in a file: lines stay what they are.
 *
 * @param first the number of the first await in it; none where the file tells the recorder its awaits when it runs.
 * @throws where the text cannot be parsed.
 */
export function withObservation(
  file: string,
  text: string,
  first?: number,
): { readonly text: string; readonly awaits: readonly ObservedAwait[] } {
  const awaits: ObservedAwait[] = [];
  // It is observed already.
  if (text.includes(`${LEAVE}(${ENTER}(`)) return { text, awaits };
  const edits: Edit[] = [];
  const tree = parseText(file, text);
  const lines = new Lines(text);
  const imports = importsOf(text);
  // One function may hold very many.
  const known = new Map<Node, Within>();
  const withinOf = (around: Node, at: number): Within => {
    const stretch = stretchOf(around);
    const found = known.get(around) ?? within(text, stretch, at, imports);
    known.set(around, found);
    return { ...found, offset: at - stretch.start };
  };
  const enter = (node: Node, around: Node): void => {
    visit(node, (inner) => {
      if (inner !== node && isFunction(inner)) {
        // What was seen of an inner function may hang on all that is around it.
        enter(inner, around === tree ? inner : around);
        return false;
      }
      if (inner.type === "AwaitExpression") {
        const id = (first ?? 0) + awaits.length;
        const { start } = stretchOf(inner);
        awaits.push({ file, ...lines.placeOf(start), within: withinOf(around, start) });
        edits.push(...inCall(inner.argument, `${LEAVE}(${ENTER}(${id}),`));
      }
      return true;
    });
  };
  enter(tree, tree);
  if (awaits.length === 0) return { text, awaits };
  const told = first === undefined ? JSON.stringify([file, awaits.map(placeIn)]) : undefined;
  return { text: `${applyEdits(text, merged(edits))}\n${helpers(file, told)}\n`, awaits };
}

/** The place of an await in its file. */
export type PlaceIn = Omit<ObservedAwait, "file">;

function placeIn({ line, column, within }: ObservedAwait): PlaceIn {
  return { line, column, within };
}

function isFunction(node: Node): boolean {
  return /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(node.type);
}

/**
 * In words that every compiler knows which a project may have. Runners that give tests a global object of their own (jest) share
 * Node's modules with them.
 */
function helpers(file: string, told: string | undefined): string {
  const [any, type, isType] = isTyped(file) ? [": any", "<T>", ": T"] : ["", "", ""];
  const global = isTyped(file) ? "(globalThis as any)" : "globalThis";
  const key = 'Symbol.for("headstart.observe")';
  return (
    `function ${ENTER}(id${any})${any} { var self${any} = ${ENTER}; var own = ${global}; ` +
    `var it = self.it || (self.it = own[${key}] || ` +
    `(own.process && own.process.getBuiltinModule && own.process.getBuiltinModule("events")[${key}])); ` +
    (told === undefined
      ? `return it && it(id); } `
      : `if (!it) return; ` +
        `if (self.first === undefined) self.first = it.register.apply(it, ${told}); return it(self.first + id); } `) +
    `function ${LEAVE}${type}(begun${any}, value${isType})${isType} ` +
    `{ return begun === undefined ? value : begun(value); }`
  );
}
