import type { Node } from "@babel/types";
import { applyEdits, type Edit } from "@headstart/verify/edits";
import { inCall, merged } from "@headstart/verify/instrument";
import { isTyped, parseText, stretchOf, visit } from "@headstart/verify/syntax";

import { placeOf, type Within, within } from "./located.js";

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
 * @param first the number of the first await in it.
 * @throws where the text cannot be parsed.
 */
export function withObservation(
  file: string,
  text: string,
  first: number,
): { readonly text: string; readonly awaits: readonly ObservedAwait[] } {
  const awaits: ObservedAwait[] = [];
  const edits: Edit[] = [];
  const enter = (node: Node, around: Node): void => {
    visit(node, (inner) => {
      if (inner !== node && isFunction(inner)) {
        enter(inner, inner);
        return false;
      }
      if (inner.type === "AwaitExpression") {
        const id = first + awaits.length;
        awaits.push(observedAt(file, text, inner, around));
        edits.push(...inCall(inner.argument, `${LEAVE}(${ENTER}(${id}),`));
      }
      return true;
    });
  };
  const tree = parseText(file, text);
  enter(tree, tree);
  if (awaits.length === 0) return { text, awaits };
  return { text: `${applyEdits(text, merged(edits))}\n${helpers(file)}\n`, awaits };
}

function isFunction(node: Node): boolean {
  return /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(node.type);
}

function observedAt(file: string, text: string, node: Node, around: Node): ObservedAwait {
  const { start } = stretchOf(node);
  return { file, ...placeOf(text, start), within: within(text, stretchOf(around), start) };
}

/**
 * In words that every compiler knows which a project may have. Runners that give tests a global object of their own (jest) share
 * Node's modules with them.
 */
function helpers(file: string): string {
  const [any, type, isType] = isTyped(file) ? [": any", "<T>", ": T"] : ["", "", ""];
  const global = isTyped(file) ? "(globalThis as any)" : "globalThis";
  const key = 'Symbol.for("headstart.observe")';
  return (
    `function ${ENTER}(id${any})${any} { var own = ${global}; var it = own[${key}] || ` +
    `(own.process && own.process.getBuiltinModule && own.process.getBuiltinModule("events")[${key}]); ` +
    `return it && it(id); } ` +
    `function ${LEAVE}${type}(begun${any}, value${isType})${isType} ` +
    `{ return begun === undefined ? value : begun(value); }`
  );
}
