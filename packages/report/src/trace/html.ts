import { escaped, page } from "../document.js";
import {
  placeColumns,
  SHAPE_COLUMNS,
  SHAPES,
  SUBTREES,
  type Cell,
  type Column,
} from "./columns.js";
import { shortened } from "./format.js";
import type { TraceReport, TraceView } from "./report.js";
import { facts, origin, summary } from "./summary.js";

/** Rows of the table of places that are there without the script. */
const PLACES = 50;

/**
 * How a recorded program waits: one HTML file that needs nothing else, with its data, style and script
 * in it. The same report always gives the same file.
 */
export async function traceReportHtml(report: TraceReport): Promise<string> {
  // Loaded when needed: it holds a plotting library.
  const built = await import("../../dist/trace-page.js");
  return page({
    title: `${shortened(report.metadata.subject, 80)} \u2013 Headstart trace`,
    generator: "Headstart",
    withoutScript: withoutScript(report),
    data: report,
    built,
  });
}

/** What is there before the script runs, and stays where none may run. */
function withoutScript(report: TraceReport): string {
  const { metadata, places, notes } = report;
  const points = summary(report).map(
    ({ word, text }) => `<p><strong>${escaped(word)}:</strong> ${escaped(text)}</p>`,
  );
  const numbers = facts(report).map(([name, figure]) => `${escaped(figure)} ${escaped(name)}`);
  const left = places.length - PLACES;
  return [
    `<main><section><h1>${escaped(shortened(metadata.subject, 300))}</h1>`,
    `<p>${escaped(origin(report))} ${numbers.join(" · ")}</p>`,
    ...points,
    ...(notes.length === 0 ? [] : [`<ul>${notes.map(item).join("")}</ul>`]),
    "</section><section><h2>Where it waits</h2>",
    table(placeColumns(metadata.folder), places.slice(0, PLACES)),
    ...(left > 0 ? [`<p>${left} more are shown where scripts may run.</p>`] : []),
    `</section><section><h2>Potentially atomic subtrees</h2><p>${escaped(SUBTREES)}</p>`,
    `<ul>${SHAPES.map(([name, meaning]) => item(`${name}: ${meaning}`)).join("")}</ul>`,
    report.microtasks.timed ? subtrees("With microtasks", report.microtasks) : "",
    subtrees("Macrotasks only", report.macrotasks),
    "<noscript><p>The curves and the tree are shown where scripts may run.</p></noscript>",
    "</section></main>",
  ].join("\n");
}

function subtrees(title: string, view: TraceView): string {
  return `<h3>${title}</h3>${table(SHAPE_COLUMNS, view.subtrees)}`;
}

function item(text: string): string {
  return `<li>${escaped(text)}</li>`;
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const heads = columns.map(
    ({ heading, kind }) => `<th class="${kind ?? ""}">${escaped(heading)}</th>`,
  );
  const lines = rows.map((row) => {
    const cells = columns.map(
      ({ cell, kind }) => `<td class="${kind ?? ""}">${content(cell(row))}</td>`,
    );
    return `<tr>${cells.join("")}</tr>`;
  });
  const head = `<thead><tr>${heads.join("")}</tr></thead>`;
  return `<div class="scroll"><table>${head}<tbody>${lines.join("\n")}</tbody></table></div>`;
}

function content({ text, below }: Cell): string {
  const more = below === undefined ? "" : `<span class="place"><bdi>${escaped(below)}</bdi></span>`;
  return `<bdi>${escaped(text)}</bdi>${more}`;
}
