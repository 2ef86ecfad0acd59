import { Line } from "./line.js";
import { type Role, Roles } from "./roles.js";
import type { Request, Tree } from "./tree.js";

/** One span of a request, when it was under way, and when it would be. */
export interface Bar {
  readonly row: number;
  /** How many spans are above it. */
  readonly depth: number;
  /** In milliseconds from the begin of the request, as are the others. */
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
  /** The group that it belongs to, if any. */
  readonly group: string | undefined;
}

/** A request as it was, and as it would be. */
export interface Overlapped {
  /** How long it took, in milliseconds. */
  readonly before: number;
  /** How long it would take. */
  readonly after: number;
  /** All of its spans: parents in front of their children, and those by their begin. */
  readonly bars: readonly Bar[];
}

/** How deep requests are looked at; a trace may say that a span is below itself. */
const DEEPEST = 500;

/** Says of siblings in what they take part. */
export type RoleOf = (row: number) => Role | undefined;

/**
 * What a request would take if the members of each group ran at the same time. All else stays as it was: each span is as long,
 * begins as long after what it has waited for, and waits for all that had ended when it began; what the program does between
 * members is done before the later one starts. So the result is rather too long than too short.
 */
export function overlapped(tree: Tree, request: Request, roleOf: RoleOf): Overlapped {
  const { table } = tree;
  const start = Math.min(...request.map((row) => table.start(row)));
  const end = Math.max(...request.map((row) => table.end(row)));
  const layout = new Layout(tree, roleOf);
  const { length, placed } = layout.siblings(request, start, end, 0);
  const bars: Bar[] = [];
  const flatten = (items: readonly Placed[], from: number, depth: number): void => {
    for (const { row, offset, group, inner } of items) {
      const newStart = from + offset;
      const times = { start: table.start(row) - start, end: table.end(row) - start };
      bars.push({ row, depth, ...times, newStart, newEnd: newStart + inner.length, group });
      flatten(inner.placed, newStart, depth + 1);
    }
  };
  flatten(placed, 0, 0);
  return { before: end - start, after: length, bars };
}

/** What is inside of a span, with its new length. */
interface Inner {
  readonly length: number;
  readonly placed: readonly Placed[];
}

interface Placed {
  readonly row: number;
  /** When it begins now, from the begin of its parent. */
  readonly offset: number;
  readonly group: string | undefined;
  readonly inner: Inner;
}

class Layout {
  constructor(
    private readonly tree: Tree,
    private readonly roleOf: RoleOf,
  ) {}

  siblings(rows: readonly number[], start: number, end: number, depth: number): Inner {
    const { table } = this.tree;
    const inners = rows.map((row): Inner => {
      const children = depth < DEEPEST ? this.tree.childrenOf(row) : [];
      if (children.length === 0) return { length: table.duration(row), placed: [] };
      return this.siblings(children, table.start(row), table.end(row), depth + 1);
    });
    // What another clock has measured may lie anywhere: only what fits says something of the parent.
    const own = rows.map((row) => !this.tree.isElsewhere(row) || isWithin(row));
    function isWithin(row: number): boolean {
      return table.start(row) >= start && table.end(row) <= end;
    }
    const line = new Line(start);
    const order = rows
      .map((row, at) => ({ row, at, from: table.start(row), to: table.end(row) }))
      .sort((one, other) => one.from - other.from || one.to - other.to);
    const roles = new Roles((row) => table.sort(row));
    const placed = order.map(({ row, at, from, to }): Placed => {
      const inner = inners[at] ?? { length: to - from, placed: [] };
      if (own[at] === false) return { row, offset: from - start, group: undefined, inner };
      const role = this.roleOf(row);
      const offset = line.place(from, to, inner.length, roles.of(row, role));
      return { row, offset, group: role?.joins?.group, inner };
    });
    return { length: line.reach(end), placed };
  }
}
