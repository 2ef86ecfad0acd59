import { readFileSync } from "node:fs";
import { basename, join, sep } from "node:path";

import type {
  MeasuredTimes,
  Obstacle,
  OfferedFinding,
  RequestBar,
  RequestRoute,
  SourcePlace,
  TypicalRequest,
  WaterfallsReport,
} from "@headstart/report";
import {
  type Bar,
  callsOf,
  isWaiting,
  partingCalls,
  type Place,
  type Route,
  type Tree,
  type Waterfall,
} from "@headstart/spans";
import { patchOf } from "@headstart/verify/patch";

import { packageVersion } from "./package.js";
import { editsOf } from "./plan.js";
import type { ProjectFiles } from "./project-files.js";
import type { Finding } from "./types.js";
import {
  bySureness,
  callAt,
  FindingRoles,
  inProject,
  isOffered,
  isOfWaiting,
} from "./waterfall-findings.js";
import { type CostlyRoute, costlyRoutes, rounded, totalsOf } from "./waterfall-routes.js";
import { NOTHING_FOUND, obstacleText, PLACELESS_LINES } from "./waterfall-words.js";

/** The most that a page shows: more makes nobody wiser. */
const MOST = { routes: 50, bars: 40, found: 25, obstacles: 12, places: 8, name: 300 };

/** What a page is made of. */
export interface PageInput {
  readonly tree: Tree;
  readonly waterfalls: readonly Waterfall[];
  /** With what `fix` would apply at the level `likely`. */
  readonly findings: readonly Finding[];
  readonly files: ProjectFiles;
  /** Absolute. */
  readonly project: string;
  readonly traces: readonly string[];
  readonly notes: readonly string[];
  /** How long requests took before and after a rewrite, where a later trace was given. */
  readonly measured: readonly MeasuredTimes[];
  /** The words of the command that `fix` needs, too, to find the same. */
  readonly flags: readonly string[];
}

/** What the page of waterfalls shows. */
export function waterfallsReport(input: PageInput): WaterfallsReport {
  const page = new Page(input);
  const all = costlyRoutes(input.tree, input.waterfalls, page.roles);
  const routes = page.routes(all.slice(0, MOST.routes));
  return {
    tool: `headstart ${packageVersion()}`,
    traces: input.traces.map((trace) => basename(trace)),
    project: slashes(input.project),
    spans: input.tree.table.length,
    notes: input.notes,
    routes,
    routesLeft: all.length - routes.length,
    totals: totalsOf(all),
    findings: page.findings,
  };
}

/** A bar with all that is known of where it was started. */
interface PlacedBar {
  readonly bar: Bar;
  readonly calls: readonly Place[];
  readonly place: Place | undefined;
  /** Whether it is one of those that come one after the other, and not only above them. */
  readonly isWaiting: boolean;
}

class Page {
  readonly findings: OfferedFinding[] = [];
  private readonly numbers = new Map<string, number>();
  /** What spans are to the rewrites. */
  readonly roles: FindingRoles;
  private readonly offered: readonly Finding[];

  constructor(private readonly input: PageInput) {
    this.offered = input.findings.filter(isOffered);
    this.roles = new FindingRoles(this.offered, input.files);
  }

  routes(all: readonly CostlyRoute[]): RequestRoute[] {
    return all.map(({ name, atMostMs, route }) => this.route(name, atMostMs, route));
  }

  private route(name: string, atMostMs: number, route: Route | undefined): RequestRoute {
    const bars = route === undefined ? [] : this.bars(route.typical.bars);
    const { requests = 0, shorter = 0, saved = 0 } = route ?? {};
    const typical = route === undefined ? undefined : this.typical(route, bars);
    const own = new Set(bars.flatMap(({ bar }) => bar.group ?? []));
    return {
      name: cut(name),
      ...{ requests, shorter, savedMs: rounded(saved), typical },
      measured: this.input.measured.find((it) => it.name === name),
      atMostMs: rounded(atMostMs),
      findings: [...own].map((id) => this.number(id)),
      obstacles: this.obstacles(bars),
    };
  }

  /** The spans that wait for one another, with those above them. */
  private bars(all: readonly Bar[]): PlacedBar[] {
    const { tree } = this.input;
    const { table } = tree;
    const families = new Map<number | undefined, Bar[]>();
    for (const bar of all) {
      const parent = tree.parentOf(bar.row);
      const family = families.get(parent);
      if (family === undefined) families.set(parent, [bar]);
      else family.push(bar);
    }
    const placed = new Map<number, PlacedBar>();
    for (const family of families.values()) {
      const rows = family.map(({ row }) => row);
      const isFound = family.some(({ group }) => group !== undefined);
      if (!isFound && !isWaiting(tree, rows)) continue;
      const found = this.placesOf(rows.map((row) => table.place(row)));
      for (const bar of family) {
        const { calls = [], parting } = found.get(table.place(bar.row)) ?? {};
        const finding = this.offered.find(({ id }) => id === bar.group);
        const place = (finding && callAt(finding, calls)) ?? parting;
        placed.set(bar.row, { bar, calls, place, isWaiting: true });
      }
    }
    return this.withParents(all, placed);
  }

