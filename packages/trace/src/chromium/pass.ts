/**
 * A recording takes two runs of the page: `timing` costs little, and its durations hold; `topology` knows who has
 * registered each microtask, at a cost that no duration of it survives.
 */
export type Pass = "timing" | "topology";

/** What either pass asks Chromium to record. */
const TIMING = [
  ...["devtools.timeline", "v8.execute", "blink", "toplevel", "toplevel.flow"],
  // A stack where a timer, a frame or a request is asked for says which line waits.
  "disabled-by-default-devtools.timeline.stack",
];

const CATEGORIES: Readonly<Record<Pass, readonly string[]>> = {
  timing: TIMING,
  topology: [
    ...TIMING,
    "disabled-by-default-v8.inspector",
    // A sample at each registration says where it stands.
    "disabled-by-default-v8.cpu_profiler",
  ],
};

/** The categories of events of a pass. */
export function categoriesOf(pass: Pass): readonly string[] {
  return CATEGORIES[pass];
}

/** How a thread is described in a trace. That it begins with the pass is what readers tell the passes by. */
export function describeThread(pass: Pass, thread: string): string {
  return `${pass}: ${thread}`;
}

/** The pass that a thread of this description is of. */
export function passOf(description: string): Pass | undefined {
  return (["timing", "topology"] as const).find((pass) => description.startsWith(`${pass}: `));
}
