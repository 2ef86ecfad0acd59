import type { TICKS } from "./levels.js";

/** Whether microtasks may come in another order. */
export type Ticks = (typeof TICKS)[number];

/** Options of {@link optimize}. */
export interface OptimizeOptions {
  /** The name of the text, whose extension says which language it is in; `"input.js"` by default. */
  readonly file?: string | undefined;
  /**
   * `"relaxed"` by default: results and rejections are the same, but what waits for nothing takes
   * no ticks. With `"exact"`, microtasks come in the order they came in before.
   */
  readonly ticks?: Ticks | undefined;
  /** Whether `return await` keeps its place in stack traces; `false` by default. */
  readonly keepFrames?: boolean | undefined;
  /** Whether to make a source map; `false` by default. */
  readonly sourceMap?: boolean | undefined;
}

/** A source map, revision 3. */
export interface SourceMap {
  readonly version: 3;
  readonly file?: string;
  readonly sources: string[];
  readonly sourcesContent?: (string | null)[];
  readonly names: string[];
  readonly mappings: string;
}

/** An async function, and what became of it. */
export interface OptimizedFunction {
  /** Its name, or that of what it is put into; empty where it has none. */
  readonly name: string;
  /** Counted from one. */
  readonly line: number;
  /** Counted from one, in UTF-16 code units. */
  readonly column: number;
  /** Where it begins, in bytes of UTF-8 from the start of the text. */
  readonly offset: number;
  readonly outcome:
    | {
        readonly kind: "converted";
        /** Where the async part stands: nowhere, at the end of the file, or in the function. */
        readonly twin: "none" | "lifted" | "nested";
      }
    | { readonly kind: "kept"; readonly reason: string };
}

/** The result of {@link optimize}. */
export interface Optimized {
  readonly code: string;
  /** Whether `code` is another text than the one given. */
  readonly changed: boolean;
  /** `null` unless {@link OptimizeOptions.sourceMap} asked for one and something changed. */
  readonly map: SourceMap | null;
  /** {@link map} as JSON: bundlers that take it so are spared the parsing. */
  readonly mapText: string | null;
  /** Every async function of the text, in order. */
  readonly functions: readonly OptimizedFunction[];
}
