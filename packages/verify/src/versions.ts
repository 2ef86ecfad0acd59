import type { Operation } from "@headstart/report";
import { createTwoFilesPatch } from "diff";

import type { Copy } from "./copies.js";
import { applyEdits, lineAt, offsetOfLine, placeBefore } from "./edits.js";
import { messageOf } from "./errors.js";
import { instrument, type Instrumented, type NumberedSite } from "./instrument.js";
import { groupBy } from "./records.js";

/** A file with sites: as it is, and with calls around the operations of the sites. */
interface SiteFile {
  readonly file: string;
  readonly text: string;
  readonly sites: readonly NumberedSite[];
  /** Absent where the file could not be parsed. */
  readonly instrumented: Instrumented | undefined;
}

/** What the files with sites say in each copy. */
export class Versions {
  readonly #files: readonly SiteFile[];
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

  /** Makes a copy what it is to be: with the rewrites of `only`, or of all sites. */
  install(copy: Copy, instrumented: boolean, only?: ReadonlySet<number>): Promise<void> {
    const texts = this.#files.map((it): [string, string] => {
      if (instrumented && it.instrumented !== undefined && only === undefined) {
        return [it.file, it.instrumented[copy.name]];
      }
      return [it.file, copy.name === "original" ? it.text : rewritten(it, only)];
    });
    return copy.install(new Map(texts));
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
    const text = found?.text ?? "";
    const names = [`a/${site.file}`, `b/${site.file}`] as const;
    const patch = createTwoFilesPatch(
      ...names,
      text,
      applyEdits(text, site.edits),
      undefined,
      undefined,
      {
        context: 3,
      },
    );
    return patch.replace(/^=+\n/, "");
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
