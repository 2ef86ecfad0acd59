import type { TraceNode } from "../../trace/report.js";

/** What the width of a node stands for. */
export type Measure = "runs" | "waited" | "ran";

/** The place of a node in the list. */
export type Id = number;

/** The node that everything stands below. */
export const ROOT: Id = 0;

const EMPTY: TraceNode = {
  ...{ parent: 0, kind: "", runs: 0, ran: 0, waited: 0, interrupted: 0 },
};

/** The merged tree with what is below each node. Nothing recurses: trees may be thousands of nodes deep. */
export class Tree {
  readonly #children: Id[][];
  readonly #totals: Readonly<Record<Measure, Float64Array>>;
  readonly #sizes: Uint32Array;
  readonly #levels: Uint32Array;
  readonly #sorted = new Map<string, readonly Id[]>();

  /** @param timed whether times, and what came in between, are known */
  constructor(
    readonly nodes: readonly TraceNode[],
    readonly timed = true,
  ) {
    const sum = (measure: Measure) => Float64Array.from(nodes, (node) => node[measure]);
    this.#totals = { runs: sum("runs"), waited: sum("waited"), ran: sum("ran") };
    this.#sizes = new Uint32Array(nodes.length).fill(1);
    this.#levels = new Uint32Array(nodes.length);
    this.#children = nodes.map(() => []);
    nodes.forEach(({ parent }, id) => {
      if (id === ROOT) return;
      this.#children[parent]?.push(id);
      this.#levels[id] = this.level(parent) + 1;
    });
    // Children come after their parents, so that what is below a node is known before it is added.
    for (let id = nodes.length - 1; id > ROOT; id--) this.#addTo(this.parent(id), id);
  }

  #addTo(parent: Id, id: Id): void {
    for (const totals of [...Object.values(this.#totals), this.#sizes]) {
      totals[parent] = (totals[parent] ?? 0) + (totals[id] ?? 0);
    }
  }

  node(id: Id): TraceNode {
    return this.nodes[id] ?? EMPTY;
  }

  parent(id: Id): Id {
    return this.node(id).parent;
  }

  /** How far it is from the root. */
  level(id: Id): number {
    return this.#levels[id] ?? 0;
  }

  /** A measure of a node with all that is below it. */
  total(id: Id, measure: Measure): number {
    return this.#totals[measure][id] ?? 0;
  }

  /** How many nodes a node is with all that is below it. */
  size(id: Id): number {
    return this.#sizes[id] ?? 0;
  }

  /** What a node registers, the largest first. */
  children(id: Id, measure: Measure): readonly Id[] {
    const key = `${measure} ${id}`;
    const known = this.#sorted.get(key);
    if (known !== undefined) return known;
    const sorted = [...(this.#children[id] ?? [])].sort(
      (a, b) => this.total(b, measure) - this.total(a, measure) || a - b,
    );
    this.#sorted.set(key, sorted);
    return sorted;
  }

  /** The way from the root to a node, both included. */
  path(id: Id): Id[] {
    const path = [id];
    for (let at = id; at !== ROOT; at = this.parent(at)) path.push(this.parent(at));
    return path.reverse();
  }
}
