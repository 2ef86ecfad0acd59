import { position, type Axis } from "./axis.js";
import type { Drawn } from "./curve-chart.js";

/** The name of a curve beside it. */
export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** Of its curve. */
  readonly number: number;
  readonly side: Side;
}

/** Where a label stands beside its point: to the left or the right of it, and above or below. */
export interface Side {
  readonly isLeft: boolean;
  readonly isAbove: boolean;
}

/** Curves rise, so that they leave most room above to the left and below to the right. */
const SIDES: readonly Side[] = [
  { isLeft: true, isAbove: true },
  { isLeft: false, isAbove: false },
  { isLeft: false, isAbove: true },
];

/** What a picture has room for, and the value at its top. */
export interface Size {
  readonly width: number;
  readonly height: number;
  readonly top: number;
}

/** How far labels stand from their points, how high they are, and about how wide a letter is (CSS pixels). */
export const OFFSET = 8;
const HALF = 8;
const LETTER = 7.8;

/** The parts of a curve's rise that a label may stand at, the best first. */
const PARTS = [0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2, 0.9, 0.1];

interface Box {
  readonly left: number;
  readonly right: number;
  readonly upper: number;
  readonly lower: number;
}

/** From where to where a curve goes in each column of pixels; nothing where it is not. */
type Columns = readonly (readonly [upper: number, lower: number] | undefined)[];

/** A label for each curve, where it covers as little of the curves and of other labels as may be. */
export function labels(curves: readonly Drawn[], axis: Axis, size: Size): Label[] {
  const drawn = curves.map((curve) => columns(curve, axis, size));
  const taken: Box[] = [];
  return curves.map((curve) => {
    const tried = PARTS.flatMap((part) =>
      SIDES.map((side) => {
        const label = labelAt(curve, part, side, axis);
        const box = boxOf(label, axis, size);
        return { label, box, covered: covered(box, drawn, taken, size) };
      }),
    );
    const best = tried.reduce((a, b) => (b.covered < a.covered ? b : a));
    taken.push(best.box);
    return best.label;
  });
}

function labelAt({ name, number, points }: Drawn, part: number, side: Side, axis: Axis): Label {
  const [from, to] = [points[0]?.y ?? 0, points.at(-1)?.y ?? 0];
  const y = from + part * (to - from);
  const { x } = points.find((point) => point.y >= y) ?? { x: axis.least };
  return { x, y, text: name, number, side };
}

function boxOf({ x, y, text, side }: Label, axis: Axis, { width, height, top }: Size): Box {
  const wide = LETTER * text.length;
  const [across, down] = [position(axis, x) * width, height * (1 - y / top)];
  const left = side.isLeft ? across - OFFSET - wide : across + OFFSET;
  const middle = down + (side.isAbove ? -OFFSET : OFFSET);
  return { left, right: left + wide, upper: middle - HALF, lower: middle + HALF };
}

/** How much is in the way of a label: columns of curves, and far worse, other labels and the edges. */
function covered(box: Box, drawn: readonly Columns[], taken: readonly Box[], size: Size): number {
  const { left, right, upper, lower } = box;
  const isOut = left < 0 || right > size.width || upper < -HALF || lower > size.height;
  const meets = (other: Box) =>
    left < other.right && other.left < right && upper < other.lower && other.upper < lower;
  let sum = 1000 * (taken.filter(meets).length + Number(isOut));
  for (const curve of drawn) {
    for (let column = Math.max(0, Math.floor(left)); column < right; column++) {
      const [from, to] = curve[column] ?? [Infinity, -Infinity];
      if (from <= lower && to >= upper) sum++;
    }
  }
  return sum;
}

function columns({ points }: Drawn, axis: Axis, { width, height, top }: Size): Columns {
  const found: (readonly [number, number] | undefined)[] = [];
  let last: readonly [column: number, down: number] | undefined;
  for (const { x, y } of points) {
    const here = [Math.floor(position(axis, x) * width), height * (1 - y / top)] as const;
    const [from, level] = last ?? here;
    for (let column = from; column < here[0]; column++) found[column] ??= [level, level];
    found[here[0]] = [here[1], Math.max(level, found[here[0]]?.[1] ?? level)];
    last = here;
  }
  return found;
}
