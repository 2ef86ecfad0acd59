import { IdTable } from "./id-table.js";
import { Kind } from "./span.js";
import type { SpanTable } from "./span-table.js";

/** The rows of what stands at the top of a request: one span, or those of a parent that the trace lacks. */
export type Request = readonly number[];

/** Who is whose parent. */
export class Tree {
  /** Spans whose parents are not in the trace. */
  orphans = 0;
  /** Spans that were started at a known place. */
  placed = 0;
  /** Numbers of the ids that spans name as their parents, in the order in which they come. */
  private readonly numbers = new IdTable();
  /** By these numbers the row of the parent, -1 where the trace lacks it, and that of the last of its children. */
  private readonly rows: number[] = [];
  private readonly lasts: number[] = [];
  /** For each span the row of its parent, and of the child of this that comes before; -1 where there is none. */
  private readonly above: Int32Array;
  private readonly before: Int32Array;

  constructor(readonly table: SpanTable) {
    this.above = new Int32Array(table.length).fill(-1);
    this.before = new Int32Array(table.length).fill(-1);
    for (let row = 0; row < table.length; row++) {
      if (table.place(row) !== undefined) this.placed++;
      const parent = table.parent(row);
      if (parent === 0) continue;
      const number = this.numberOf(parent);
      const above = this.rows[number] ?? -1;
      if (above < 0) this.orphans++;
      this.above[row] = above;
      this.before[row] = this.lasts[number] ?? -1;
      this.lasts[number] = row;
    }
  }

  /** The row of a span's parent; nothing where the trace lacks it. */
  parentOf(row: number): number | undefined {
    const above = this.above[row] ?? -1;
    return above < 0 ? undefined : above;
  }

  /** The topmost span above a row. */
  rootOf(row: number): number {
    let root = row;
    // A trace may say that a span is above itself.
    for (let hops = 0; hops < 1000; hops++) {
      const above = this.parentOf(root);
      if (above === undefined || above === root) break;
      root = above;
    }
    return root;
  }

  /** The rows of a span's children, by their begin. */
  childrenOf(row: number): readonly number[] {
    const number = this.numbers.get(this.table.id(row));
    if (number < 0) return [];
    return this.byBegin(this.chain(this.lasts[number] ?? -1, (it) => it !== row));
  }

  /** The rows of each parent's children that its own clock has measured, by their begin. */
  *families(): Generator<readonly number[]> {
    for (const last of this.lasts) {
      const family = this.chain(last, (row) => !this.isElsewhere(row));
      if (family.length > 1) yield this.byBegin(family);
    }
  }

  /** All that nothing in the trace is above. */
  *requests(): Generator<Request> {
    const { table } = this;
    for (let row = 0; row < table.length; row++) {
      const isRoot = table.parent(row) === 0 || this.parentOf(row) === row;
      if (isRoot) yield [row];
    }
    for (const [number, last] of this.lasts.entries()) {
      if ((this.rows[number] ?? -1) >= 0) continue;
      const orphans = this.chain(last, () => true);
      const own = orphans.filter((row) => !this.isElsewhere(row));
      // What serves a call of another program is a request of its own.
      for (const row of orphans) if (own.length < 2 || this.isElsewhere(row)) yield [row];
      if (own.length > 1) yield this.byBegin(own);
    }
  }

  /** Whether a span is measured by another clock than its parent. */
  isElsewhere(row: number): boolean {
    const kind = this.table.kind(row);
    return kind === Kind.SERVER || kind === Kind.CONSUMER;
  }

  private numberOf(parent: number): number {
    let number = this.numbers.get(parent);
    if (number < 0) {
      number = this.rows.push(this.table.rowOf(parent) ?? -1) - 1;
      this.lasts.push(-1);
      this.numbers.set(parent, number);
    }
    return number;
  }

  /** The rows of a parent's children that are wanted, from the last on. */
  private chain(last: number, isWanted: (row: number) => boolean): number[] {
    const rows: number[] = [];
    for (let row = last; row >= 0; row = this.before[row] ?? -1) if (isWanted(row)) rows.push(row);
    return rows;
  }

  /** Sorts rows that come from the last on. */
  private byBegin(rows: number[]): readonly number[] {
    const { table } = this;
    rows.reverse();
    // Most exporters write spans in this order, or nearly so.
    const isSorted = rows.every(
      (row, at) => at === 0 || table.start(rows[at - 1] ?? 0) <= table.start(row),
    );
    return isSorted
      ? rows
      : rows.sort((one, other) => table.start(one) - table.start(other) || one - other);
  }
}
