import { createHash } from "node:crypto";

/** What `npm run build` makes of the script and the style of a page. */
export interface BuiltPage {
  readonly script: string;
  readonly style: string;
  /** Licences of what is bundled. */
  readonly notices: string;
}

/** What a page is made of. */
export interface PageParts {
  readonly title: string;
  /** What wrote it. */
  readonly generator: string;
  /** Markup that is there before the script runs, and stays where none may run. */
  readonly withoutScript: string;
  /** What the script reads, as JSON, from the element `results`. */
  readonly data: unknown;
  readonly built: BuiltPage;
}

/**
 * One HTML file that needs nothing else: data, style and script are in it. The same parts always give
 * the same file.
 */
export function page({ title, generator, withoutScript, data, built }: PageParts): string {
  const { script, style, notices } = built;
  return `<!doctype html>
<html lang="en">
<!--
${escaped(notices)}
-->
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${escaped(generator)}">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="report">${withoutScript}</div>
<script type="application/json" id="results">${inline(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Nothing may be loaded, and no script may run but the page's own. */
function policy(script: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  // Plots carry their own style elements.
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** JSON that cannot end the script element that it stands in, whatever a name in it is. */
function inline(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

/** Text as markup that says the same. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" },
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
