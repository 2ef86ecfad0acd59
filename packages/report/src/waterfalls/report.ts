/** What the page of `headstart waterfalls` shows. All texts may come from outside. */
export interface WaterfallsReport {
  /** What made it. */
  readonly tool: string;
  /** The traces that were read. */
  readonly traces: readonly string[];
  /** The folder of the program, absolute, with `/`; files are relative to it. */
  readonly project: string;
  readonly spans: number;
  /** What is to be known of the traces. */
  readonly notes: readonly string[];
  /** The one in which most is waited one after the other, first. */
  readonly routes: readonly RequestRoute[];
  /** How many routes there are beyond these. */
  readonly routesLeft: number;
  /** Of all routes, also those beyond these. */
  readonly totals: WaterfallsTotals;
  /** The rewrites that routes name, by their place in this list. */
  readonly findings: readonly OfferedFinding[];
}

/** What all routes come to. */
export interface WaterfallsTotals {
  readonly requests: number;
  /** What the rewrites would save. */
  readonly savedMs: number;
  /** What would be saved if all that waits ran at once. */
  readonly atMostMs: number;
  /** How many rewrites there are. */
  readonly rewrites: number;
}

/** Requests of one name. */
export interface RequestRoute {
  /** Empty where the trace lacks the span above. */
  readonly name: string;
  readonly requests: number;
  /** How many of them the rewrites would make shorter, and by how much in all. */
  readonly shorter: number;
  readonly savedMs: number;
  /** How much less it would be if all that waits ran at once: an upper bound. */
  readonly atMostMs: number;
  /** Absent where no request of it is there as a whole. */
  readonly typical?: TypicalRequest | undefined;
  /** Absent where no later trace was given, or it has none of them. */
  readonly measured?: MeasuredTimes | undefined;
  /** The rewrites of its lines, as places in the list of all. */
  readonly findings: readonly number[];
  /** What no rewrite is for, and why. */
  readonly obstacles: readonly Obstacle[];
}

/** How long requests of a name took, at the median, before and after the program was rewritten. */
export interface MeasuredTimes {
  readonly name: string;
  readonly before: RequestTimes;
  readonly after: RequestTimes;
}

/** How long requests took. */
export interface RequestTimes {
  readonly requests: number;
  readonly medianMs: number;
}

/** The median request, and how long it would take. */
export interface TypicalRequest {
  readonly beforeMs: number;
  /** Computed, not measured. */
  readonly afterMs: number;
  readonly bars: readonly RequestBar[];
  /** How many spans there is no bar for, as too many are. */
  readonly barsLeft: number;
}

/** A span of a request; times are from its begin. */
export interface RequestBar {
  readonly name: string;
  /** The line that started it, where that is known. */
  readonly place?: SourcePlace | undefined;
  /** How many bars are above it. */
  readonly depth: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly newStartMs: number;
  readonly newEndMs: number;
  /** The finding that it is of. */
  readonly finding?: number | undefined;
}

/** A place in the program; counted from one. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A rewrite that makes operations overlap. */
export interface OfferedFinding extends SourcePlace {
  readonly rule: string;
  readonly level: string;
  /** One sentence. */
  readonly message: string;
  /** What has to hold for it. */
  readonly assumptions: readonly string[];
  /** Unified. */
  readonly diff: string;
  /** What applies it, in the folder of the program. */
  readonly command: string;
}

/** Why operations that wait are not rewritten. */
export interface Obstacle {
  readonly places: readonly SourcePlace[];
  readonly text: string;
}
