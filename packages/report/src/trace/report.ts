/**
 * What is said of a trace: the JSON of `headstart trace report --format json`, which
 * `crates/trace/src/report.rs` makes. Times are in milliseconds.
 */
export interface TraceReport {
  /** The version of this form. */
  readonly version: number;
  /** What the file says of itself. */
  readonly metadata: TraceMetadata;
  /** What was read. */
  readonly extent: TraceExtent;
  /** One entry for each thread, in the order in which they begin. */
  readonly threads: readonly TraceThread[];
  /** A continuation is an entry from the host, with the microtasks that follow it. */
  readonly macrotasks: TraceView;
  /** A continuation is an entry from the host, or a microtask. */
  readonly microtasks: TraceView;
  /** Microtasks that run with nothing of the host in between. */
  readonly batches: TraceBatches;
  /** What is waited for at each place in the source, the longest first. Microtasks count. */
  readonly places: readonly TracePlace[];
  /** The trees, with all that is alike made one. Parents come before their children. Microtasks count. */
  readonly tree: readonly TraceNode[];
  /** Sentences for the reader: what is missing, what is an estimate. */
  readonly notes: readonly string[];
}

/** What the beginning of a trace says of the recording. */
export interface TraceMetadata {
  /** What recorded it, such as `node 24.21.0`. */
  readonly recorder: string;
  /** What was recorded: a command line, or an address. */
  readonly subject: string;
  /** When it began, in milliseconds since 1970. */
  readonly started: number;
  /** The folder that the command ran in. */
  readonly folder?: string;
}

/** What was read of a file. */
export interface TraceExtent {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Events in it. */
  readonly events: number;
  /** From the first event to the last. */
  readonly duration: number;
  /** Whether the recorder closed the file. */
  readonly closed: boolean;
  /** Bytes that belong to no chunk: a chunk that was being written when the recorder was ended. */
  readonly unreadBytes: number;
  /** Places where chunks are missing or damaged. */
  readonly lostChunks: number;
}

/** A thread of the program. */
export interface TraceThread {
  /** What it is. */
  readonly name: string;
  /** Events of it. */
  readonly events: number;
  /** Continuations, microtasks included. */
  readonly continuations: number;
}

/** All measures of one view. */
export interface TraceView {
  /** Whether times hold; if not, curves and subtrees are empty. */
  readonly timed: boolean;
  /** Runs of continuations in all. */
  readonly continuations: number;
  /** Continuations that nothing has registered. */
  readonly roots: number;
  /** Continuations that another thread has registered. */
  readonly remote: number;
  /** How long they run. */
  readonly durations: TraceDurations;
  /** How many others they register. */
  readonly branching: TraceBranching;
  /** How long it takes from the end of the parent to the begin. */
  readonly gaps: TraceGaps;
  /** How long chains take: one entry for each length. */
  readonly chains: readonly TraceChain[];
  /** How much else is registered. */
  readonly concurrency: TraceConcurrency;
  /** Potentially atomic subtrees: each limit, with how many there are of each shape. */
  readonly subtrees: readonly (readonly [limit: number, shapes: Shapes])[];
}

/** A distribution of times. */
export interface Curve {
  /** Values in all. */
  readonly count: number;
  /** Their sum. */
  readonly sum: number;
  /** The largest. */
  readonly max: number;
  /**
   * The least value of each bucket that is not empty, ascending, and how many values are in it. Up to
   * 3.2 µs values are exact; above, a bucket is as wide as a sixteenth of a power of two.
   */
  readonly buckets: readonly (readonly [least: number, times: number])[];
}

/** Numbers that occur, ascending, and how often. */
export type Counts = readonly (readonly [value: number, times: number])[];

/** How long continuations run. */
export interface TraceDurations {
  /** Of continuations that run once. */
  readonly once: Curve;
  /** Of those that run several times. */
  readonly recurring: Curve;
  /** Of all, without what others ran inside them. */
  readonly own: Curve;
}

/** How many continuations one registers: each number of children, and how many have it. */
export interface TraceBranching {
  /** Of continuations that run once. */
  readonly once: Counts;
  /** Of those that run several times. */
  readonly recurring: Counts;
}

/** The time from the end of a continuation until what it has registered begins. */
export interface TraceGaps {
  /** No other continuation of the thread begins in between. */
  readonly uninterrupted: Curve;
  /** Only continuations of the same tree do; each run of what runs several times begins a tree. */
  readonly interruptedByOwnTree: Curve;
  /** One of another tree does. */
  readonly interruptedByOtherTree: Curve;
  /** The gaps before runs of what runs several times; they are in no other curve. */
  readonly recurring: Curve;
  /** How many begin before their parent has ended (negative gaps). */
  readonly inside: number;
}

/** From the begin of the first continuation of a chain to the end of the last. */
export interface TraceChain {
  /** Continuations in the chain. */
  readonly length: number;
  /** How long such chains take. */
  readonly time: Curve;
}

/** How much else is registered while a continuation runs: each number, and how many have it. */
export interface TraceConcurrency {
  /** Registrations of before it that run after it. */
  readonly live: Counts;
  /** The same with those, promises apart, that never run. */
  readonly withCancelled: Counts;
}

/** Microtasks that run one after the other. */
export interface TraceBatches {
  /** From the begin of the first microtask to the end of the last. */
  readonly time: Curve;
  /** Each number of microtasks, and how many batches have it. */
  readonly size: Counts;
}

/** How many potentially atomic subtrees of each shape there are within a limit. */
export interface Shapes {
  /** All that count. */
  readonly total: number;
  /** No continuation has two children that run once. */
  readonly linearLoose: number;
  /** No continuation has two children. */
  readonly linearStrict: number;
  /** Two children or more are outside. */
  readonly multiLoose: number;
  /** And they have different parents. */
  readonly multiStrict: number;
  /** One continuation has no children, and one has a child outside. */
  readonly containedLoose: number;
  /** And one begins after the one that has none. */
  readonly containedStrict: number;
}

/** A place in the source, and what is registered there. */
export interface TracePlace {
  /** The file, as an absolute path or an address. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The function that it stands in, empty if that has no name. */
  readonly function: string;
  /** Whether it is the program's own: in the folder that was recorded, and not in a package. */
  readonly own: boolean;
  /** What is registered there, such as `Timeout`. */
  readonly kind: string;
  /** Runs that were looked at. */
  readonly samples: number;
  /** Runs in all, as far as the samples tell. */
  readonly runs: number;
  /** Time between the end of the parent and the begin, over all runs. */
  readonly waited: number;
  /** Half of the gaps are at most this long. */
  readonly medianGap: number;
  /** Half of the pairs of a continuation and its parent take at most this, from begin to end. */
  readonly medianPair: number;
  /** Time that the runs took. */
  readonly ran: number;
  /** Runs with a gap before them. */
  readonly gaps: number;
  /** Those with something else in the gap. */
  readonly interrupted: number;
  /** Those with something of another tree in the gap. */
  readonly interruptedByOtherTree: number;
}

/** A node of the tree in which all that is alike is one. */
export interface TraceNode {
  /** The place of its parent in the list; the first is its own. */
  readonly parent: number;
  /** What it is, such as `Timeout`. */
  readonly kind: string;
  /** Where it is registered, as `function file:line:column`, if that is known. */
  readonly site?: string;
  /** Continuations that it stands for. */
  readonly runs: number;
  /** Time that they took. */
  readonly ran: number;
  /** Time between the ends of their parents and their begins. */
  readonly waited: number;
  /** How many of them had something else in that gap. */
  readonly interrupted: number;
}
