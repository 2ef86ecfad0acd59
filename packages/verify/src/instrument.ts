import type { Node } from "@babel/types";

import { applyEdits, type Edit, placeAfter } from "./edits.js";
import type { PlannedSite, Stretch } from "./options.js";
import { isTyped, parseText, stretchOf, visit } from "./syntax.js";

/**
 * The names of what instrumented files end with. Nothing is put on a line of its own in front of the
 * user's code: lines stay what they are, columns move behind an operation only.
 */
const AT = "__headstartAt";
const OP = "__headstartOp";
const RUNTIME = "__headstartRuntime";
/** In place of the number of an operation: it says that its site runs, and nothing else. */
const PROBE_ONLY = -1;

/** A site with its number in the report. */
export interface NumberedSite extends PlannedSite {
  /** Counted from one. */
  readonly id: number;
}

/** An operation of a site: what is awaited in the original. */
export interface FoundOperation extends Stretch {
  /** Its text, with white space as a rewrite may change it. */
  readonly label: string;
  /** Whether it is not found again behind the rewrite: it is neither delayed nor measured in either. */
  readonly lost: boolean;
}

/** Both versions of a file with calls around the operations of its sites. */
export interface Instrumented {
  readonly original: string;
  readonly rewritten: string;
  /** By site. */
  readonly operations: ReadonlyMap<number, readonly FoundOperation[]>;
}

/**
 * Puts calls around the operations of the sites in `text`, and around the same operations in what the
 * sites' edits make of it: a rewrite moves operations, and leaves their text as it is.
 *
 * @throws where one of the two texts cannot be parsed.
 */
export function instrument(
  file: string,
  text: string,
  sites: readonly NumberedSite[],
): Instrumented {
  const all = sites.flatMap((site) => site.edits);
  const after = applyEdits(text, all);
  const before = parseText(file, text);
  const changed = parseText(file, after);
  const operations = new Map<number, readonly FoundOperation[]>();
  const originalEdits: Edit[] = [];
  const rewrittenEdits: Edit[] = [];
  for (const site of sites) {
    const found = awaited(before, text, site);
    const moved = find(changed, after, region(site, all), found);
    const own = found.map((it, index) => ({ ...it, lost: moved[index] === undefined }));
    operations.set(site.id, own);
    originalEdits.push(
      // What is delayed in one of the two only would make the other one look fast.
      ...own.flatMap((it, index) => around(it, site.id, it.lost ? PROBE_ONLY : index)),
    );
    rewrittenEdits.push(
      ...moved.flatMap((it, index) => (it === undefined ? [] : around(it, site.id, index))),
    );
  }
  return {
    original: withHelpers(file, applyEdits(text, merged(originalEdits))),
    rewritten: withHelpers(file, applyEdits(after, merged(rewrittenEdits))),
    operations,
  };
}

/**
 * The stretch of the rewritten text that holds all that the statements of a site have become, without
 * the function that several sites put at the end of the file.
 */
function region(site: PlannedSite, all: readonly Edit[]): Stretch {
  const from = Math.min(...site.statements.map((it) => it.start));
  const to = Math.max(...site.statements.map((it) => it.end));
  const touching = site.edits.filter((it) => it.start <= to && it.end >= from);
  const starts = [from, ...touching.map((it) => it.start)];
  const ends = [to, ...touching.map((it) => it.end)];
  // One unit in front of it: what is inserted at its very start belongs to it.
  const start = placeAfter(Math.min(...starts) - 1, all);
  return { start, end: placeAfter(Math.max(...ends), all) };
}

type Worded = Omit<FoundOperation, "lost">;

/** What is awaited in the statements of a site, functions in them left out. */
function awaited(tree: Node, text: string, site: PlannedSite): Worded[] {
  const found: Worded[] = [];
  visit(tree, (node) => {
    if (!overlaps(node, site.statements)) return false;
    if (node.type !== "AwaitExpression") return !isFunctionInside(node, site.statements);
    if (within(node, site.statements)) {
      const { start, end } = stretchOf(untyped(node.argument));
      found.push({ start, end, label: labelOf(text.slice(start, end)) });
    }
    return true;
  });
  return found;
}

