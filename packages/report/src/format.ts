/** Figures as people read them; the same in the terminal, in the page and on every machine. */

/** A change in percent with one decimal and no sign: `7.1%`. */
export function percent(value: number): string {
  return `${decimals(Math.abs(value), 1)}%`;
}

/**
 * A change in words, from percent that are positive where less time is taken: `7.1% less`, `6.1% more`,
 * `no change`. A sign would leave the reader to guess what it is about.
 */
export function lessOrMore(value: number): string {
  const text = percent(value);
  return text === "0.0%" ? "no change" : `${text} ${value < 0 ? "more" : "less"}`;
}

/** An interval of changes: `4.2% to 10.0% less`, `from 2.1% more to 5.7% less`, or why there is none. */
export function lessOrMoreRange(
  ends: readonly [low: number, high: number] | null | undefined,
): string {
  if (ends === null || ends === undefined) return "too few runs";
  const [low, high] = ends;
  if (low >= 0) return `${percent(low)} to ${percent(high)} less`;
  if (high <= 0) return `${percent(high)} to ${percent(low)} more`;
  return `from ${percent(low)} more to ${percent(high)} less`;
}

/** A change at an axis: `20% less`, `0`. */
export function changeTick(value: number): string {
  return value === 0 ? "0" : lessOrMore(value).replace(".0%", "%");
}

/** A time with what digits it needs: `0.42 ms`, `35 ms`, `1.20 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds >= 1000) return `${decimals(milliseconds / 1000, 2)} s`;
  if (milliseconds >= 100) return `${decimals(milliseconds, 0)} ms`;
  return `${decimals(milliseconds, milliseconds >= 10 ? 1 : 2)} ms`;
}

/** How an axis shows times up to `most` (ms): its unit, and its numbers without it. */
export function timeAxis(most: number): { unit: string; tick: (milliseconds: number) => string } {
  const [unit, length] = most >= 10_000 ? ["s", 1000] : ["ms", 1];
  return { unit, tick: (milliseconds) => String(Number((milliseconds / length).toPrecision(6))) };
}

/** The least of 1, 2, 5, 10, 20, … that gives at most so many steps. */
export function stepOf(end: number, most: number): number {
  const power = 10 ** Math.floor(Math.log10(end / most));
  return [1, 2, 5, 10].map((it) => it * power).find((it) => end / it <= most) ?? end;
}

/** A probability: `0.032`, `< 0.001`. */
export function probability(p: number | null): string {
  if (p === null) return "\u2013";
  return p < 0.001 ? "< 0.001" : decimals(p, 3);
}

/** A number with that many decimals, and no minus before a zero. */
export function decimals(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** `1 test`, `2 tests`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** What a ratio says in percent, positive where less time is taken. */
export function changeOf(ratio: number): number {
  return 100 * (1 - ratio);
}
