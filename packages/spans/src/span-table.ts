import { IdTable } from "./id-table.js";
import { Ids } from "./ids.js";
import type { Place, Span } from "./span.js";

/** How many spans there is room for to begin with. */
const FIRST = 4096;

/** Gives texts numbers. */
class Numbers<T> {
  readonly values: T[] = [];
  private readonly numbers = new Map<string, number>();

  of(key: string, value: T): number {
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.values.length;
      this.values.push(value);
      this.numbers.set(key, number);
    }
    return number;
  }
}

/** Many spans, in little room: some 60 bytes each, with their names and places kept once. */
export class SpanTable {
  length = 0;
  /** How many spans were left out as they are there already: an exporter has sent them once more, or a file is named twice. */
  repeated = 0;
  private readonly rows = new IdTable();
  private ids = new Float64Array(FIRST);
  private parents = new Float64Array(FIRST);
  private starts = new Float64Array(FIRST);
  private durations = new Float64Array(FIRST);
  private names = new Int32Array(FIRST);
  private places = new Int32Array(FIRST);
  private kinds = new Uint8Array(FIRST);
  private readonly nameNumbers = new Numbers<string>();
  private readonly placeNumbers = new Numbers<Place>();
  /** The numbers of places that come again as the same objects, for which no key has to be made. */
  private readonly knownPlaces = new WeakMap<Place, number>();
  private readonly numbersOfIds = new Ids();

  add(span: Span): void {
    const { trace, parent, place } = span;
    const id = this.numbersOfIds.of(trace, span.id);
    const known = this.rows.get(id);
    // A call and what serves it may have one id, as with Zipkin.
    if (known >= 0 && this.kinds[known] === span.kind) {
      this.repeated++;
      return;
    }
    if (this.length === this.ids.length) this.grow();
    const row = this.length++;
    this.rows.set(id, row);
    this.ids[row] = id;
    this.parents[row] = parent === "" ? 0 : this.numbersOfIds.of(trace, parent);
    this.starts[row] = span.start;
    this.durations[row] = span.duration;
    this.names[row] = this.nameNumbers.of(span.name, span.name);
    this.places[row] = place === undefined ? -1 : this.placeNumber(place);
    this.kinds[row] = span.kind;
  }

  /** The row of the span that has an id. */
  rowOf(id: number): number | undefined {
    const row = this.rows.get(id);
    return row < 0 ? undefined : row;
  }

  id(row: number): number {
    return this.ids[row] ?? 0;
  }

  /** 0 where there is none. */
  parent(row: number): number {
    return this.parents[row] ?? 0;
  }

  start(row: number): number {
    return this.starts[row] ?? 0;
  }

  duration(row: number): number {
    return this.durations[row] ?? 0;
  }

  end(row: number): number {
    return this.start(row) + this.duration(row);
  }

  name(row: number): string {
    return this.nameNumbers.values[this.names[row] ?? 0] ?? "";
  }

  place(row: number): Place | undefined {
    const number = this.places[row] ?? -1;
    return number < 0 ? undefined : this.placeNumbers.values[number];
  }

  kind(row: number): number {
    return this.kinds[row] ?? 0;
  }

  /** A number that two spans share which were started at the same place, or, where none is known, have the same name. */
  sort(row: number): number {
    const place = this.places[row] ?? -1;
    return place >= 0 ? 2 * place : 2 * (this.names[row] ?? 0) + 1;
  }

  private placeNumber(place: Place): number {
    let number = this.knownPlaces.get(place);
    if (number === undefined) {
      number = this.placeNumbers.of([place, ...place.callers].map(keyOf).join(), place);
      this.knownPlaces.set(place, number);
    }
    return number;
  }

  private grow(): void {
    const size = 2 * this.ids.length;
    const larger = <T extends Float64Array | Int32Array | Uint8Array>(list: T, made: T): T => {
      made.set(list);
      return made;
    };
    this.ids = larger(this.ids, new Float64Array(size));
    this.parents = larger(this.parents, new Float64Array(size));
    this.starts = larger(this.starts, new Float64Array(size));
    this.durations = larger(this.durations, new Float64Array(size));
    this.names = larger(this.names, new Int32Array(size));
    this.places = larger(this.places, new Int32Array(size));
    this.kinds = larger(this.kinds, new Uint8Array(size));
  }
}

function keyOf({ file, line, column }: Place): string {
  return `${line}:${column}:${file}`;
}
