import { escaped, page } from "./document.js";
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
  const built = await import("../dist/page.js");
  const name = results.length === 1 ? first.project : `${results.length} projects`;
  return page({
    title: `${name} \u2013 Headstart verify`,
    generator: first.tool,
    withoutScript: withoutScript(results),
    data: results,
    built,
  });
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
