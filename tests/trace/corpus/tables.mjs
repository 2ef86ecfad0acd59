// What the study says: from the traces that run.mjs has left in a folder, the figures of section 2 of the paper on
// atomicity, with the paper's own beside them, as Markdown; and the curves, as a page for each kind of program.
//
//   node tables.mjs FOLDER
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { findEntries } from "./lib/entries.mjs";

const CLI = resolve(import.meta.dirname, "../../../packages/headstart/dist/cli.js");
/** How much of a JSON report is read. */
const REPORT_LIMIT = 1 << 28;

const folder = resolve(process.argv[2] ?? "corpus");

/** @typedef {[number, number][]} Values values, ascending, with how often each occurs */
/** @typedef {{ count: number, buckets: Values }} Curve */

/** @param {Values} values @param {(value: number) => boolean} [chosen] */
const total = (values, chosen = () => true) =>
  values.reduce((sum, [value, times]) => (chosen(value) ? sum + times : sum), 0);

/** @param {number} part @param {number} whole */
const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)}%`);

/** The share of a distribution that is chosen. @param {Values} values @param {(value: number) => boolean} chosen */
const share = (values, chosen) => percent(total(values, chosen), total(values));

/** @param {number} limit */
const below = (limit) => (/** @type {number} */ value) => value < limit;
/** @param {number} limit */
const from = (limit) => (/** @type {number} */ value) => value >= limit;

/** Reports of traces together. @param {string[]} names @param {string} page */
function reportOf(names, page) {
  const files = names.map((name) => join(folder, `${name}.trace`));
  const run = (/** @type {string[]} */ ...args) =>
    execFileSync(process.execPath, [CLI, "trace", "report", ...files, ...args], {
      maxBuffer: REPORT_LIMIT,
      encoding: "utf8",
    });
  run("--out", join(folder, page));
  return JSON.parse(run("--format", "json"));
}

/** The paper's findings, each with the figure of a view that bears on it. */
const FINDINGS = [
  {
    says: "a large majority of continuations take less than 1 ms",
    figure: ({ durations }) => share(both(durations), below(1)),
  },
  {
    says: "many are much shorter (here: less than 0.1 ms)",
    figure: ({ durations }) => share(both(durations), below(0.1)),
  },
  {
    says: "recurring ones are a majority of the shortest (here: of those below 0.1 ms)",
    figure: ({ durations }) =>
      percent(total(durations.recurring.buckets, below(0.1)), total(both(durations), below(0.1))),
  },
  {
    says: "most have at most one child",
    figure: ({ branching }) => share([...branching.once, ...branching.recurring], below(2)),
  },
  {
    says: "among those that run once, more have none than one (none / one)",
    figure: ({ branching }) => zeroAndOne(branching.once),
  },
  {
    says: "among recurring ones, more have one than none (none / one)",
    figure: ({ branching }) => zeroAndOne(branching.recurring),
  },
  {
    says: "a few have hundreds of children (100 or more)",
    figure: ({ branching }) =>
      String(total([...branching.once, ...branching.recurring], from(100))),
  },
  {
    says: "most are concurrent with 10 edges or more",
    figure: ({ concurrency }) => share(concurrency.live, from(10)),
  },
  {
    says: "a substantial minority with 100 or more",
    figure: ({ concurrency }) => share(concurrency.live, from(100)),
  },
  {
    says: "of the shortest gaps, the majority are before recurring ones (here: below 1 ms)",
    figure: ({ gaps }) =>
      percent(total(gaps.recurring.buckets, below(1)), total(allGaps(gaps, true), below(1))),
  },
  {
    says: "quite a few others are below 10 ms",
    figure: ({ gaps }) => share(allGaps(gaps, false), below(10)),
  },
  {
    says: "from 0.1 to 1 ms, far fewer gaps are interrupted than not (interrupted)",
    figure: ({ gaps }) => {
      const inside = (/** @type {number} */ value) => value >= 0.1 && value < 1;
      const interrupted =
        total(allGaps(gaps, false), inside) - total(gaps.uninterrupted.buckets, inside);
      return percent(interrupted, total(allGaps(gaps, false), inside));
    },
  },
  {
    says: "below 0.1 ms (not in the paper; interrupted)",
    figure: ({ gaps }) =>
      percent(
        total(allGaps(gaps, false), below(0.1)) - total(gaps.uninterrupted.buckets, below(0.1)),
        total(allGaps(gaps, false), below(0.1)),
      ),
  },
  ...[2, 3, 4].map((length) => ({
    says: `chains of ${length}: a fraction below 10 ms, some below 1 ms`,
    figure: ({ chains }) => {
      const { buckets } = chains[length - 2].time;
      return `${share(buckets, below(10))} / ${share(buckets, below(1))}`;
    },
  })),
];

/** @param {any} durations @returns {Values} */
const both = ({ once, recurring }) => [...once.buckets, ...recurring.buckets];

/** @param {any} gaps @param {boolean} recurring @returns {Values} */
const allGaps = (gaps, recurring) => [
  ...gaps.uninterrupted.buckets,
  ...gaps.interruptedByOwnTree.buckets,
  ...gaps.interruptedByOtherTree.buckets,
  ...(recurring ? gaps.recurring.buckets : []),
];

/** @param {Values} values */
function zeroAndOne(values) {
  return `${share(values, (it) => it === 0)} / ${share(values, (it) => it === 1)}`;
}

/** Of batches of microtasks. */
const BATCHES = [
  ["most are short (below 1 ms)", ({ time }) => share(time.buckets, below(1))],
  [
    "a nontrivial minority takes 10s of ms (10 or more)",
    ({ time }) => share(time.buckets, from(10)),
  ],
  ["or 100s of ms (100 or more)", ({ time }) => share(time.buckets, from(100))],
  ["or has dozens of microtasks (24 or more)", ({ size }) => share(size, from(24))],
  ["or a hundred or more", ({ size }) => share(size, from(100))],
];

/** The paper's Table 1. */
const PAPER = {
  1: [837, "66%", "17%", "0.7%", "18%", "0.2%"],
  10: [17885, "80%", "4.4%", "2.1%", "15%", "1.3%"],
  100: [46515, "87%", "3.9%", "2.3%", "8.3%", "1.5%"],
};

/** @param {(string | number)[]} cells */
const row = (cells) => `| ${cells.join(" | ")} |`;

/** @param {(string | number)[]} head @param {(string | number)[][]} rows */
const table = (head, rows) =>
  [row(head), row(head.map(() => "---")), ...rows.map(row), ""].join("\n");

/** @param {any} view */
function shapes(view) {
  return view.subtrees.map(([limit, it]) => [
    limit,
    it.total.toLocaleString("en"),
    ...[it.linearLoose, it.multiLoose, it.multiStrict, it.containedLoose, it.containedStrict].map(
      (count) => percent(count, it.total),
    ),
  ]);
}

const groups = ["pages", "servers"].flatMap((kind) => {
  const names = findEntries([kind]).map(({ name }) => name);
  const recorded = names.filter((name) => existsSync(join(folder, `${name}.trace`)));
  if (recorded.length === 0) return [];
  return [{ kind, names: recorded, report: reportOf(recorded, `${kind}.html`) }];
});

console.log("### What was recorded\n");
const own = groups.flatMap(({ names }) =>
  names.map((name) => {
    const { extent, macrotasks, microtasks } = reportOf([name], `${name}.html`);
    const numbers = [extent.events, macrotasks.continuations, microtasks.continuations];
    return [
      name,
      `${(extent.duration / 1000).toFixed(1)} s`,
      ...numbers.map((it) => it.toLocaleString("en")),
    ];
  }),
);
console.log(table(["program", "recorded", "events", "macrotasks", "with microtasks"], own));

console.log("### The paper's findings\n");
const views = groups.flatMap(({ kind, report }) => [
  { title: `${kind}, macrotasks`, view: report.macrotasks },
  { title: `${kind}, with microtasks`, view: report.microtasks },
]);
const findings = FINDINGS.map(({ says, figure }) => [
  says,
  ...views.map(({ view }) => figure(view)),
]);
console.log(table(["the paper says", ...views.map(({ title }) => title)], findings));

console.log("### Batches of microtasks\n");
const batches = BATCHES.map(([says, figure]) => [
  says,
  ...groups.map(({ report }) => figure(report.batches)),
]);
console.log(table(["the paper says", ...groups.map(({ kind }) => kind)], batches));

const head = ["limit (ms)", "total", "linear", "multi", "strict", "contained", "strict"];
console.log("### Potentially atomic subtrees\n");
const paper = Object.entries(PAPER).map(([limit, cells]) => [limit, ...cells]);
console.log(`The paper's:\n\n${table(head, paper)}`);
// Where times say nothing, there are none.
for (const { title, view } of views.filter((it) => it.view.timed))
  console.log(`Ours, ${title}:\n\n${table(head, shapes(view))}`);
