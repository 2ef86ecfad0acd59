import { share, shortened, time, whole } from "./format.js";
import { meaning } from "./kinds.js";
import type { Shapes, TracePlace } from "./report.js";
import { placeName } from "./summary.js";

/** What stands in a cell, and in smaller letters below it. */
export interface Cell {
  readonly text: string;
  readonly below?: string;
  /** What is said here on a phone, where the column for it is left out. */
  readonly narrow?: string;
  /** All of it, where that was too long. */
  readonly whole?: string;
}

/** A column of a table, on the page and without its script. */
export interface Column<Row> {
  readonly heading: string;
  /** What the column says, where the heading is too short for it. */
  readonly meaning?: string;
  /** How it is set. */
  readonly kind?: "number" | "number wide" | "wide";
  readonly cell: (row: Row) => Cell;
  /** What rows are sorted by: text upwards, numbers downwards first. */
  readonly order?: (row: Row) => string | number;
}

/** The columns of the table of places. */
export function placeColumns(folder: string | undefined): Column<TracePlace>[] {
  return [placeColumn(folder), ...PLACE_FIGURES];
}

function placeColumn(folder: string | undefined): Column<TracePlace> {
  return {
    heading: "Place",
    cell: (place) => {
      const name = placeName(place, folder);
      const full = `${place.function} ${place.file}:${place.line}:${place.column}`.trim();
      const narrow = shortened(place.kind, 60);
      return place.function === ""
        ? { text: name, narrow, whole: full }
        : { text: shortened(place.function, 120), below: name, narrow, whole: full };
    },
    order: ({ file, line, column }) =>
      `${file}:${String(line).padStart(9, "0")}:${String(column).padStart(9, "0")}`,
  };
}

const PLACE_FIGURES: readonly Column<TracePlace>[] = [
  {
    heading: "Kind",
    kind: "wide",
    meaning: "What is waited for",
    cell: ({ kind }) => below(shortened(kind, 60), meaning(kind)),
    order: ({ kind }) => kind,
  },
  {
    heading: "Runs",
    kind: "number wide",
    meaning: "How often what was registered there ran",
    cell: ({ runs, samples }) =>
      below(whole(runs), samples < runs ? `from ${whole(samples)} samples` : ""),
    order: ({ runs }) => runs,
  },
  {
    heading: "Waited in all",
    kind: "number",
    meaning: "The sum of all gaps; several may wait at the same time",
    cell: ({ waited }) => ({ text: time(waited) }),
    order: ({ waited }) => waited,
  },
  {
    heading: "Median gap",
    kind: "number",
    meaning: "Half of the gaps are at most this long",
    cell: ({ medianGap, gaps }) => ({ text: gaps === 0 ? "\u2013" : time(medianGap) }),
    order: ({ medianGap, gaps }) => (gaps === 0 ? -1 : medianGap),
  },
  {
    heading: "Interrupted",
    kind: "number",
    meaning: "Of the gaps, those in which something else ran",
    cell: ({ interrupted, gaps }) => ({ text: share(interrupted, gaps) }),
    order: ({ interrupted, gaps }) => (gaps === 0 ? -1 : interrupted / gaps),
  },
  {
    heading: "By another tree",
    kind: "number wide",
    meaning: "Of the gaps, those in which something of another tree ran, such as another request",
    cell: ({ interruptedByOtherTree, gaps }) => ({ text: share(interruptedByOtherTree, gaps) }),
    order: ({ interruptedByOtherTree, gaps }) => (gaps === 0 ? -1 : interruptedByOtherTree / gaps),
  },
];

function below(text: string, more: string): Cell {
  return more === "" ? { text } : { text, below: more };
}

/** A row of the table of subtrees. */
export type Limited = readonly [limit: number, shapes: Shapes];

/** The columns of the table of subtrees. */
export const SHAPE_COLUMNS: readonly Column<Limited>[] = [
  { heading: "Within", cell: ([limit]) => ({ text: time(limit) }) },
  { heading: "Total", kind: "number", cell: ([, { total }]) => ({ text: whole(total) }) },
  shape("Linear, loose", ({ linearLoose }) => linearLoose),
  shape("Linear, strict", ({ linearStrict }) => linearStrict),
  shape("Multi, loose", ({ multiLoose }) => multiLoose),
  shape("Multi, strict", ({ multiStrict }) => multiStrict),
  shape("Contained, loose", ({ containedLoose }) => containedLoose),
  shape("Contained, strict", ({ containedStrict }) => containedStrict),
];

function shape(heading: string, of: (shapes: Shapes) => number): Column<Limited> {
  return {
    heading,
    kind: "number",
    cell: ([, shapes]) => ({ text: share(of(shapes), shapes.total), below: whole(of(shapes)) }),
  };
}

/** What each shape is. */
export const SHAPES: readonly (readonly [name: string, meaning: string])[] = [
  ["Linear, loose", "A chain: no continuation in it registered two others that run once."],
  ["Linear, strict", "The same, and recurring ones, such as an interval, count, too."],
  [
    "Multi, loose",
    "Two or more continuations that it registered go on after it: branches that outlive it.",
  ],
  ["Multi, strict", "The same, and they were registered by different continuations."],
  [
    "Contained, loose",
    "One branch ends in it, with a continuation that registered nothing, while another goes on after it.",
  ],
  [
    "Contained, strict",
    "The same, and something in it began after that end, so it may have waited for the branch.",
  ],
];

/** What a potentially atomic subtree is. */
export const SUBTREES =
  "Continuations that lead to each other and are all over within a short time are easily taken for " +
  "one step, though anything may run between them. Each line counts such groups: two continuations " +
  "or more, each registered by another of the group, from the beginning of the first to the end of " +
  "the last within the limit, as large as they can be; recurring ones left out. A group can have " +
  "several of these shapes, or none.";
