import { seeded } from "../../src/statistics/random.js";

/** Times (ms) with a mean of 10, of one kind of machine. */
export type Machine = (uniform: () => number) => number;

/** Kinds of times, from well-behaved to what a busy machine does. All have a mean of 10. */
export const MACHINES = {
  normal: (uniform) => 10 + gauss(uniform),
  "shifted exponential": (uniform) => 5 - 5 * Math.log(uniform()),
  "log-normal": (uniform) => 5 + 5 * Math.exp(0.5 * gauss(uniform) - 0.125),
  "log-normal, heavy": (uniform) => 5 + 5 * Math.exp(gauss(uniform) - 0.5),
  "a pause in each 20th run": (uniform) => 9.5 + 0.5 * gauss(uniform) + (uniform() < 0.05 ? 10 : 0),
} satisfies Record<string, Machine>;

/** Uniform numbers between 0 and 1, both excluded. */
export function uniforms(seed: number): () => number {
  const draw = seeded(seed);
  return () => (draw(2 ** 31) + 0.5) / 2 ** 31;
}

/** That many times, scaled. */
export function times(count: number, machine: Machine, uniform: () => number, scale = 1): number[] {
  return Array.from({ length: count }, () => Math.max(0, scale * machine(uniform)));
}

/** Standard normal (Box and Muller). */
function gauss(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
