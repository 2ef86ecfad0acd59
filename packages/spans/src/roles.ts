import { isBehind, type Laid, type Mover } from "./line.js";

/** How a span takes part in a group: operations that would run at the same time. */
export interface Joins {
  /** Names the group; the same one may come about several times below a parent. */
  readonly group: string;
  /** What is one after the other within the group, such as all that one statement starts. */
  readonly strand: string;
  /** Where that stands in the source: what is further down has a higher number. */
  readonly order: number;
  /** Whether it is an operation of a loop: each turn is a strand of its own. */
  readonly isTurn: boolean;
  /** How many strands are under way at once, at most. */
  readonly atOnce: number;
}

/** What a span is to groups. */
export interface Role {
  readonly joins?: Joins | undefined;
  /** The groups that are over once it has begun: what comes then is another instance of them. */
  readonly ends?: readonly string[];
}

/** What the siblings below one parent are to groups, one after the other. */
export class Roles {
  private readonly groups = new Map<string, Group>();

  /** @param sort tells spans apart by where they were started. */
  constructor(private readonly sort: (row: number) => number) {}

  /** Who decides when the next of the siblings begins; nothing where it is in no group. */
  of(row: number, role: Role | undefined): Mover | undefined {
    for (const group of role?.ends ?? []) this.groups.delete(group);
    const joins = role?.joins;
    if (joins === undefined) return undefined;
    let group = this.groups.get(joins.group);
    if (group === undefined || group.isOver(joins)) {
      group = new Group(joins.atOnce);
      this.groups.set(joins.group, group);
    }
    return group.member(joins, this.sort(row));
  }
}

/** One instance of a group. */
class Group {
  private readonly strands: Strand[] = [];
  /** Where the last of its members stands. */
  private order = -Infinity;

  constructor(private readonly atOnce: number) {}

  /**
   * Whether a strand comes again that another has followed, or one that stands in front of what has run: the program is there
   * once more.
   */
  isOver({ strand, isTurn, order }: Joins): boolean {
    if (isTurn) return false;
    return order < this.order || this.strands.slice(0, -1).some(({ name }) => name === strand);
  }

  member({ strand, isTurn, order }: Joins, sort: number): Mover {
    this.order = order;
    let last = this.strands.at(-1);
    const isNext = isTurn ? last?.sorts.has(sort) : last?.name !== strand;
    if (last === undefined || isNext === true) {
      last = { name: strand, sorts: new Set(), members: [] };
      this.strands.push(last);
    }
    last.sorts.add(sort);
    const { members } = last;
    return {
      start: (draft) => this.startOf(members, draft),
      laid: (laid) => void members.push(laid),
    };
  }

  private startOf(members: readonly Laid[], draft: Laid): number | undefined {
    // The first strand is where it was.
    const [base] = this.strands[0]?.members ?? [];
    if (base === undefined || this.strands.length === 1) return undefined;
    const [first] = members;
    if (first === undefined) {
      // What the program itself does until then is in front of it still.
      const earliest = base.newStart + Math.max(0, draft.own - base.own);
      return Math.max(earliest, this.roomAt());
    }
    const before = members.findLast((it) => isBehind(draft.start, it));
    return before === undefined
      ? first.newStart + draft.start - first.start
      : before.newEnd + draft.start - before.end;
  }

  /** When one more may be started: once enough of those before have been waited for. */
  private roomAt(): number {
    const turn = this.strands.length - 1;
    const [next] = this.strands[turn - this.atOnce + 1]?.members ?? [];
    return turn < this.atOnce ? 0 : (next?.arrival ?? 0);
  }
}

interface Strand {
  readonly name: string;
  readonly sorts: Set<number>;
  readonly members: Laid[];
}
