import { readFileSync } from "node:fs";

import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Where marks stand in a text; counted from one. */
export function linesWith(text: string, mark: string): { line: number; column: number }[] {
  return text.split("\n").flatMap((it, at) => {
    const columns = [...it.matchAll(new RegExp(mark, "g"))].map(({ index }) => index);
    return columns.map((column) => ({ line: at + 1, column }));
  });
}

/** Where all places of a mark in a bundle come from, each once. */
export function originsOf(built: string, mark: string): Place[] {
  const map = new TraceMap(readFileSync(`${built}.map`, "utf8"));
  const all = linesWith(readFileSync(built, "utf8"), mark).map((it) => {
    const { source, line } = originalPositionFor(map, it);
    return JSON.stringify({ file: source?.split("/").slice(-2).join("/"), line });
  });
  return [...new Set(all)].map((it) => JSON.parse(it) as Place);
}