  /** All calls of siblings, and those by which they differ; many siblings have few places. */
  private placesOf(
    siblings: readonly (Place | undefined)[],
  ): Map<Place | undefined, { calls: readonly Place[]; parting: Place | undefined }> {
    const places = [...new Set(siblings)];
    const all = places.map((place) => inProject(callsOf(place), this.input.files));
    const parting = partingCalls(all);
    return new Map(
      places.map((place, at) => [place, { calls: all[at] ?? [], parting: parting[at] }]),
    );
  }

  private withParents(all: readonly Bar[], placed: Map<number, PlacedBar>): PlacedBar[] {
    const { tree, files } = this.input;
    const above = new Set<number>();
    for (const row of placed.keys()) {
      for (let at = tree.parentOf(row); at !== undefined && !above.has(at);) {
        above.add(at);
        at = tree.parentOf(at);
      }
    }
    return all.flatMap((bar) => {
      const found = placed.get(bar.row);
      if (found !== undefined || !above.has(bar.row)) return found ?? [];
      const calls = inProject(callsOf(tree.table.place(bar.row)), files);
      return { bar, calls, place: calls[0], isWaiting: false };
    });
  }

  private typical({ typical }: Route, bars: readonly PlacedBar[]): TypicalRequest {
    // The page has a bar for the request itself.
    const isOne = typical.bars.filter(({ depth }) => depth === 0).length === 1;
    const inside = bars.filter(({ bar }) => !isOne || bar.depth > 0);
    const kept = longest(inside);
    return {
      beforeMs: rounded(typical.before),
      afterMs: rounded(typical.after),
      bars: inside.filter((it) => kept.has(it)).map((it) => this.bar(it, isOne ? 1 : 0)),
      barsLeft: inside.length - kept.size,
    };
  }

  private bar({ bar, place }: PlacedBar, depth: number): RequestBar {
    return {
      name: cut(this.input.tree.table.name(bar.row)),
      place: place && sourcePlace(place),
      depth: bar.depth - depth,
      startMs: rounded(bar.start),
      endMs: rounded(bar.end),
      newStartMs: rounded(bar.newStart),
      newEndMs: rounded(bar.newEnd),
      finding: bar.group === undefined ? undefined : this.number(bar.group),
    };
  }

  /** The number of a finding on the page; it is put there if it is new. */
  private number(id: string): number {
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.findings.length;
      this.numbers.set(id, number);
      const finding = this.offered.find((it) => it.id === id);
      if (finding !== undefined) this.findings.push(this.offer(finding));
    }
    return number;
  }

  private offer(finding: Finding): OfferedFinding {
    const { rule, level, message, file, range, assumptions, replacement } = finding;
    const text = readFileSync(join(this.input.project, file), "utf8");
    const sure = level === "safe" ? [] : ["--level", level];
    return {
      ...{ rule, level, message, assumptions, file, ...range.start },
      diff: patchOf(file, text, editsOf(replacement ?? [], text)),
      command: ["headstart", "fix", ...sure, ...this.input.flags, file].map(quoted).join(" "),
    };
  }

  /** Why the spans that no rewrite is for are as they are: each reason with its lines. */
  private obstacles(bars: readonly PlacedBar[]): Obstacle[] {
    const byText = new Map<string, Map<string, SourcePlace>>();
    for (const { bar, calls, place, isWaiting: waits } of bars) {
      if (!waits || bar.group !== undefined) continue;
      const text = place === undefined ? PLACELESS_LINES : this.reason(calls);
      const places = byText.get(text) ?? new Map<string, SourcePlace>();
      byText.set(text, places);
      if (place !== undefined) places.set(`${place.file}:${place.line}`, sourcePlace(place));
    }
    return [...byText].slice(0, MOST.obstacles).map(([text, places]) => ({
      places: [...places.values()].slice(0, MOST.places),
      text,
    }));
  }

  private reason(calls: readonly Place[]): string {
    const [finding] = this.input.findings
      .filter((it) => isOfWaiting(it) && !isOffered(it) && callAt(it, calls) !== undefined)
      .sort(bySureness);
    return finding === undefined ? NOTHING_FOUND : obstacleText(finding);
  }
}

/** Those that take longest, most of them of a rewrite. */
function longest(bars: readonly PlacedBar[]): Set<PlacedBar> {
  const length = ({ bar }: PlacedBar): number => bar.end - bar.start;
  const sorted = [...bars].sort((one, other) => length(other) - length(one));
  const found = sorted.filter(({ bar }) => bar.group !== undefined).slice(0, MOST.found);
  const kept = new Set(found);
  for (const it of sorted) if (kept.size < MOST.bars) kept.add(it);
  return kept;
}

function sourcePlace({ file, line, column }: Place): SourcePlace {
  return { file, line, column };
}

function cut(name: string): string {
  return name.length > MOST.name ? `${name.slice(0, MOST.name - 1)}…` : name;
}

/** A word of a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function slashes(path: string): string {
  return path.split(sep).join("/");
}
