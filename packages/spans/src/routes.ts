import { overlapped, type Overlapped, type RoleOf } from "./overlapped.js";
import { runsOf } from "./runs.js";
import type { Request, Tree } from "./tree.js";

/** What is known of the requests of one name. */
export interface Route {
  /** The name of the topmost span; empty where the trace lacks it. */
  readonly name: string;
  readonly requests: number;
  /** By how much all of them together would be shorter, in milliseconds. */
  readonly saved: number;
  /** How many would be shorter. */
  readonly shorter: number;
  /** The median, by how long they took, of those that would be shorter; where none would, of those in which anything waits. */
  readonly typical: Overlapped;
}

/** Less than this many milliseconds is nothing: times are sums of fractions. */
const NOTHING = 1e-6;

/** What the requests of some names would take if the members of groups ran at the same time; by name. */
export function routesOf(
  tree: Tree,
  names: ReadonlySet<string>,
  roleOf: RoleOf,
): Map<string, Route> {
  const byName = requestsByName(tree, (name) => names.has(name));
  const routes = [...byName].map(([name, requests]) => routeOf(tree, name, requests, roleOf));
  return new Map(routes.flatMap((route) => (route === undefined ? [] : [[route.name, route]])));
}

function requestsByName(tree: Tree, isWanted: (name: string) => boolean): Map<string, Request[]> {
  const byName = new Map<string, Request[]>();
  for (const request of tree.requests()) {
    const name = nameOf(tree, request);
    if (!isWanted(name)) continue;
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [request]);
    else list.push(request);
  }
  return byName;
}

function nameOf({ table }: Tree, request: Request): string {
  const [first] = request;
  return first === undefined || request.length > 1 ? "" : table.name(first);
}

interface Timed {
  readonly request: Request;
  readonly before: number;
}

function routeOf(
  tree: Tree,
  name: string,
  requests: readonly Request[],
  roleOf: RoleOf,
): Route | undefined {
  const shorter: Timed[] = [];
  const waiting: Timed[] = [];
  let saved = 0;
  for (const request of requests) {
    const { before, after, bars } = overlapped(tree, request, roleOf);
    if (before - after > NOTHING) {
      saved += before - after;
      shorter.push({ request, before });
    } else if (
      shorter.length === 0 &&
      waits(tree, [request, ...bars.map(({ row }) => tree.childrenOf(row))])
    ) {
      waiting.push({ request, before });
    }
  }
  const typical = inTheMiddle(shorter.length > 0 ? shorter : waiting)?.request;
  if (typical === undefined) return undefined;
  return {
    ...{ name, requests: requests.length, saved, shorter: shorter.length },
    typical: overlapped(tree, typical, roleOf),
  };
}

/** How long the requests of each name took that the trace has as a whole. */
export interface RequestTimes {
  readonly requests: number;
  /** Milliseconds. */
  readonly medianMs: number;
}

/** How long requests took, by name. */
export function requestTimes(tree: Tree): Map<string, RequestTimes> {
  const byName = requestsByName(tree, (name) => name !== "");
  const timesOf = (requests: readonly Request[]): RequestTimes => {
    // One span is above all of each.
    const all = requests.flat().map((row) => tree.table.end(row) - tree.table.start(row));
    return { requests: all.length, medianMs: median(all) };
  };
  return new Map([...byName].map(([name, requests]) => [name, timesOf(requests)]));
}

/** Whether siblings of any of these families come one after the other. */
function waits(tree: Tree, families: readonly (readonly number[])[]): boolean {
  return families.some((rows) => isWaiting(tree, rows));
}

/** Whether siblings come one after the other. */
export function isWaiting(tree: Tree, rows: readonly number[]): boolean {
  const own = rows.filter((row) => !tree.isElsewhere(row));
  return own.length > 1 && runsOf(tree.table, own).length > 0;
}

/** The one in the middle, by the time that it took; the faster of two, since it has to be one that there was. */
function inTheMiddle(timed: readonly Timed[]): Timed | undefined {
  const sorted = [...timed].sort((one, other) => one.before - other.before);
  return sorted[Math.ceil(sorted.length / 2) - 1];
}

/** The time in the middle; of two, what is between them. */
function median(times: readonly number[]): number {
  const sorted = [...times].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[sorted.length >> 1]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}
