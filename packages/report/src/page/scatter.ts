import * as Plot from "@observablehq/plot";

import { changeTick, lessOrMore, lessOrMoreRange } from "../format.js";
import type { Group, JudgedTest } from "./judged.js";

/** Below this a test has more than doubled its time; lower ones are drawn at the edge. */
const LOWEST = -100;

interface ScatterOptions {
  readonly width: number;
  /** Percent; drawn as a dashed line. */
  readonly average: number;
  readonly chosenId: string;
}

interface Mark extends JudgedTest {
  readonly change: number;
  /** Where it stands from left to right, from one. */
  readonly place: number;
}

/** All tests by what they save, as the paper's Figure 10: filled marks are significant. */
export function scatter(tests: readonly JudgedTest[], options: ScatterOptions): Element {
  const { width, average, chosenId } = options;
  const marks = tests.flatMap((test, index): Mark[] =>
    test.change === null ? [] : [{ ...test, change: test.change, place: index + 1 }],
  );
  return Plot.plot({
    width,
    height: width < 480 ? 300 : 380,
    marginLeft: 48,
    marginRight: 12,
    style: { fontSize: "12px" },
    x: { label: "Tests", labelOffset: 16, ticks: [], domain: [0.5, tests.length + 0.5] },
    y: {
      label: "Time after the rewrite",
      labelArrow: "none",
      domain: domain(marks.map(drawn), average),
      tickFormat: (value: number) => changeTick(value),
      ticks: 6,
      grid: true,
    },
    marks: [
      ...intervals(marks),
      Plot.ruleY([0], { stroke: "var(--text)", strokeOpacity: 0.5 }),
      Plot.ruleY([average], { stroke: "var(--text)", strokeDasharray: "6 4" }),
      ...dots(marks, chosenId),
    ],
  });
}

function drawn({ change }: Mark): number {
  return Math.max(LOWEST, change);
}

/** The interval of each test, behind everything else. */
function intervals(marks: readonly Mark[]): Plot.Markish[] {
  const end = (index: 0 | 1) => (mark: Mark) => mark.interval?.[index];
  const shown = marks.filter(({ group }) => group !== "clock");
  const strokeWidth = shown.length > 100 ? 0.6 : 1;
  const style = { stroke: "var(--faint)", strokeWidth, clip: true } as const;
  return [Plot.ruleX(shown, { x: "place", y1: end(0), y2: end(1), ...style })];
}

/** Each group has a shape of its own, since not everyone tells the colours apart. */
function dots(marks: readonly Mark[], chosenId: string): Plot.Markish[] {
  const r = marks.length > 150 ? 3 : marks.length > 40 ? 4 : 5;
  const at = { x: "place", y: drawn, r } as const;
  const of = (group: Group) => marks.filter((mark) => mark.group === group);
  const chosen = marks.filter(({ test }) => test.id === chosenId);
  const box = { fill: "var(--card)", stroke: "var(--line)" } as const;
  return [
    Plot.dot(of("unclear"), { ...at, stroke: "var(--dim)", fill: "var(--card)" }),
    Plot.dot(of("clock"), { ...at, stroke: "var(--dim)", symbol: "times" }),
    Plot.dot(of("faster"), { ...at, fill: "var(--faster)" }),
    Plot.dot(of("slower"), { ...at, fill: "var(--slower)", symbol: "diamond" }),
    Plot.dot(chosen, { ...at, r: r + 4, stroke: "var(--text)", strokeWidth: 2 }),
    Plot.tip(marks, Plot.pointer({ x: "place", y: drawn, title: tip, ...box })),
  ];
}

function domain(changes: readonly number[], average: number): [number, number] {
  const all = [...changes, average, 0];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const edge = Math.max(1, 0.06 * (high - low));
  return [low - edge, high + edge];
}

function tip({ test, change, interval, number }: Mark): string {
  const range =
    interval === null
      ? ""
      : `
95%: ${lessOrMoreRange(interval)}`;
  const name = test.name.length > 60 ? `${test.name.slice(0, 59)}…` : test.name;
  return `${number}. ${name}\n${lessOrMore(change)}${range}`;
}
