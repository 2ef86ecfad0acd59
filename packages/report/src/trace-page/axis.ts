import { time, whole } from "../trace/format.js";

/** An axis from left to right on which a step is a factor. */
export interface Axis {
  readonly kind: "log" | "symlog";
  readonly label: string;
  /** What stands at its ends. */
  readonly least: number;
  readonly most: number;
  /** What is said to be at most so much in the table, too. */
  readonly limits: readonly number[];
  /** A value in words. */
  readonly text: (value: number) => string;
}

/** Times from 1 µs to beyond the longest. */
export function timeAxis(max: number): Axis {
  return {
    ...{ kind: "log", label: "at most so long", least: 0.001, most: beyond(Math.max(max, 0.5)) },
    limits: [0.001, 0.01, 0.1, 1, 10, 100, 1000],
    text: time,
  };
}

/** Numbers from 1 on. */
export function sizeAxis(max: number): Axis {
  return {
    ...{ kind: "log", label: "at most so many", least: 1, most: beyond(Math.max(max, 10)) },
    limits: [1, 2, 5, 10, 100, 1000],
    text: whole,
  };
}

/** Numbers from 0 on. */
export function countAxis(max: number): Axis {
  return {
    ...{ kind: "symlog", label: "at most so many", least: 0, most: beyond(Math.max(max, 10)) },
    limits: [0, 1, 2, 5, 10, 100, 1000],
    text: whole,
  };
}

/** The next of 1, 2, 5, 10, 20, … above a value. */
function beyond(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([2, 5, 10].find((step) => power * step > value) ?? 20);
}

/** Where a value stands on an axis, in parts of its length. */
export function position({ kind, least, most }: Axis, value: number): number {
  const scaled = kind === "log" ? Math.log : Math.log1p;
  return (scaled(value) - scaled(least)) / (scaled(most) - scaled(least));
}

/** The values that an axis names, as many as have room: powers of ten, and 2 and 5 of numbers between them. */
export function ticks(axis: Axis, width: number): number[] {
  const powers = powersOf(axis);
  let step = 1;
  while (step < powers.length && !haveRoom(every(step, powers), axis, width)) step++;
  const chosen = every(step, powers);
  if (step > 1 || axis.text === time) return chosen;
  for (const value of powers.flatMap((power) => [2 * power, 5 * power])) {
    const more = [...chosen, value].sort((a, b) => a - b);
    if (value > 0 && value <= axis.most && haveRoom(more, axis, width)) {
      chosen.splice(0, chosen.length, ...more);
    }
  }
  return chosen;
}

/** The powers of ten on an axis, with 0 where that is on it. */
function powersOf({ kind, least, most }: Axis): number[] {
  // From text, as 10 ** -3 is not exactly 0.001 everywhere.
  const powers = Array.from({ length: 15 }, (_, index) => Number(`1e${index - 3}`));
  const from = kind === "log" ? least : 1;
  return [
    ...(kind === "log" ? [] : [0]),
    ...powers.filter((power) => power >= from && power <= most),
  ];
}

function every(step: number, values: readonly number[]): number[] {
  return values.filter((_, index) => index % step === 0);
}

/** Whether the names of values that follow each other do not touch. */
function haveRoom(values: readonly number[], axis: Axis, width: number): boolean {
  return values.slice(1).every((value, index) => {
    const before = values[index] ?? 0;
    // Half of the letters of both stand between them; the first may have a sign before it.
    const room = 3.5 * (axis.text(value).length + axis.text(before).length + 2) + 6;
    return (position(axis, value) - position(axis, before)) * width >= room;
  });
}
