import { readFileSync } from "node:fs";
import { SourceMap as Lookup, type SourceMapping } from "node:module";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type { SourceMap } from "./optimize-types.js";

const MARK = "sourceMappingURL=";
/** The comment at the end of a text that says where its source map is (ECMA-426, linking generated code). */
const COMMENT = /\/\/[#@][ \t]*sourceMappingURL=(\S+)\s*$/;
const DATA = /^data:application\/json[^,]*?(;base64)?,(.*)$/s;

/**
 * The source map that a text carries or names, its sources as URLs; `null` where it has none, where that
 * cannot be read, and where it is an index map.
 *
 * @param file the path of the text, which others are relative to
 */
export function carriedMap(text: string, file: string): SourceMap | null {
  const at = text.lastIndexOf(MARK);
  if (at === -1) return null;
  const url = COMMENT.exec(text.slice(text.lastIndexOf("\n", at) + 1))?.[1];
  if (url === undefined) return null;
  try {
    const own = pathToFileURL(resolve(file));
    const data = DATA.exec(url);
    if (data !== null) return mapIn(contentOf(data), own);
    const place = new URL(url, own);
    return place.protocol === "file:" ? mapIn(readFileSync(place, "utf8"), place) : null;
  } catch {
    // Nobody asked for that map: without it, places are those of the text.
    return null;
  }
}

function contentOf([, base64, content = ""]: RegExpExecArray): string {
  return base64 === undefined
    ? decodeURIComponent(content)
    : Buffer.from(content, "base64").toString();
}

/** A map as it is written, if it is one. */
interface Written extends Partial<Omit<SourceMap, "sources">> {
  readonly sources?: readonly (string | null)[];
  readonly sourceRoot?: string;
}

function mapIn(json: string, place: URL): SourceMap | null {
  const map = JSON.parse(json) as Written;
  const { version, sources, mappings, names = [], sourcesContent = [], sourceRoot = "" } = map;
  if (version !== 3 || !Array.isArray(sources) || typeof mappings !== "string") return null;
  const root = sourceRoot === "" || sourceRoot.endsWith("/") ? sourceRoot : `${sourceRoot}/`;
  const urls = sources.map((it: string | null) =>
    it === null ? "" : new URL(root + it, place).href,
  );
  return { version, sources: urls, sourcesContent, names, mappings };
}

/** What Node finds in a map; nothing where there is none. */
type Entry = Partial<SourceMapping>;

/**
 * The map from the text that `outer` is of to what the text that it leads to was made of, by `inner`, the
 * map of that. What `inner` says nothing of leads nowhere. Where the two do not fit, it is `outer`.
 */
export function composedMap(outer: SourceMap, inner: SourceMap): SourceMap {
  const { sources, sourcesContent = [], ...rest } = inner;
  const lookup = new Lookup({ file: "", sourceRoot: "", ...rest, sources, sourcesContent: [] });
  const indexOf = new Map(sources.map((it, index) => [it, index]));
  const written = new Mappings();
  for (const [line, segments] of lines(outer.mappings).entries()) {
    if (line > 0) written.line();
    for (const [column, , fromLine, fromColumn = 0] of segments) {
      const found = fromLine === undefined ? {} : (lookup.findEntry(fromLine, fromColumn) as Entry);
      const source = indexOf.get(found.originalSource ?? "");
      // What stands before the first place of a line belongs to none.
      if (source === undefined || found.generatedLine !== fromLine) written.nothing(column);
      else written.place(column, [source, found.originalLine ?? 0, found.originalColumn ?? 0]);
    }
  }
  if (written.places === 0) return outer;
  const contents = sources.map((_, index) => sourcesContent[index] ?? null);
  return { version: 3, sources, sourcesContent: contents, names: [], mappings: written.text };
}

/**
 * A map as it is written into a folder, its sources relative to that: from what was made of the text of a file
 * to that file, or to what the file was made of where it says so.
 */
export function mapInFolder(
  map: SourceMap,
  { text, file, folder }: Readonly<{ text: string; file: string; folder: string }>,
): SourceMap {
  const shown = (path: string) => relative(folder, path).split(sep).join("/");
  const carried = carriedMap(text, file);
  const all = carried === null ? map : composedMap(map, carried);
  if (all === map) return { ...map, sources: [shown(file)] };
  const sources = all.sources.map((it) => (it.startsWith("file:") ? shown(fileURLToPath(it)) : it));
  return { ...all, sources };
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** What a segment says: its column, and the source, line and column that it leads to. All count from 0. */
type Segment = readonly [column: number, source?: number, line?: number, from?: number];

/** The segments of each line (ECMA-426, mappings: numbers in base 64, each less the one before). */
function lines(mappings: string): Segment[][] {
  const last = [0, 0, 0, 0, 0];
  return mappings.split(";").map((line) => {
    last[0] = 0;
    const segments = line === "" ? [] : line.split(",");
    return segments.map((segment) => {
      const fields = numbers(segment).map((it, index) => (last[index] = (last[index] ?? 0) + it));
      return [fields[0] ?? 0, ...fields.slice(1, 4)] as unknown as Segment;
    });
  });
}

function numbers(segment: string): number[] {
  const all: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value |= (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    all.push((value & 1) === 0 ? value >>> 1 : -(value >>> 1));
    [value, shift] = [0, 0];
  }
  return all;
}

/** Mappings as they are written. */
class Mappings {
  text = "";
  /** How many lead somewhere. */
  places = 0;
  #column = 0;
  #last = [0, 0, 0];
  #begins = true;
  #leads = false;

  line(): void {
    this.text += ";";
    this.#column = 0;
    this.#begins = true;
    this.#leads = false;
  }

  /** What begins at a column leads to a source, a line and a column. */
  place(column: number, place: readonly [number, number, number]): void {
    const last = this.#last;
    this.#segment(column, ...place.map((it, index) => it - (last[index] ?? 0)));
    this.#last = [...place];
    this.#leads = true;
    this.places += 1;
  }

  /** What begins at a column leads nowhere. */
  nothing(column: number): void {
    if (this.#leads) this.#segment(column);
    this.#leads = false;
  }

  #segment(column: number, ...fields: number[]): void {
    const numbers = [column - this.#column, ...fields];
    this.text += (this.#begins ? "" : ",") + numbers.map(digits).join("");
    this.#column = column;
    this.#begins = false;
  }
}

function digits(value: number): string {
  let rest = value < 0 ? -value * 2 + 1 : value * 2;
  let text = "";
  do {
    const more = rest > 31 ? 32 : 0;
    text += DIGITS.charAt((rest & 31) | more);
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
