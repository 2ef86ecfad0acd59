import { resolve } from "node:path";

import { time } from "@headstart/report";
import {
  findWaterfalls,
  readSpans,
  SpansError,
  SpanTable,
  type Step,
  type Waterfall,
} from "@headstart/spans";

import type { WaterfallsInvocation } from "./args.js";
import { runRequest } from "./engine.js";
import { HeadstartError } from "./errors.js";
import { wholeNumber } from "./numbers.js";
import { checkRequest, PLAIN } from "./options.js";
import { COMMANDS } from "./commands.js";
import { ProjectFiles } from "./project-files.js";
import { detectDisplay, print, printError } from "./terminal.js";
import { printable } from "./trace-tables.js";
import type { CheckReport, Finding } from "./types.js";

/** A step with its place in the project. */
interface PlacedStep extends Step {
  /** Relative to the project; nothing where no file of it is meant. */
  readonly file: string | undefined;
}

/** A waterfall with what is known of its lines. */
interface Judged extends Omit<Waterfall, "steps"> {
  readonly steps: readonly PlacedStep[];
  readonly finding: Finding | undefined;
}

/** Lists the waterfalls of traces. Returns the exit code. */
export async function runWaterfalls(work: WaterfallsInvocation): Promise<number> {
  const { values } = work;
  const defaults = COMMANDS.waterfalls.options;
  const most = wholeNumber("most", values.most ?? defaults.most.default, 1);
  const project = resolve(values.project ?? defaults.project.default);
  const table = new SpanTable();
  const notes = await readAll(work.files, table);
  const { waterfalls, orphans, placed } = findWaterfalls(table);
  const files = new ProjectFiles(project);
  const findings = placed === 0 ? [] : await findingsOf(project, work);
  const all = together(waterfalls.slice(0, MOST).map((it) => judge(it, files, findings)));
  const judged = all.slice(0, most);
  if (orphans > 0)
    notes.push(`${orphans} of ${table.length} spans have parents that are not there`);
  if (placed === 0 && waterfalls.length > 0) notes.push(PLACELESS);
  for (const note of notes) await printError(`note: ${printable(note)}\n`);
  const text =
    values.format === "json"
      ? JSON.stringify({ version: 1, spans: table.length, waterfalls: judged }, null, 2)
      : pretty(judged, all.length, table.length);
  await print(`${text}\n`);
  return 0;
}

/** How many waterfalls are looked at, the most expensive first. */
const MOST = 500;

const PLACELESS =
  "no span says which line of the program started it; put CodePlaces of headstart/otel in front of the " +
  "exporter (docs/waterfalls.md), and record again";

async function readAll(files: readonly string[], table: SpanTable): Promise<string[]> {
  const notes: string[] = [];
  for (const file of files) {
    try {
      const { unread } = await readSpans(resolve(file), (span) => {
        table.add(span);
      });
      if (unread > 0)
        notes.push(`${file}: ${unread} parts cannot be read, such as one that is cut off`);
    } catch (error) {
      if (error instanceof SpansError) throw new HeadstartError(error.message, { cause: error });
      throw error;
    }
  }
  return notes;
}

async function findingsOf(
  project: string,
  { values }: WaterfallsInvocation,
): Promise<readonly Finding[]> {
  const { config, deps, evidence, models } = values;
  const options = {
    cwd: project,
    paths: ["."],
    level: "hint" as const,
    deny: "none" as const,
    config,
    deps,
    models,
    evidence,
    includeTests: values["include-tests"],
  };
  const { report, stderr } = await runRequest<CheckReport>(await checkRequest(options, PLAIN));
  if (report === null) throw new HeadstartError(stderr.replace(/^error: /, "").trimEnd());
  return report.findings;
}

const ORDER = ["safe", "likely", "hint"];

/** What is found at the lines of a waterfall: the surest of what concerns most of them. */
function judge(waterfall: Waterfall, files: ProjectFiles, findings: readonly Finding[]): Judged {
  const steps = waterfall.steps.map((step) => ({
    ...step,
    file: files.find(step.place?.file),
    calls: step.calls.map((call) => ({ ...call, file: files.find(call.file) ?? call.file })),
  }));
  const covered = (finding: Finding): number =>
    steps.filter((step) => concerns(finding, step)).length;
  const [finding] = findings
    .filter((it) => covered(it) > 0)
    .sort(
      (one, other) =>
        ORDER.indexOf(one.level) - ORDER.indexOf(other.level) || covered(other) - covered(one),
    );
  return {
    ...waterfall,
    steps: finding === undefined ? steps : steps.map((step) => atFinding(step, finding)),
    finding,
  };
}

