import type { FUNCTIONS, TICKS } from "./levels.js";

/** Whether microtasks may come in another order. */
export type Ticks = (typeof TICKS)[number];

/** Which functions may be converted. */
export type Functions = (typeof FUNCTIONS)[number];

/** Options of {@link optimize}. */
export interface OptimizeOptions {
  /** The name of the text, whose extension says which language it is in; `"input.js"` by default. */
  readonly file?: string | undefined;
  /**
   * `"relaxed"` by default: results and rejections are the same, but what waits for nothing takes
   * no ticks. With `"exact"`, microtasks come in the order they came in before.
   */
  readonly ticks?: Ticks | undefined;
  /**
   * `"all"` by default: functions that ask for it with the directive, and those whose result is awaited
   * at once where they are called. With `"directives"`, only the former.
   */
  readonly functions?: Functions | undefined;
  /** Whether `return await` keeps its place in stack traces; `false` by default. */
  readonly keepFrames?: boolean | undefined;
  /** Whether to make a source map; `false` by default. */
  readonly sourceMap?: boolean | undefined;
  /**
   * Whether async functions that a compiler has written as generators become async functions again;
   * `true` by default. What runs the code has to know them: Node 8 does.
   */
  readonly restore?: boolean | undefined;
  /**
   * Whether what a TypeScript file exports keeps its types; `true` by default: functions that do not say
   * what they return, and are in no function that does, stay as they are. With `false`, they are converted,
   * which is for tools that take the types off afterwards.
   */
  readonly keepTypes?: boolean | undefined;
  /**
   * Whether the text is a CommonJS module if it is no ECMAScript module; by default it is taken for a script.
   * What stands at the top of a module is its own, while other scripts may assign to what stands at the top of a
   * script. Files named `.cjs` and `.cts` are CommonJS modules in any case. With `atomic`, such a module gets the gate
   * by `require`, and so does by default what mentions `require`, `module` or `exports`; others `import` it.
   */
  readonly commonjs?: boolean | undefined;
  /**
   * Whether tasks keep their identity over each `await`, and wait there for the atomic blocks of others
   * (`headstart-activities`); `false` by default.
   */
  readonly atomic?: boolean | undefined;
  /**
   * The functions that may be converted, by their {@link OptimizedFunction.startPosition}; all by default. All others
   * stay as they are written, and so does what a compiler wrote as generators.
   */
  readonly only?: readonly StartPosition[] | undefined;
}

/**
 * Where V8 says that a function begins: at its parameters; an arrow function, at its start. CPU profiles count both from
 * zero (`lineNumber` and `columnNumber` of a `callFrame`), this counts from one.
 */
export interface StartPosition {
  readonly line: number;
  /** In UTF-16 code units. */
  readonly column: number;
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
  readonly startPosition: StartPosition;
  /** How long its text is, in bytes of UTF-8; 0 where it is no async function in the text. */
  readonly length: number;
  /** The last names of what it calls, each once. */
  readonly callees: readonly string[];
  /** Where the text mentions it, as far as that is known. */
  readonly calls: {
    /** Calls whose promise is awaited at once. */
    readonly awaited: number;
    /** All other mentions. */
    readonly other: number;
  };
  /** Awaits in it that no longer wait where nothing is pending, if it stays as it is. */
  readonly eased: {
    readonly count: number;
    /** What they call, each name once. */
    readonly of: readonly string[];
  };
  /** Whether it stays as it is because what it becomes does not parse, a mistake of headstart. */
  readonly mistake?: boolean;
  readonly outcome:
    | {
        readonly kind: "converted";
        /** Where the async part stands: nowhere, at the end of the file, or in the function. */
        readonly twin: "none" | "lifted" | "nested" | "class";
        /**
         * `"asked"` if it asked for the conversion, and callers get a value or a promise; `"inPlace"` if all
         * callers await it at once; `"beside"` if these call another function than the rest; `"inBlocks"` if
         * atomic blocks do, where all other ticks are kept.
         */
        readonly entry: "asked" | "inPlace" | "beside" | "inBlocks";
      }
    | {
        /** A compiler had written it as a generator; what it became is listed beside this. */
        readonly kind: "restored";
        /** What it went through, such as `__awaiter`. */
        readonly helper: string;
        readonly form: string;
      }
    /** It only handed on the promise of another async function, and is a plain function now. */
    | { readonly kind: "unwrapped" }
    | { readonly kind: "kept"; readonly reason: string };
}

/** Code that is called back, or resumes, outside of the gate of atomic blocks. */
export interface Ungated {
  /**
   * `"handler"`: a function that `then`, `catch` or `finally` gets; `"callback"`: one that a timer or an event calls;
   * `"disposal"`: the end of a block with `await using`; `"delegation"`: `yield*`; `"function"`: one that stays as it is, since
   * it declares a name twice; `"pattern"`: that of a `for await`.
   */
  readonly kind: "handler" | "callback" | "disposal" | "delegation" | "function" | "pattern";
  /** Counted from one. */
  readonly line: number;
  /** Counted from one, in UTF-16 code units. */
  readonly column: number;
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
  /** What does not pass the gate of atomic blocks; empty without {@link OptimizeOptions.atomic}. */
  readonly ungated: readonly Ungated[];
}
