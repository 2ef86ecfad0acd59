import { createHash } from "node:crypto";

import type { VerifyResult } from "./result.js";
import { statements } from "./verdict.js";

/**
 * The report: one HTML file that needs nothing else, with its data, style and script in it. The
 * same results always give the same file.
 *
 * @param results one, or several that the reader chooses from
 * @throws {RangeError} if there is none
 */
export async function reportHtml(results: readonly VerifyResult[]): Promise<string> {
  const [first] = results;
  if (first === undefined) throw new RangeError("a report needs at least one result");
  // Loaded when needed: it holds a plotting library.
  const { script, style, notices } = await import("../dist/page.js");
  const name = results.length === 1 ? first.project : `${results.length} projects`;
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
<meta name="generator" content="${escaped(first.tool)}">
<title>${escaped(name)} \u2013 Headstart verify</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="report">${withoutScript(results)}</div>
<script type="application/json" id="results">${inline(results)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** Nothing may be loaded, and no script may run but the report's own. */
function policy(script: string): string {
  const hash = createHash("sha256").update(script).digest("base64");
  // Plots carry their own style elements.
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** JSON that cannot end the script element that it stands in, whatever a test is called. */
function inline(results: readonly VerifyResult[]): string {
  return JSON.stringify(results).replaceAll("<", "\\u003c");
}

/** What is there before the script runs, and stays where none may run. */
function withoutScript(results: readonly VerifyResult[]): string {
  return results
    .map((result) => {
      const lines = statements(result).map(({ word, text }) => `${word}: ${text}.`);
      return `<h1>${escaped(result.project)}</h1><p>${lines.map(escaped).join("<br>")}</p>`;
    })
    .join("");
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" },
  };
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? "");
}
