/** What names of a file are bound to by its imports, of `import … from` and `const … = require(…)`. */
const IMPORTS =
  /\bimport\s+([^'"();]+?)\s+from\s*(["'])(.+?)\2|\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+import|require)\s*\(\s*(["'])(.+?)\5\s*\)/g;

/** What each name stands for that a file imports: `readFile` of `node:fs`. */
export function importsOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, imported, , from, taken, , required] of text.matchAll(IMPORTS)) {
    const names = imported ?? taken ?? "";
    const source = from ?? required ?? "";
    for (const part of names.replace(/^type\s/, "").split(/[{},]/)) {
      const [, name, local] =
        /^\s*(?:type\s+)?([\w$*]+)(?:\s*(?:\bas\b|:)\s*([\w$]+))?/.exec(part) ?? [];
      if (name !== undefined) found.set(local ?? name, `${name} of ${source}`);
    }
  }
  return found;
}

/** What the names in a part of a file stand for, as far as that imports them. */
export function boundIn(part: string, imports: ReadonlyMap<string, string>): string {
  if (imports.size === 0) return "";
  const names = new Set(part.match(/[\w$]+/g));
  return [...imports]
    .flatMap(([name, it]) => (names.has(name) ? `${name} is ${it}` : []))
    .sort()
    .join("\n");
}