/** Waterfalls that one finding concerns, of one sort of parent, as one: what is done twice or not at all tells them apart. */
function together(judged: readonly Judged[]): Judged[] {
  const byFinding = new Map<string, Judged>();
  const parents = new Map<string, number>();
  for (const it of judged) {
    const { finding, root, parent, saved, count, share } = it;
    const key = [finding?.id ?? `none ${byFinding.size}`, root, parent].join("\0");
    const time = (parents.get(key) ?? 0) + (share === 0 ? 0 : saved / share);
    parents.set(key, time);
    const before = byFinding.get(key);
    const sum = saved + (before?.saved ?? 0);
    byFinding.set(key, {
      ...(before ?? it),
      ...{ saved: sum, count: count + (before?.count ?? 0), share: time === 0 ? 0 : sum / time },
    });
  }
  return [...byFinding.values()].sort((one, other) => other.saved - one.saved);
}

/** A step at the line of it that a finding is about. */
function atFinding(step: PlacedStep, finding: Finding): PlacedStep {
  const call = step.calls.find((it) => isInside(finding, it));
  return call === undefined ? step : { ...step, file: call.file, place: call };
}

function concerns(finding: Finding, { calls }: PlacedStep): boolean {
  return calls.some((call) => isInside(finding, call));
}

function isInside({ file, range, overlaps }: Finding, call: Step["calls"][number]): boolean {
  return [range, ...overlaps].some(
    ({ start, end }) => file === call.file && start.line <= call.line && call.line <= end.line,
  );
}

function pretty(judged: readonly Judged[], all: number, spans: number): string {
  if (all === 0) return `No operations of ${spans} spans always ran one after the other.`;
  const { width } = detectDisplay();
  const texts = judged.map((it, at) => `${at + 1}. ${waterfallText(it, width)}`);
  const more = all > judged.length ? [`… and ${all - judged.length} more; --most lists them`] : [];
  return printable([...texts, ...more].join("\n\n"));
}

function waterfallText(waterfall: Judged, width: number): string {
  const { parent, root, count, saved, share, steps } = waterfall;
  const names = [root, parent].filter((it, at, list) => it !== "" && list.indexOf(it) === at);
  const where = names.length === 0 ? "a parent that is not in the trace" : names.join(" > ");
  const part = share === 0 ? "" : `, ${(100 * share).toFixed(0)}% of its time`;
  const each = `${time(saved / count)} less each if they ran at once${part}`;
  const head = `${where}: ${time(saved)} in ${count} ${count === 1 ? "run" : "runs"}, ${each}`;
  return [head, ...bars(steps, width), verdict(waterfall)].join("\n");
}

/** When each step ran in the longest run. */
function bars(steps: readonly PlacedStep[], width: number): string[] {
  const names = steps.map((step) => {
    const place =
      step.place === undefined ? "" : `${step.file ?? step.place.file}:${step.place.line}  `;
    const times = step.times > 1.05 ? ` ×${step.times.toFixed(step.times < 10 ? 1 : 0)}` : "";
    return `${place}${step.name}${times}`;
  });
  const left = Math.min(Math.max(...names.map(({ length }) => length)), Math.floor(width / 2));
  const room = Math.max(10, width - left - 16);
  const end = Math.max(...steps.map((it) => it.startOfLongest + it.durationOfLongest), 0.001);
  return steps.map(({ duration, startOfLongest, durationOfLongest }, at) => {
    const start = Math.floor((room * startOfLongest) / end);
    const length = Math.max(1, Math.round((room * durationOfLongest) / end));
    const name = (names[at] ?? "").slice(0, left).padEnd(left);
    const bar =
      " ".repeat(Math.min(start, room - 1)) + "█".repeat(Math.min(length, room - start || 1));
    return `   ${name} ${time(duration).padStart(8)}  ${bar}`;
  });
}

function verdict({ finding, steps }: Judged): string {
  const first = steps.find(({ file }) => file !== undefined);
  if (finding === undefined) {
    if (first?.place === undefined) return "   No line of the program is known for these.";
    const place = `${first.file ?? ""}:${first.place.line}`;
    return `   Nothing is found at these lines; headstart explain ${place} says what is known of that await.`;
  }
  const { level, rule, message, file, range, assumptions, blockers } = finding;
  const place = `${file}:${range.start.line}`;
  if (level === "hint") {
    return `   hint (${rule}) at ${place}: ${blockers[0]?.reason ?? message}`;
  }
  const sure =
    level === "safe"
      ? "headstart fix rewrites it"
      : `headstart fix --level likely rewrites it, assuming ${assumptions.length === 1 ? "one thing" : `${assumptions.length} things`} (headstart explain ${place})`;
  return `   ${level} (${rule}) at ${place}: ${sure}.`;
}