/** Each operation, or nothing where it is not there, in the region of a text. */
function find(
  tree: Node,
  text: string,
  within: Stretch,
  operations: readonly Worded[],
): (Stretch | undefined)[] {
  const labels = operations.map(({ label }) => label);
  const found: (Stretch | undefined)[] = operations.map(() => undefined);
  const take = (node: Node): void => {
    const { start, end } = stretchOf(node);
    if (start < within.start || end > within.end) return;
    const label = labelOf(text.slice(start, end));
    const index = labels.findIndex((it, at) => it === label && found[at] === undefined);
    if (index !== -1) found[index] = { start, end };
  };
  visit(tree, (node) => {
    const { start, end } = stretchOf(node);
    if (end <= within.start || start >= within.end) return false;
    if (isValue(node)) take(node);
    // What is waited for may be a promise that only has a name.
    if (node.type === "AwaitExpression" && !isValue(node.argument)) take(node.argument);
    return true;
  });
  return found;
}

/** An operation without what only types say of it: a rewrite may leave that where it was. */
function untyped(node: Node): Node {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
    case "TypeCastExpression":
    case "ParenthesizedExpression":
      return untyped(node.expression);
    default:
      return node;
  }
}

/** What may be an operation: an expression that is evaluated where it stands, and never assigned to. */
function isValue(node: Node): boolean {
  return node.type.endsWith("Expression") && !/Member|Function/.test(node.type);
}

/** The text of an operation without the white space that a rewrite may change. */
function labelOf(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/(?<=[([{]) | (?=[)\]}])/g, "")
    .replaceAll(/,(?=[)\]}])/g, "");
}

function around({ start, end }: Stretch, site: number, index: number): Edit[] {
  return [
    { start, end: start, text: `${OP}(${AT}(${site},${index}),` },
    { start: end, end, text: ")" },
  ];
}

/**
 * A call around an expression, which is in parentheses of its own there: it may have a comma in it.
 *
 * @param opening what stands in front of it, up to the parenthesis of the call.
 */
export function inCall(expression: Node, opening: string): Edit[] {
  const { start, end } = stretchOf(expression);
  return [
    { start, end: start, text: `${opening}(` },
    { start: end, end, text: "))" },
  ];
}

/** Insertions at one place as one edit, so that their order is that of the list. */
export function merged(edits: readonly Edit[]): Edit[] {
  const byPlace = new Map<number, string>();
  for (const { start, text } of edits) {
    // What ends at a place ends before something else begins there.
    const before = byPlace.get(start) ?? "";
    byPlace.set(start, text === ")" ? text + before : before + text);
  }
  return [...byPlace].map(([start, text]) => ({ start, end: start, text }));
}

/** In words that every compiler knows which a project may have: TypeScript before 3.7 has no `?.`. */
function withHelpers(file: string, text: string): string {
  const [any, type, isType] = isTyped(file) ? [": any", "<T>", ": T"] : ["", "", ""];
  const global = isTyped(file) ? "(globalThis as any)" : "globalThis";
  const helpers =
    // Looked up once: a place may run a thousand times in a test of some milliseconds. It is declared
    // without a value, for the code of the file may run before this line does.
    `var ${RUNTIME}${any}; ` +
    `function ${AT}(site${any}, op${any})${any} ` +
    `{ ${RUNTIME} = ${RUNTIME} || ${global}[Symbol.for("headstart.verify")]; return ${RUNTIME} && ${RUNTIME}.at(site, op); } ` +
    `function ${OP}${type}(token${any}, value${isType})${isType} ` +
    `{ return token === undefined ? value : ${RUNTIME}.op(token, value); }`;
  return `${text}\n${helpers}\n`;
}

function overlaps(node: Node, stretches: readonly Stretch[]): boolean {
  const { start, end } = stretchOf(node);
  return stretches.some((it) => start < it.end && end > it.start);
}

function within(node: Node, stretches: readonly Stretch[]): boolean {
  const { start, end } = stretchOf(node);
  return stretches.some((it) => start >= it.start && end <= it.end);
}

function isFunctionInside(node: Node, stretches: readonly Stretch[]): boolean {
  const isFunction = /Function|ObjectMethod|ClassMethod|ClassPrivateMethod/.test(node.type);
  return isFunction && within(node, stretches);
}
