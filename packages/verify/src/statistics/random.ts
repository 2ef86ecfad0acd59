import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Where every bootstrap starts: the same times always give the same report. */
const SEED = 20_260_101;

const drawn = new Map<string, readonly Uint32Array[]>();

/**
 * `count` resamples of `size` things: which of them, with repetition. Always the same ones, so that
 * no result depends on what was computed before.
 */
export function resamples(size: number, count: number): readonly Uint32Array[] {
  const key = `${size} ${count}`;
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const draw = seeded(SEED);
  const made = Array.from({ length: count }, () => new Uint32Array(size).map(() => draw(size)));
  drawn.set(key, made);
  return made;
}

/** Draws from a generator that starts at `seed`. */
export function seeded(seed: number): (count: number) => number {
  const generator = xoroshiro128plus(seed);
  return (count) => Math.floor(((generator.next() >>> 0) / 2 ** 32) * count);
}
