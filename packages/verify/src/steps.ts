import { applyEdits, type Edit } from "./edits.js";
import { inCall, merged } from "./instrument.js";
import { isTyped, parseText, visit } from "./syntax.js";

const STEP = "__headstartStep";

/**
 * Puts a call around everything that is awaited in a file, so that it can be made to take longer. Lines stay what they
 * are.
 *
 * @throws where the text cannot be parsed.
 */
export function withSteps(file: string, text: string): string {
  const edits: Edit[] = [];
  visit(parseText(file, text), (node) => {
    if (node.type === "AwaitExpression") edits.push(...inCall(node.argument, `${STEP}(`));
    return true;
  });
  return edits.length === 0 ? text : `${applyEdits(text, merged(edits))}\n${helper(file)}\n`;
}

/** In words that every compiler knows which a project may have. */
function helper(file: string): string {
  const [type, isType, isResult] = isTyped(file) ? ["<T>", ": T", ": T"] : ["", "", ""];
  const global = isTyped(file) ? "(globalThis as any)" : "globalThis";
  return (
    `function ${STEP}${type}(value${isType})${isResult} ` +
    `{ var runtime = ${global}[Symbol.for("headstart.verify")]; return runtime ? runtime.step(value) : value; }`
  );
}
