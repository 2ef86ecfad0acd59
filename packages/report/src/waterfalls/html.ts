import { escaped, page } from "../document.js";
import { many, shortened, time } from "../trace/format.js";
import type { OfferedFinding, RequestRoute, TypicalRequest, WaterfallsReport } from "./report.js";
import {
  beforeAfter,
  COMPUTED,
  headline,
  measuredText,
  placeText,
  routeName,
  savedText,
  typicalText,
} from "./words.js";

/**
 * What waits needlessly in requests, and what would change it: one HTML file that needs nothing else, with its data, style and
 * script in it. The same report always gives the same file.
 */
export async function waterfallsHtml(report: WaterfallsReport): Promise<string> {
  // Loaded when needed: only this needs it.
  const built = await import("../../dist/waterfalls-page.js");
  const name = report.project.split("/").at(-1) ?? "";
  return page({
    title: `${shortened(name, 80)} \u2013 Headstart waterfalls`,
    generator: report.tool,
    withoutScript: withoutScript(report),
    data: report,
    built,
  });
}

/** What is there before the script runs, and stays where none may run. */
function withoutScript(report: WaterfallsReport): string {
  const left = report.routesLeft;
  return [
    `<main><section><h1>${escaped(headline(report))}</h1>`,
    ...report.notes.map((note) => `<p>${escaped(note)}</p>`),
    `<p>${escaped(COMPUTED)}</p></section>`,
    ...report.routes.map((route) => section(route, report)),
    ...(left > 0 ? [`<p>${many(left, "more route")} cost less.</p>`] : []),
    "</main>",
  ].join("\n");
}

function section(route: RequestRoute, { findings }: WaterfallsReport): string {
  const { measured, typical } = route;
  const own = route.findings.flatMap((at) => findings[at] ?? []);
  const reasons = route.obstacles.map(({ places, text }) => {
    const where = places.length === 0 ? "" : `${places.map(placeText).join(", ")}: `;
    return `<li>${escaped(where + text)}</li>`;
  });
  return [
    `<section><h2><bdi>${escaped(routeName(route))}</bdi></h2><p>${escaped(savedText(route))}</p>`,
    measured === undefined ? "" : `<p>Measured: ${escaped(measuredText(measured))}.</p>`,
    typical === undefined ? "" : picture(route, typical),
    ...own.map(finding),
    reasons.length === 0 ? "" : `<h3>What stands in the way</h3><ul>${reasons.join("")}</ul>`,
    "</section>",
  ].join("\n");
}

function picture(route: RequestRoute, typical: TypicalRequest): string {
  const rows = typical.bars.map((bar) => {
    const place = bar.place === undefined ? "" : placeText(bar.place);
    const [before, after] = [
      `${time(bar.startMs)} \u2013 ${time(bar.endMs)}`,
      `${time(bar.newStartMs)} \u2013 ${time(bar.newEndMs)}`,
    ];
    const cells = [place, bar.name, before, after].map((it) => `<td>${escaped(it)}</td>`);
    return `<tr>${cells.join("")}</tr>`;
  });
  const head = ["Line", "Operation", "Before", "After"].map((it) => `<th>${it}</th>`).join("");
  return [
    `<p>${escaped(`${typicalText(route)}: ${beforeAfter(typical)}.`)}</p>`,
    `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`,
    left(typical),
  ].join("\n");
}

function left({ barsLeft }: TypicalRequest): string {
  return barsLeft === 0 ? "" : `<p>${many(barsLeft, "more span")} left out.</p>`;
}

function finding(it: OfferedFinding): string {
  return [
    `<h3>${escaped(placeText(it))} (${escaped(it.level)})</h3><p>${escaped(it.message)}</p>`,
    `<pre class="scroll">${escaped(it.diff)}</pre><p><code>${escaped(it.command)}</code></p>`,
    `<ul>${it.assumptions.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul>`,
  ].join("\n");
}
