import {
  callsOf,
  type Joins,
  type Place,
  type Role,
  type Step,
  type Waterfall,
} from "@headstart/spans";

import type { ProjectFiles } from "./project-files.js";
import type { Finding, Range } from "./types.js";

/** A step with its place in the project. */
export interface PlacedStep extends Step {
  /** Relative to the project; nothing where no file of it is meant. */
  readonly file: string | undefined;
}

/** A waterfall with what is known of its lines. */
export interface Judged extends Omit<Waterfall, "steps"> {
  readonly steps: readonly PlacedStep[];
  readonly finding: Finding | undefined;
}

const ORDER = ["safe", "likely", "hint"];

/** Orders findings: those that are surer first. */
export function bySureness(one: Finding, other: Finding): number {
  return ORDER.indexOf(one.level) - ORDER.indexOf(other.level);
}

/** Findings by their files: a trace may have very many waterfalls, and a program very many findings. */
export function byFile(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const own = found.get(finding.file);
    if (own === undefined) found.set(finding.file, [finding]);
    else own.push(finding);
  }
  return found;
}

/** What is found at the lines of a waterfall: the surest of what concerns most of them. */
export function judge(
  waterfall: Waterfall,
  files: ProjectFiles,
  findings: ReadonlyMap<string, readonly Finding[]>,
): Judged {
  const steps = waterfall.steps.map((step) => ({
    ...step,
    file: files.find(step.place?.file),
    calls: inProject(step.calls, files),
  }));
  const covered = (finding: Finding): number =>
    steps.filter(({ calls }) => callAt(finding, calls) !== undefined).length;
  const named = new Set(steps.flatMap(({ calls }) => calls.map(({ file }) => file)));
  const [finding] = [...named]
    .flatMap((file) => findings.get(file) ?? [])
    .filter((it) => covered(it) > 0)
    .sort((one, other) => bySureness(one, other) || covered(other) - covered(one));
  return {
    ...waterfall,
    steps: finding === undefined ? steps : steps.map((step) => atFinding(step, finding)),
    finding,
  };
}

/** A step at the line of it that a finding is about. */
function atFinding(step: PlacedStep, finding: Finding): PlacedStep {
  const call = callAt(finding, step.calls);
  return call === undefined ? step : { ...step, file: call.file, place: call };
}

/** Calls with the names that their files have in the project. */
export function inProject(calls: readonly Place[], files: ProjectFiles): readonly Place[] {
  return calls.map((call) => ({ ...call, file: files.find(call.file) ?? call.file }));
}

/** The innermost of calls that stands where a finding is about. */
export function callAt(finding: Finding, calls: readonly Place[]): Place | undefined {
  return calls.find((call) => statementOf(finding, call) >= 0);
}

/** In which of a finding's statements a call stands: 0 for its own, others for those that overlap it; -1 for none. */
function statementOf({ file, range, overlaps }: Finding, call: Place): number {
  if (file !== call.file) return -1;
  const all = [range, ...overlaps];
  const exact = all.findIndex((it) => isInside(it, call));
  return exact >= 0 ? exact : all.findIndex((it) => hasLine(it, call));
}

function hasLine({ start, end }: Range, { line }: Place): boolean {
  return start.line <= line && line <= end.line;
}

function isInside(range: Range, call: Place): boolean {
  const { start, end } = range;
  if (!hasLine(range, call)) return false;
  const isBefore = call.line === start.line && call.column < start.column;
  return !isBefore && !(call.line === end.line && call.column >= end.column);
}

/** The rule whose findings are no rewrite that makes anything overlap. */
const RACES = "atomicity";

/** Whether `fix` would make operations overlap for a finding. */
export function isOffered({ rule, level, applied, replacement }: Finding): boolean {
  return rule !== RACES && level !== "hint" && applied === true && replacement !== null;
}

/** Whether a finding says anything of what waits. */
export function isOfWaiting({ rule }: Finding): boolean {
  return rule !== RACES;
}

/** Says what a place is to the rewrites that are offered; it is asked for each span of a trace. */
export class FindingRoles {
  private readonly known = new Map<Place, Role>();

  constructor(
    private readonly offered: readonly Finding[],
    private readonly files: ProjectFiles,
  ) {}

  of(place: Place | undefined): Role | undefined {
    if (place === undefined) return undefined;
    let role = this.known.get(place);
    if (role === undefined) {
      role = this.look(inProject(callsOf(place), this.files));
      this.known.set(place, role);
    }
    return role;
  }

  private look(calls: readonly Place[]): Role {
    const ends = this.offered.filter((it) => isAbove(it, calls)).map(({ id }) => id);
    for (const call of calls) {
      for (const finding of this.offered) {
        const joins = joinsOf(finding, call);
        if (joins !== undefined) return { joins, ends };
      }
    }
    return { ends };
  }
}

/** The rule of loops whose turns wait for one another. */
const LOOPS = "independent-iterations";

/** How many turns are started ahead where the rewrite does not say it. */
const AHEAD = 8;

function joinsOf(finding: Finding, call: Place): Joins | undefined {
  const { id: group, rule } = finding;
  const at = statementOf(finding, call);
  if (at < 0) return undefined;
  const order = orderOf(finding, at);
  if (rule === LOOPS) {
    // Only the operation itself is started ahead; what stands beside it is the head of the loop.
    if (at > 0) return undefined;
    return { group, strand: "turn", order, isTurn: true, atOnce: atOnce(finding) };
  }
  // Where all are not begun together, only the finding's own statement begins early.
  const strand = isTogether(finding) ? `${at}` : at === 0 ? "early" : "others";
  return { group, strand, order, isTurn: false, atOnce: Infinity };
}

/** How many of a finding's statements stand in front of one of them. */
function orderOf({ range, overlaps }: Finding, at: number): number {
  const all = [range, ...overlaps];
  const own = all[at] ?? range;
  return all.filter((it) => isInFront(it, own)).length;
}

function isInFront({ start: one }: Range, { start: other }: Range): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

function isTogether({ rule, replacement }: Finding): boolean {
  return (
    rule.startsWith("awaits-") ||
    replacement?.some(({ text }) => text.includes("Promise.all")) === true
  );
}

function atOnce({ replacement }: Finding): number {
  for (const { text } of replacement ?? []) {
    const limit = /\bstartAhead\w*\(.*?, (\d+), /s.exec(text)?.[1];
    if (limit !== undefined) return Number(limit);
  }
  return AHEAD;
}

/** Whether something was started above a loop: when that runs, the loop is over. */
function isAbove({ rule, file, range, overlaps }: Finding, calls: readonly Place[]): boolean {
  if (rule !== LOOPS) return false;
  const head = Math.min(range.start.line, ...overlaps.map(({ start }) => start.line));
  const own = calls.filter((call) => call.file === file);
  return own.length > 0 && own.every(({ line }) => line < head);
}
