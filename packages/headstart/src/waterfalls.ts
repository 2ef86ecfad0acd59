import { writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";

import { many, measuredText, type MeasuredTimes, time, waterfallsHtml } from "@headstart/report";
import {
  findWaterfalls,
  readSpans,
  requestTimes,
  SpansError,
  SpanTable,
  Tree,
} from "@headstart/spans";

import type { WaterfallsInvocation } from "./args.js";
import { COMMANDS } from "./commands.js";
import { runRequest } from "./engine.js";
import { HeadstartError } from "./errors.js";
import { wholeNumber } from "./numbers.js";
import { checkRequest, PLAIN } from "./options.js";
import { keepAllBut, PAGE, printOrWrite, written } from "./out-file.js";
import { ProjectFiles } from "./project-files.js";
import { detectDisplay, print, printError } from "./terminal.js";
import { printable } from "./trace-tables.js";
import type { CheckReport, Finding } from "./types.js";
import { byFile, judge, type Judged, type PlacedStep } from "./waterfall-findings.js";
import { hintText, nothingFound, PLACELESS_LINES } from "./waterfall-words.js";
import { type PageInput, waterfallsReport } from "./waterfalls-page.js";

/** Lists the waterfalls of traces. Returns the exit code. */
export async function runWaterfalls(work: WaterfallsInvocation): Promise<number> {
  const { values } = work;
  const defaults = COMMANDS.waterfalls.options;
  // With all of them as data, nobody has to look through them.
  const isJson = values.format === "json";
  const listed = values.most ?? (isJson ? undefined : defaults.most.default);
  const most = listed === undefined ? Infinity : wholeNumber("most", listed, 1);
  const project = resolve(values.project ?? defaults.project.default);
  const out = values.out === undefined ? undefined : resolve(values.out);
  if (out !== undefined) keepAllBut(isJson ? "{" : PAGE, out);
  const table = new SpanTable();
  const notes = await readAll(work.files, table);
  const tree = new Tree(table);
  const { waterfalls, orphans, placed } = findWaterfalls(tree);
  const files = new ProjectFiles(project);
  const findings = placed === 0 ? [] : await findingsOf(project, work);
  const known = byFile(findings);
  const all = together(waterfalls.map((it) => judge(it, files, known)));
  if (orphans > 0)
    notes.push(`${orphans} of ${table.length} spans have parents that are not there`);
  if (placed === 0 && waterfalls.length > 0) notes.push(PLACELESS);
  for (const note of notes) await printError(`note: ${printable(note)}\n`);
  const judged = all.slice(0, most);
  const measured = await measuredAfter(tree, values.after ?? []);
  if (isJson) {
    const left = all.length - judged.length;
    const data = { version: 1, spans: table.length, waterfalls: judged, left, measured };
    await printOrWrite(JSON.stringify(data, null, 2), out);
    return 0;
  }
  await print(`${pretty(judged, all.length, table.length)}\n${measuredTexts(measured)}`);
  if (out !== undefined) {
    const shared = { traces: work.files, flags: flagsOf(values), notes, measured };
    await writePage(out, { tree, waterfalls, findings, files, project, ...shared });
  }
  return 0;
}

/** The options that decide what is found; paths in them are relative to the project. */
function flagsOf(values: WaterfallsInvocation["values"]): string[] {
  const { config, evidence, deps = [], models = [] } = values;
  return [
    ...(config === undefined ? [] : ["--config", config]),
    ...(evidence === undefined ? [] : ["--evidence", evidence]),
    ...deps.flatMap((name) => ["--deps", name]),
    ...models.flatMap((file) => ["--models", file]),
    ...(values["include-tests"] === true ? ["--include-tests"] : []),
  ];
}

async function writePage(page: string, input: PageInput): Promise<void> {
  const html = await waterfallsHtml(waterfallsReport(input));
  await written(page, () => writeFile(page, html));
  await print(`\nPage: ${relative(process.cwd(), page)}\n`);
}

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
        notes.push(`${file}: ${many(unread, "part")} cannot be read, such as one that is cut off`);
    } catch (error) {
      if (error instanceof SpansError) throw new HeadstartError(error.message, { cause: error });
      throw error;
    }
  }
  if (table.repeated > 0) {
    notes.push(`${many(table.repeated, "span")} repeated in the traces: each counts once`);
  }
  return notes;
}

