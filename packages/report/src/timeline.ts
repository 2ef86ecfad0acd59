import { duration, stepOf, timeAxis } from "./format.js";
import type { Site, Span, Timeline, VerifyResult } from "./result.js";

/** Height of an operation with its name above (CSS pixels). */
const ROW = 34;
const BAR = 12;
const LEFT = 64;
const RIGHT = 16;
/** Room above a group of bars. */
const GAP = 18;
/** Room for the axis and its name. */
const AXIS = 36;
/** About what a letter takes at 12 pixels. */
const LETTER = 6.6;

const GROUPS = [
  ["Before", "original"],
  ["After", "rewritten"],
] as const;

/** From the start of the first operation to the end of the last (ms). */
export function took(spans: readonly Span[]): number {
  if (spans.length === 0) return 0;
  const ends = spans.map(({ endMs }) => endMs);
  return Math.max(...ends) - Math.min(...spans.map(({ startMs }) => startMs));
}

/** The place whose measured operations save the most time by running at once. */
export function mostSaved({ sites }: VerifyResult): (Site & { timeline: Timeline }) | undefined {
  const saved = ({ original, rewritten }: Timeline): number => took(original) - took(rewritten);
  let best: (Site & { timeline: Timeline }) | undefined;
  for (const site of sites) {
    const { timeline } = site;
    if (timeline === undefined || saved(timeline) <= 0) continue;
    if (best === undefined || saved(timeline) > saved(best.timeline)) best = { ...site, timeline };
  }
  return best;
}

/**
 * When each operation was under way, before and after, on one scale, as the markup of an SVG element.
 * Its colours are CSS variables: `--original`, `--rewritten`, `--text`, `--line`.
 *
 * @param width CSS pixels.
 */
export function timelineSvg(timeline: Timeline, width: number): string {
  const { body, height } = drawing(timeline, width);
  return `${opening(width, height)}${body}</svg>`;
}

/** {@link timelineSvg} as a file of its own, with a title, for light and dark pages. */
export function timelineFile(timeline: Timeline, title: string): string {
  const width = 760;
  const { body, height } = drawing(timeline, width);
  const head = 34;
  return `${opening(width, height + head)}
<title>${escaped(title)}</title>
<style>
svg { --original: #b4540a; --rewritten: #0b7a6b; --text: #1b1d22; --line: #dfded8 }
@media (prefers-color-scheme: dark) { svg { --original: #f2a65a; --rewritten: #4fd1b8; --text: #eceae4; --line: #30353e } }
</style>
<text x="${LEFT}" y="20" font-size="14" font-weight="600" fill="var(--text)">${escaped(title)}</text>
<g transform="translate(0 ${head})">${body}</g>
</svg>
`;
}

/** The same for a terminal: a line for each operation, no wider than `columns`. */
export function timelineText({ original, rewritten }: Timeline, columns: number): string {
  const end = Math.max(...[...original, ...rewritten].map(({ endMs }) => endMs));
  const longest = Math.max(...[...original, ...rewritten].map(({ label }) => label.length));
  const names = Math.min(longest, Math.max(12, Math.floor(columns * 0.4)));
  const room = Math.max(10, columns - names - "before  ".length - "  1000 ms".length - 2);
  const lines = (when: string, spans: readonly Span[]): string[] =>
    spans.map((span, row) => {
      const from = Math.floor((span.startMs / end) * room);
      const to = Math.max(from + 1, Math.round((span.endMs / end) * room));
      const bar = `${" ".repeat(from)}${"█".repeat(to - from)}`.padEnd(room + 1);
      const name = short(span.label, names).padEnd(names);
      return `${(row === 0 ? when : "").padEnd(8)}${name}  ${bar}${duration(span.endMs - span.startMs).padStart(8)}`;
    });
  const all = (spans: readonly Span[]): string => `${" ".repeat(8)}all: ${duration(took(spans))}`;
  return [
    ...lines("before", original),
    all(original),
    "",
    ...lines("after", rewritten),
    all(rewritten),
  ].join("\n");
}

function opening(width: number, height: number): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`
  );
}

interface Bar extends Span {
  readonly colour: string;
  readonly y: number;
}

function drawing(timeline: Timeline, width: number): { body: string; height: number } {
  const end = Math.max(...GROUPS.flatMap(([, key]) => timeline[key].map(({ endMs }) => endMs)));
  const place = (ms: number): number => LEFT + (ms / (end || 1)) * (width - LEFT - RIGHT);
  const bars: Bar[] = [];
  const headings: string[] = [];
  let y = GAP;
  for (const [when, key] of GROUPS) {
    const spans = timeline[key];
    headings.push(text(LEFT - 8, y + (spans.length * ROW) / 2, when, "end", ' font-weight="600"'));
    for (const span of spans) {
      bars.push({ ...span, colour: `var(--${key})`, y });
      y += ROW;
    }
    y += GAP;
  }
  const rects = bars.map(({ startMs, endMs, colour, y: top }) => {
    const [left, right] = [place(startMs), Math.max(place(startMs) + 1, place(endMs))];
    const box = `x="${round(left)}" y="${top + 18}" width="${round(right - left)}" height="${BAR}"`;
    return `<rect ${box} rx="3" fill="${colour}"/>`;
  });
  const names = bars.map((bar) => nameOf(bar, end, place, width));
  const body =
    axis(end, place, y - GAP + 6, width) +
    `<g aria-label="bar">${rects.join("")}</g><g aria-label="text">${[...headings, ...names].join("")}</g>`;
  return { body, height: y + AXIS - GAP };
}

/** A name stands above its bar: from its start, or to its end where there is no room behind. */
function nameOf(bar: Bar, end: number, place: (ms: number) => number, width: number): string {
  const isLate = bar.startMs > end / 2;
  const room = isLate ? place(bar.endMs) - LEFT : width - RIGHT - place(bar.startMs);
  const time = duration(bar.endMs - bar.startMs);
  const letters = Math.max(8, Math.floor(room / LETTER) - time.length - 2);
  const label = `${short(bar.label, letters)}  ${time}`;
  return text(place(isLate ? bar.endMs : bar.startMs), bar.y + 13, label, isLate ? "end" : "start");
}

function axis(end: number, place: (ms: number) => number, y: number, width: number): string {
  const { unit, tick } = timeAxis(end);
  const step = stepOf(end, width < 480 ? 3 : 6);
  let marks = "";
  for (let at = 0; at <= end && step > 0; at += step) {
    const x = round(place(at));
    marks += `<path d="M${x} 8V${y}" stroke="var(--line)"/>${text(place(at), y + 14, tick(at), "middle")}`;
  }
  return `<g aria-label="axis">${marks}${text(width - RIGHT, y + 28, `${unit} \u2192`, "end")}</g>`;
}

function text(x: number, y: number, content: string, anchor: string, more = ""): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" fill="var(--text)"${more}>${escaped(content)}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function short(label: string, most: number): string {
  return label.length > most ? `${label.slice(0, most - 1)}…` : label;
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
