import { Neighbours } from "./neighbours.js";
import type { Repeated } from "./runs.js";
import type { SpanTable } from "./span-table.js";

/** Those of a parent and, where it is another one, of the topmost span above. */
export interface Names {
  readonly parent: string;
  readonly root: string;
}

/** Runs of the same steps below parents of the same names. */
export interface Group {
  readonly kin: Kin;
  /** The first of them. */
  readonly run: readonly Repeated[];
  count: number;
  saved: number;
  parents: number;
  longest: number;
  readonly steps: { row: number; times: number; sum: number; start: number; length: number }[];
}

/** The families of all parents that have the same names. */
export class Kin {
  readonly neighbours: Neighbours;
  /** By hashes of their steps, as there may be very many. */
  private readonly groups = new Map<number, Group[]>();

  constructor(
    readonly names: Names,
    table: SpanTable,
    private readonly all: Group[],
  ) {
    this.neighbours = new Neighbours(table);
  }

  /** The group that a run belongs to. */
  groupOf(run: readonly Repeated[]): Group {
    const hash = hashOf(run);
    let alike = this.groups.get(hash);
    if (alike === undefined) {
      alike = [];
      this.groups.set(hash, alike);
    }
    let group = alike.find((it) => isAlike(it.run, run));
    if (group === undefined) {
      group = { kin: this, run, count: 0, saved: 0, parents: 0, longest: -1, steps: [] };
      alike.push(group);
      this.all.push(group);
    }
    return group;
  }
}

/** A step that comes once is another than one that comes several times, however often. */
function isAlike(one: readonly Repeated[], other: readonly Repeated[]): boolean {
  return (
    one.length === other.length &&
    one.every((step, at) => {
      const same = other[at];
      return step.sort === same?.sort && step.times > 1 === same.times > 1;
    })
  );
}

function hashOf(run: readonly Repeated[]): number {
  let hash = run.length;
  for (const { sort, times } of run) {
    hash = Math.imul(hash ^ (2 * sort + (times > 1 ? 1 : 0)), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash;
}

/** All families, by the names of their parents and of the topmost spans above those. */
export class Kins {
  /** In the order in which they have come. */
  readonly groups: Group[] = [];
  private readonly byNames = new Map<string, Map<string, Kin>>();

  constructor(private readonly table: SpanTable) {}

  find({ parent, root }: Names): Kin | undefined {
    return this.byNames.get(parent)?.get(root);
  }

  of(names: Names): Kin {
    let kin = this.find(names);
    if (kin === undefined) {
      kin = new Kin(names, this.table, this.groups);
      const byRoot = this.byNames.get(names.parent) ?? new Map<string, Kin>();
      this.byNames.set(names.parent, byRoot.set(names.root, kin));
    }
    return kin;
  }
}
