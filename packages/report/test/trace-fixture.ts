import type {
  Counts,
  Curve,
  Shapes,
  TraceNode,
  TracePlace,
  TraceReport,
  TraceView,
} from "../src/trace/report.js";

/** The limits of the table of subtrees. */
export const LIMITS = [1, 1.8, 3.2, 5.6, 10, 18, 32, 56, 100];

const NOTHING: Curve = { count: 0, sum: 0, max: 0, buckets: [] };

/** A distribution of times from its buckets. */
function curve(buckets: Counts, max: number): Curve {
  return {
    count: buckets.reduce((sum, [, times]) => sum + times, 0),
    sum: buckets.reduce((sum, [value, times]) => sum + value * times, 0),
    max,
    buckets,
  };
}

/** Six numbers in the order of the columns. */
export function shapes(total: number, ...parts: readonly number[]): Shapes {
  const [linearLoose = 0, linearStrict = 0, multiLoose = 0, multiStrict = 0, ...more] = parts;
  const [containedLoose = 0, containedStrict = 0] = more;
  return {
    ...{ total, linearLoose, linearStrict, multiLoose, multiStrict },
    ...{ containedLoose, containedStrict },
  };
}

/** A recording with so little in it that all numbers of its page can be worked out by hand. */
export function small(): TraceReport {
  return {
    version: 1,
    metadata: {
      ...{ recorder: "node 24.21.0", subject: "node shop.mjs", folder: "/home/shop" },
      started: Date.UTC(2026, 0, 31, 12, 5),
    },
    extent: {
      ...{ bytes: 1234, events: 40, duration: 2500 },
      ...{ closed: false, unreadBytes: 0, lostChunks: 0 },
    },
    threads: [
      { name: "main", events: 30, continuations: 12 },
      { name: "a worker", events: 10, continuations: 3 },
    ],
    macrotasks: macrotasks(),
    microtasks: microtasks(),
    batches: {
      time: curve([[0.004, 3]], 0.004),
      size: [
        [1, 2],
        [7, 1],
      ],
    },
    places: places(),
    tree: tree(),
    notes: ["The recorder did not close this trace.", "Times of the worker are an estimate."],
  };
}

function microtasks(): TraceView {
  const once = curve(
    [
      [0.002, 2],
      [0.01, 3],
      [0.5, 1],
      [20, 2],
    ],
    21,
  );
  return {
    ...{ continuations: 15, timed: true, roots: 2, remote: 0 },
    durations: { once, recurring: curve([[0.05, 4]], 0.051), own: curve([[0.001, 12]], 0.001) },
    branching: {
      once: [
        [0, 9],
        [1, 2],
        [400, 1],
      ],
      recurring: [[1, 3]],
    },
    gaps: {
      uninterrupted: curve(
        [
          [0.1, 6],
          [2, 1],
        ],
        2,
      ),
      interruptedByOwnTree: curve([[0.5, 1]], 0.5),
      interruptedByOtherTree: curve(
        [
          [0.2, 1],
          [30, 1],
        ],
        31,
      ),
      recurring: curve([[100, 3]], 101),
      inside: 1,
    },
    chains: [2, 3, 4].map((length) => ({ length, time: curve([[length, 5 - length]], length) })),
    concurrency: {
      live: [
        [0, 4],
        [3, 8],
      ],
      withCancelled: [
        [0, 3],
        [12, 9],
      ],
    },
    subtrees: LIMITS.map((limit) => [limit, shapes(8, 6, 5, 1, 0, limit < 10 ? 2 : 3, 1)]),
  };
}

function macrotasks(): TraceView {
  return {
    ...{ continuations: 5, timed: true, roots: 2, remote: 1 },
    durations: { once: curve([[3, 5]], 3.1), recurring: NOTHING, own: curve([[3, 5]], 3.1) },
    branching: { once: [[0, 5]], recurring: [] },
    gaps: {
      ...{ uninterrupted: curve([[1, 3]], 1), interruptedByOwnTree: NOTHING },
      ...{ interruptedByOtherTree: NOTHING, recurring: NOTHING, inside: 0 },
    },
    chains: [2, 3, 4].map((length) => ({ length, time: NOTHING })),
    concurrency: { live: [[0, 5]], withCancelled: [[0, 5]] },
    subtrees: LIMITS.map((limit) => [limit, shapes(1, 1, 1)]),
  };
}

