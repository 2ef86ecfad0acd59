import type { Place } from "./span.js";

/**
 * The names of attributes that say where a span was started: of each, that of semantic conventions 1.30 on, and the one before.
 */
const NAMES: readonly string[] = [
  ...["code.file.path", "code.filepath"],
  ...["code.line.number", "code.lineno"],
  ...["code.column.number", "code.column"],
  "code.stacktrace",
];

/** The values of these attributes of one span, at the indexes of {@link codeAttribute}. */
export type CodeAttributes = (string | undefined)[];

/** Which of the attributes that say something of a place one is; -1 if it is none. */
export function codeAttribute(name: string): number {
  return NAMES.indexOf(name);
}

/** What the attributes of a span say of its place, in their own words. */
interface Said {
  readonly file: string | undefined;
  readonly line: string | undefined;
  readonly column: string | undefined;
  readonly stack: string | undefined;
}

interface Known {
  readonly said: Said;
  readonly place: Place | undefined;
}

/** So many are remembered: where they hardly come again, that does not pay. */
const MOST_KNOWN = 10_000;

/** Makes places of attributes; of the same ones the same object, as most spans are started at few places. */
export class Places {
  /** By the longest of what is said, so that it is not copied into a key, and then by the line and the column. */
  private readonly known = new Map<string, Map<string, Known>>();
  private size = 0;

  of(attributes: CodeAttributes): Place | undefined {
    if (attributes.length === 0) return undefined;
    const said = saidBy(attributes);
    const { file = "", line = "", column, stack } = said;
    const near = this.near(stack ?? file);
    const key = column === undefined ? line : `${line}:${column}`;
    let known = near.get(key);
    if (known === undefined || !isSame(known.said, said)) {
      known = { said, place: placeOf(said) };
      near.set(key, known);
      this.size++;
    }
    return known.place;
  }

  private near(longest: string): Map<string, Known> {
    if (this.size >= MOST_KNOWN) {
      this.known.clear();
      this.size = 0;
    }
    let near = this.known.get(longest);
    if (near === undefined) {
      near = new Map();
      this.known.set(longest, near);
    }
    return near;
  }
}

function saidBy(attributes: CodeAttributes): Said {
  return {
    file: attributes[0] ?? attributes[1],
    line: attributes[2] ?? attributes[3],
    column: attributes[4] ?? attributes[5],
    stack: attributes[6],
  };
}

function isSame(one: Said, other: Said): boolean {
  return (
    one.file === other.file &&
    one.line === other.line &&
    one.column === other.column &&
    one.stack === other.stack
  );
}

function placeOf(said: Said): Place | undefined {
  const frames = framesOf(said.stack ?? "");
  const [first, ...callers] = frames;
  const { file } = said;
  const line = Number(said.line);
  if (file === undefined || !Number.isInteger(line) || line < 1) {
    return first === undefined ? undefined : { ...first, callers };
  }
  const column = Number(said.column ?? 0);
  return { file, line, column: Number.isInteger(column) && column > 0 ? column : 0, callers };
}

/** The most frames of a stack that are kept. */
const MOST_FRAMES = 16;

/** The places of a stack as V8 writes it. */
function framesOf(stack: string): Place[] {
  const places: Place[] = [];
  for (const line of stack.split("\n")) {
    const match = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/.exec(line);
    if (match === null) continue;
    const [, file = "", row, column] = match;
    places.push({ file, line: Number(row), column: Number(column), callers: [] });
    if (places.length === MOST_FRAMES) break;
  }
  return places;
}
