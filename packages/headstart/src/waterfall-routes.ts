import type { WaterfallsTotals } from "@headstart/report";
import { type Route, routesOf, type Tree, type Waterfall } from "@headstart/spans";

import type { FindingRoles } from "./waterfall-findings.js";

/** Requests of one name in which operations wait. */
export interface CostlyRoute {
  readonly name: string;
  /** What would be saved if all that waits ran at once. */
  readonly atMostMs: number;
  /** Nothing where none of them is in the trace as a whole. */
  readonly route: Route | undefined;
}

/** The routes that waterfalls are in, the costliest first. */
export function costlyRoutes(
  tree: Tree,
  waterfalls: readonly Waterfall[],
  roles: FindingRoles,
): CostlyRoute[] {
  const costs = costsOf(waterfalls);
  const known = routesOf(tree, new Set(costs.keys()), (row) => roles.of(tree.table.place(row)));
  return [...costs]
    .map(([name, cost]) => {
      const route = known.get(name);
      // Requests in which two of the spans seem to overlap are no waterfalls, and yet their other spans may move.
      return { name, route, atMostMs: Math.max(cost, route?.saved ?? 0) };
    })
    .sort((one, other) => other.atMostMs - one.atMostMs);
}

/** What would be saved at most, by the names of the topmost spans. */
function costsOf(waterfalls: readonly Waterfall[]): Map<string, number> {
  const costs = new Map<string, number>();
  for (const { root, parent, saved } of waterfalls) {
    const name = root === "" ? parent : root;
    costs.set(name, (costs.get(name) ?? 0) + saved);
  }
  return costs;
}

/** What routes come to. */
export function totalsOf(routes: readonly CostlyRoute[]): WaterfallsTotals {
  const sum = (of: (it: CostlyRoute) => number): number =>
    routes.reduce((all, it) => all + of(it), 0);
  const groups = routes.flatMap(({ route }) => route?.typical.bars.map(({ group }) => group) ?? []);
  return {
    requests: sum(({ route }) => route?.requests ?? 0),
    savedMs: rounded(sum(({ route }) => route?.saved ?? 0)),
    atMostMs: rounded(sum(({ atMostMs }) => atMostMs)),
    rewrites: new Set(groups.filter((group) => group !== undefined)).size,
  };
}

/** A microsecond is enough. */
export function rounded(milliseconds: number): number {
  return Math.round(1000 * milliseconds) / 1000;
}
