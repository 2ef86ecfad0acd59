import { counted, lessOrMore, lessOrMoreRange } from "./format.js";
import type { Agreement, LatencyRow, Schedules, Summary, VerifyResult } from "./result.js";

/** What a verification comes to: the first lines of the report and of the terminal. */
export interface Verdict {
  readonly right: Statement;
  readonly fast: Statement;
  /** One for each delay that was measured, the shortest first. */
  readonly delayed: readonly Statement[];
}

/** One sentence, split where its first words stand out. */
export interface Statement {
  readonly mood: "good" | "bad" | "open";
  readonly word: string;
  readonly text: string;
}

/** Up to here (percent), an interval around none says that hardly anything has changed. */
const HARDLY = 5;

/** Says whether the program is still right, and how much faster it is. */
export function verdict(result: VerifyResult): Verdict {
  const isWrong = result.outcome === "broken";
  // Speed is no good news where the program is wrong.
  const sober = (it: Statement): Statement =>
    isWrong && it.mood === "good" ? { ...it, mood: "open" } : it;
  const slower = result.latency.filter(({ delayMs, summary }) => delayMs > 0 && summary.tests > 0);
  return {
    right: right(result),
    fast: sober(fast(result.summary)),
    delayed: slower.map((row) => sober(delayed(row))),
  };
}

/** All statements of a verdict, in the order in which they are read. */
export function statements(result: VerifyResult): readonly Statement[] {
  const { right, fast, delayed } = verdict(result);
  return [right, fast, ...delayed];
}

function right(result: VerifyResult): Statement {
  const { outcome, agreement, broken, incomplete, schedules } = result;
  if (outcome === "imported") {
    return { mood: "open", word: "Imported", text: "times only, what the tests said is not known" };
  }
  if (outcome === "not-run") {
    return { mood: "open", word: "Not verified", text: "not all tests were compared" };
  }
  const agree = agreement === null ? "" : agreed(agreement);
  if (outcome === "broken") {
    const broke = `the rewrite breaks ${counted(broken.length, "test")}`;
    return { mood: "bad", word: "Wrong", text: agree === "" ? broke : `${broke}; ${agree}` };
  }
  if (incomplete.length > 0) {
    return { mood: "open", word: "Not complete", text: `${agree}, but ${unfinished(incomplete)}` };
  }
  if (agreement?.affected === 0) {
    return { mood: "open", word: "Not tested", text: `${agree}, but none runs the rewritten code` };
  }
  return { mood: "good", word: "Right", text: agree + underSchedules(schedules) };
}

function underSchedules(schedules: Schedules | undefined): string {
  if (schedules === undefined || schedules.tests === 0) return "";
  const { run, tests, failing } = schedules;
  const what = failing ? "delays and failures" : "delays";
  return `; so ${tests === 1 ? "does" : "do"} ${counted(tests, "test")} under ${counted(run, "schedule")} of ${what}`;
}

function agreed({ agreeing, tests }: Agreement): string {
  const say = agreeing === 1 || tests === 1 ? "says" : "say";
  return `${agreeing} of ${counted(tests, "test")} ${say} the same before and after the rewrite`;
}

function unfinished(incomplete: VerifyResult["incomplete"]): string {
  const [first, ...more] = incomplete.map(({ file }) => file);
  const files =
    more.length === 0 ? first : `${first ?? ""} and ${counted(more.length, "other file")}`;
  return `not all tests of ${files} ran, and those that did not were compared with nothing`;
}

function fast(summary: Summary): Statement {
  const { tests, geometricChange: change, interval } = summary;
  if (tests === 0) {
    return {
      mood: "open",
      word: "Not timed",
      text: "no test that runs the rewritten code was timed",
    };
  }
  const average = `tests that run the rewritten code take ${timeTaken(change)} on average`;
  if (interval === undefined) {
    const text = `${average}, which chance may explain; --runs says how often each is timed`;
    return { mood: "open", word: "Too few runs", text };
  }
  const sure = `(95% interval: ${lessOrMoreRange(interval)})`;
  const [low, high] = interval;
  if (low > 0) {
    return { mood: "good", word: "Faster", text: `${average} ${sure}${others(summary, "slower")}` };
  }
  if (high < 0) {
    return { mood: "bad", word: "Slower", text: `${average} ${sure}${others(summary, "faster")}` };
  }
  return unclear(summary, average, sure);
}

/** What there is to say where the average of all tests may be chance: single tests may not be. */
function unclear(summary: Summary, average: string, sure: string): Statement {
  const { tests, significantAdjusted: faster, slowerAdjusted: slower, interval } = summary;
  if (faster + slower > 0) {
    const word = slower === 0 ? "Faster in part" : faster === 0 ? "Slower in part" : "Mixed";
    const counts = [beyondChance(faster, "less"), beyondChance(slower, "more")];
    const text = `of ${counted(tests, "test")} that run the rewritten code, ${counts.filter((it) => it !== "").join(" and ")}`;
    const all = `all together, they take ${timeTaken(summary.geometricChange)} on average ${sure}`;
    return { mood: slower === 0 ? "good" : "bad", word, text: `${text}; ${all}` };
  }
  const [low, high] = interval ?? [0, 0];
  if (Math.max(-low, high) <= HARDLY) {
    return { mood: "open", word: "No change shown", text: `${average} ${sure}` };
  }
  const text = `${average}, but the runs differ so much that this may be chance ${sure}; more --runs tell more`;
  return { mood: "open", word: "Not clear", text };
}

function beyondChance(count: number, which: "less" | "more"): string {
  if (count === 0) return "";
  return `${count} ${count === 1 ? "takes" : "take"} ${which} time beyond chance`;
}

/** Tests that went the other way than the average did. */
function others(summary: Summary, way: "slower" | "faster"): string {
  const count = way === "slower" ? summary.slowerAdjusted : summary.significantAdjusted;
  const found = beyondChance(count, way === "slower" ? "more" : "less");
  return found === "" ? "" : `; ${found}`;
}

function delayed({ delayMs, summary }: LatencyRow): Statement {
  const { geometricChange: change, interval } = summary;
  const [low = 0, high = 0] = interval ?? [];
  const sure =
    interval === undefined
      ? ", which chance may explain"
      : ` (95% interval: ${lessOrMoreRange(interval)})`;
  return {
    mood: low > 0 ? "good" : high < 0 ? "bad" : "open",
    word: `With ${delayMs} ms more`,
    text: `where each rewritten operation takes ${delayMs} ms longer, they take ${timeTaken(change)}${sure}`,
  };
}

/** `7.1% less time`, `the same time`. */
function timeTaken(change: number): string {
  const text = lessOrMore(change);
  return text === "no change" ? "the same time" : `${text} time`;
}

/** The averages side by side, with what each means: they can differ a lot. */
export function averages(
  summary: Summary,
): { name: string; value: number; meaning: string; interval?: readonly [number, number] }[] {
  const { interval } = summary;
  return [
    {
      name: "Geometric mean",
      value: summary.geometricChange,
      meaning: "Each test counts the same, and twice as fast cancels half as fast. The headline.",
      ...(interval === undefined ? {} : { interval }),
    },
    {
      name: "Plain mean",
      value: summary.meanChange,
      meaning: "The mean of what each test saves. Tests that got slower weigh more.",
    },
    {
      name: "Harmonic mean",
      value: summary.harmonicChange,
      meaning:
        "What the ReSynchronizer paper prints. Tests that got faster weigh more: it flatters.",
    },
    {
      name: "Total time",
      value: summary.totalChange,
      meaning: "All timed tests in a row. The longest tests decide.",
    },
  ];
}
