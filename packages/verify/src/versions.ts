import type { Operation } from "@headstart/report";

import type { Copy } from "./copies.js";
import { applyEdits, lineAt, offsetOfLine, placeBefore } from "./edits.js";
import { messageOf } from "./errors.js";
import { instrument, type Instrumented, type NumberedSite } from "./instrument.js";
import { patchOf } from "./patch.js";
import { groupBy } from "./group.js";
import type { RuntimeSettings } from "./runners/runner.js";
import { withSteps } from "./steps.js";

/** A file with sites: as it is, and with calls around the operations of the sites. */
interface SiteFile {
  readonly file: string;
  readonly text: string;
  readonly sites: readonly NumberedSite[];
  /** Absent where the file could not be parsed. */
  readonly instrumented: Instrumented | undefined;
}

/** What a copy is to be for a run. */
export type Mode = RuntimeSettings["mode"];

/** What the files say in each copy. */
export class Versions {
  readonly #files: readonly SiteFile[];
  /** Files without sites whose awaits are delayed under schedules, with and without that. */
  #others: readonly { readonly file: string; readonly text: string; readonly steps: string }[] = [];
  /** Why a file has no probes. */
  readonly troubles: readonly string[];

  /** @param texts The original text of every file with a site. */
  constructor(
    readonly sites: readonly NumberedSite[],
    texts: ReadonlyMap<string, string>,
  ) {
    const troubles: string[] = [];
    this.#files = [...groupBy(sites, ({ file }) => file)].map(([file, own]) => {
      const text = texts.get(file) ?? "";
      try {
        return { file, text, sites: own, instrumented: instrument(file, text, own) };
      } catch (error) {
        troubles.push(`${file} has no probes: ${messageOf(error)}`);
        return { file, text, sites: own, instrumented: undefined };
      }
    });
    this.troubles = troubles;
  }

  /** Adds the other files of the project, which only schedules change. */
  addOthers(texts: ReadonlyMap<string, string>): void {
    const own = new Set(this.#files.map(({ file }) => file));
    this.#others = [...texts].flatMap(([file, text]) => {
      if (own.has(file)) return [];
      const steps = stepsOf(file, text);
      return steps === text ? [] : [{ file, text, steps }];
    });
  }

  /** Makes a copy what it is to be: with the rewrites of `only`, or of all sites. */
  install(copy: Copy, mode: Mode, only?: ReadonlySet<number>): Promise<void> {
    const isScheduled = mode === "schedule";
    const own = this.#files.map((it): [string, string] => {
      const text = textOf(it, copy, mode, only);
      return [it.file, isScheduled ? stepsOf(it.file, text) : text];
    });
    const others = this.#others.map(({ file, text, steps }): [string, string] => {
      return [file, isScheduled ? steps : text];
    });
    return copy.install(new Map([...own, ...others]));
  }

  /** The operations of a site, with short texts; nothing where its file has no probes. */
  operations(site: number): readonly Operation[] | undefined {
    const file = this.#files.find(({ sites }) => sites.some(({ id }) => id === site));
    return file?.instrumented?.operations.get(site)?.map(({ label, lost }) => ({
      label: shorten(label),
      ...(lost ? { lost: true as const } : {}),
    }));
  }

  /** What the rewrite of one site changes, as a unified diff. */
  diff(site: NumberedSite): string {
    const found = this.#files.find(({ file }) => file === site.file);
    return patchOf(site.file, found?.text ?? "", site.edits);
  }

  /** The line of the original from which a line of the rewritten file comes. */
  originalLine(file: string, line: number): number {
    const found = this.#files.find((it) => it.file === file);
    if (found === undefined) return line;
    const edits = found.sites.flatMap((site) => site.edits);
    const after = applyEdits(found.text, edits);
    const start = offsetOfLine(after, line);
    // What the line begins with, its indentation apart, is what an error in it is about.
    const code = start + (/^[ \t]*/.exec(after.slice(start))?.[0].length ?? 0);
    return lineAt(found.text, placeBefore(code, edits));
  }
}

function textOf(
  it: SiteFile,
  { name }: Copy,
  mode: Mode,
  only: ReadonlySet<number> | undefined,
): string {
  const plain = (): string => (name === "original" ? it.text : rewritten(it, only));
  if (mode === "time" || it.instrumented === undefined) return plain();
  if (only === undefined) return it.instrumented[name];
  if (mode !== "schedule") return plain();
  return instrument(
    it.file,
    it.text,
    it.sites.filter(({ id }) => only.has(id)),
  )[name];
}

/** With all awaits delayed; as it is where nobody can parse it. */
function stepsOf(file: string, text: string): string {
  try {
    return withSteps(file, text);
  } catch {
    return text;
  }
}

function rewritten({ text, sites }: SiteFile, only: ReadonlySet<number> | undefined): string {
  const applied = sites.filter(({ id }) => only?.has(id) ?? true);
  return applyEdits(
    text,
    applied.flatMap((site) => site.edits),
  );
}

const LABEL_LENGTH = 48;

function shorten(label: string): string {
  return label.length <= LABEL_LENGTH ? label : `${label.slice(0, LABEL_LENGTH - 1)}…`;
}
