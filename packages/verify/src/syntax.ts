import { extname } from "node:path";

import { parse, type ParserPlugin } from "@babel/parser";
import type { Node } from "@babel/types";

import type { Stretch } from "./options.js";

/**
 * Parses a file of a project.
 *
 * @throws where it cannot be parsed.
 */
export function parseText(file: string, text: string): Node {
  return parse(text, {
    sourceType: "unambiguous",
    allowAwaitOutsideFunction: true,
    allowReturnOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    errorRecovery: true,
    plugins: pluginsFor(file),
  });
}

function pluginsFor(file: string): ParserPlugin[] {
  const common: ParserPlugin[] = [
    "decorators-legacy",
    "decoratorAutoAccessors",
    "explicitResourceManagement",
  ];
  const extension = extname(file);
  if (/^\.[cm]?ts$/.test(extension)) return ["typescript", ...common];
  if (extension === ".tsx") return ["typescript", "jsx", ...common];
  return ["flow", "jsx", ...common];
}

/** Whether a file may have types in it. */
export function isTyped(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}

/** Visits a tree from the root; `enter` says whether to go into a node. */
export function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return;
  for (const value of Object.values(node) as unknown[]) {
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (isNode(child)) visit(child, enter);
    }
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "start" in value &&
    typeof value.start === "number"
  );
}

/** Where a node stands. */
export function stretchOf(node: Node): Stretch {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}