/** How long requests took before and after: of those that later traces have, too, the slowest before first. */
async function measuredAfter(tree: Tree, later: readonly string[]): Promise<MeasuredTimes[]> {
  if (later.length === 0) return [];
  const table = new SpanTable();
  for (const note of await readAll(later, table)) await printError(`note: ${printable(note)}\n`);
  const [before, after] = [requestTimes(tree), requestTimes(new Tree(table))];
  const both = [...before].flatMap(([name, was]) => {
    const is = after.get(name);
    return is === undefined ? [] : [{ name, before: was, after: is }];
  });
  if (both.length === 0) await printError(`note: ${NONE_AFTER}\n`);
  return both.sort((one, other) => other.before.medianMs - one.before.medianMs);
}

const NONE_AFTER = "the later traces have no requests of the names that the earlier ones have";
/** So many requests are told of. */
const MOST_MEASURED = 20;

function measuredTexts(measured: readonly MeasuredTimes[]): string {
  const lines = measured.slice(0, MOST_MEASURED).map(({ name, ...it }) => {
    return `  ${printable(oneLine(name))}: ${measuredText(it)}`;
  });
  const left = measured.length - lines.length;
  if (left > 0) lines.push(`  … and ${left} more; --format json has all of them`);
  return lines.length === 0 ? "" : `\nMeasured:\n${lines.join("\n")}\n`;
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
    // The page shows what would become of a request if all of that were done.
    applied: values.out === undefined ? undefined : ("likely" as const),
  };
  const { report, stderr } = await runRequest<CheckReport>(await checkRequest(options, PLAIN));
  if (report === null) throw new HeadstartError(stderr.replace(/^error: /, "").trimEnd());
  return report.findings;
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

function pretty(judged: readonly Judged[], all: number, spans: number): string {
  if (all === 0) return `No operations of ${spans} spans always ran one after the other.`;
  const { width } = detectDisplay();
  const texts = judged.map((it, at) => `${at + 1}. ${waterfallText(it, width)}`);
  const more = all > judged.length ? [`… and ${all - judged.length} more; --most lists them`] : [];
  return printable([...texts, ...more].join("\n\n"));
}

function waterfallText(waterfall: Judged, width: number): string {
  const { parent, root, count, saved, share, steps } = waterfall;
  const names = [root, parent]
    .filter((it, at, list) => it !== "" && list.indexOf(it) === at)
    .map(oneLine);
  const where = names.length === 0 ? "a parent that is not in the trace" : names.join(" > ");
  const part = share === 0 ? "" : `, ${(100 * share).toFixed(0)}% of its time`;
  const each = `${time(saved / count)} less each if they ran at once${part}`;
  const head = `${where}: ${time(saved)} in ${count} ${count === 1 ? "run" : "runs"}, ${each}`;
  return [head, ...bars(steps, width), verdict(waterfall)].join("\n");
}

/** So many characters of a name are printed. */
const LONGEST_NAME = 120;

/** A name in one line, and no longer than anybody reads. */
function oneLine(name: string): string {
  const words = name.replace(/\s+/g, " ").trim();
  return words.length > LONGEST_NAME ? `${words.slice(0, LONGEST_NAME - 1)}…` : words;
}

/** When each step ran in the longest run. */
function bars(steps: readonly PlacedStep[], width: number): string[] {
  const names = steps.map((step) => {
    const place =
      step.place === undefined ? "" : `${step.file ?? step.place.file}:${step.place.line}  `;
    const times = step.times > 1.05 ? ` ×${step.times.toFixed(step.times < 10 ? 1 : 0)}` : "";
    return `${place}${oneLine(step.name)}${times}`;
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
    if (first?.place === undefined) return `   ${PLACELESS_LINES}`;
    return `   ${nothingFound(`${first.file ?? ""}:${first.place.line}`)}`;
  }
  const { level, rule, file, range, assumptions } = finding;
  if (level === "hint") return `   ${hintText(finding)}`;
  const place = `${file}:${range.start.line}`;
  const sure =
    level === "safe"
      ? "headstart fix rewrites it"
      : `headstart fix --level likely rewrites it, assuming ${assumptions.length === 1 ? "one thing" : `${assumptions.length} things`} (headstart explain ${place})`;
  return `   ${level} (${rule}) at ${place}: ${sure}.`;
}
