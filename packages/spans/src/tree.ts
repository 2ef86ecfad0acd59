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
  /** For each parent the last of its children, and for each child the one before it. */
  private readonly last = new Map<number, number>();
  private readonly before: Int32Array;

  constructor(readonly table: SpanTable) {
    this.before = new Int32Array(table.length).fill(-1);
    for (let row = 0; row < table.length; row++) {
      if (table.place(row) !== undefined) this.placed++;
      const parent = table.parent(row);
      if (parent === 0) continue;
      if (table.rowOf(parent) === undefined) this.orphans++;
      this.before[row] = this.last.get(parent) ?? -1;
      this.last.set(parent, row);
    }
  }

  /** The row of a span's parent; nothing where the trace lacks it. */
  parentOf(row: number): number | undefined {
    return this.table.rowOf(this.table.parent(row));
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
    const children = this.chain(this.last.get(this.table.id(row)) ?? -1);
    return this.byBegin(children.filter((it) => it !== row));
  }

  /** The rows of each parent's children that its own clock has measured, by their begin. */
  *families(): Generator<readonly number[]> {
    for (const end of this.last.values()) {
      const family = this.chain(end).filter((row) => !this.isElsewhere(row));
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
    for (const [parent, end] of this.last) {
      if (table.rowOf(parent) !== undefined) continue;
      const orphans = this.chain(end);
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

  private chain(end: number): number[] {
    const rows: number[] = [];
    for (let row = end; row >= 0; row = this.before[row] ?? -1) rows.push(row);
    return rows;
  }

  private byBegin(rows: number[]): readonly number[] {
    const { table } = this;
    return rows.sort((one, other) => table.start(one) - table.start(other) || one - other);
  }
}