function places(): TracePlace[] {
  const place = (part: Partial<TracePlace>): TracePlace => ({
    ...{ file: "/home/shop/shop.mjs", line: 1, column: 1, function: "", kind: "reaction" },
    ...{ samples: 8, runs: 8, waited: 0, medianGap: 0, own: true, medianPair: 0, ran: 0 },
    ...{ gaps: 8, interrupted: 0, interruptedByOtherTree: 0, ...part },
  });
  return [
    place({ line: 7, function: "load", waited: 1200, medianGap: 150, interrupted: 2 }),
    place({
      ...{ line: 30, column: 12, kind: "Timeout", samples: 10, runs: 1000, gaps: 1000 },
      ...{ waited: 300, medianGap: 0.25, interrupted: 999, interruptedByOtherTree: 1 },
    }),
    place({ file: "/lib/other.mjs", function: "listen", kind: "TCPSERVERWRAP", gaps: 0, runs: 2 }),
  ];
}

function tree(): TraceNode[] {
  const node = (parent: number, kind: string, part: Partial<TraceNode>): TraceNode => ({
    ...{ parent, kind, runs: 0, ran: 0, waited: 0, interrupted: 0, ...part },
  });
  return [
    node(0, "program", {}),
    node(0, "program", { runs: 1, ran: 10 }),
    node(1, "Timeout", {
      ...{ site: "tick /home/shop/shop.mjs:3:5", runs: 4, ran: 2, waited: 100, interrupted: 1 },
    }),
    node(1, "reaction", {
      ...{ site: "/home/shop/shop.mjs:7:2", runs: 6, ran: 6, waited: 12, interrupted: 6 },
    }),
    node(3, "reaction", { site: "load /home/shop/a.mjs:1:1", runs: 3, ran: 1, waited: 9 }),
    node(0, "registered before the recording", { runs: 1, ran: 1 }),
  ];
}

/** A recording in which nothing ran. */
export function nothing(): TraceReport {
  const view: TraceView = {
    ...{ continuations: 0, timed: true, roots: 0, remote: 0 },
    durations: { once: NOTHING, recurring: NOTHING, own: NOTHING },
    branching: { once: [], recurring: [] },
    gaps: {
      ...{ uninterrupted: NOTHING, interruptedByOwnTree: NOTHING },
      ...{ interruptedByOtherTree: NOTHING, recurring: NOTHING, inside: 0 },
    },
    chains: [2, 3, 4].map((length) => ({ length, time: NOTHING })),
    concurrency: { live: [], withCancelled: [] },
    subtrees: LIMITS.map((limit) => [limit, shapes(0)]),
  };
  const [root] = tree();
  return {
    ...small(),
    ...{ threads: [], macrotasks: view, microtasks: view, places: [], notes: [] },
    batches: { time: NOTHING, size: [] },
    tree: root === undefined ? [] : [root],
    extent: { ...small().extent, events: 0, duration: 0 },
  };
}

/** As large as reports become: 20,000 nodes, 1,000 places, curves with all their buckets. */
export function large(): TraceReport {
  const report = small();
  const many = curve(
    Array.from({ length: 480 }, (_, index) => [0.0001 * 1.04 ** index, 1 + (index % 977)] as const),
    20_000,
  );
  const counts = Array.from({ length: 5000 }, (_, index) => [index, 1 + (index % 13)] as const);
  const view = {
    ...report.microtasks,
    durations: { once: many, recurring: many, own: many },
    concurrency: { live: counts, withCancelled: counts },
    branching: { once: counts, recurring: counts },
  };
  const nodes = Array.from({ length: 20_000 }, (_, id) => ({
    // Three with thousands of children, each of which leads to a chain.
    parent: id % 5 === 0 ? Math.floor(id / 9000) : id - 1,
    kind: ["reaction", "Timeout", "FSREQPROMISE", "TickObject"][id % 4] ?? "",
    site: `function${id} /home/shop/src/some/folder/of/the/program/module-${id % 700}.mjs:${id}:1`,
    // A few run very often.
    runs: Math.ceil(1e6 / (1 + ((id * 7919) % 20_000))),
    ...{ ran: id % 100, waited: id % 1000, interrupted: id % 50 },
  }));
  return {
    ...report,
    ...{ microtasks: view, macrotasks: view, tree: nodes },
    extent: { ...report.extent, events: 1e7 },
    places: report.places.slice(0, 1).flatMap((place) =>
      Array.from({ length: 1000 }, (_, index) => ({
        ...place,
        ...{ line: index + 1, waited: 100_000 - index },
      })),
    ),
  };
}

/** One chain of continuations that lead to each other, as long as trees become. */
export function deep(): TraceReport {
  const chain = Array.from({ length: 20_000 }, (_, id) => ({
    ...{ parent: Math.max(0, id - 1), kind: id % 2 === 0 ? "reaction" : "Timeout" },
    ...{ runs: 1, ran: 1, waited: 1, interrupted: 0 },
  }));
  return { ...small(), tree: chain };
}
