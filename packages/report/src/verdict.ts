import { counted, percent } from "./format.js";
import type { Summary, VerifyResult } from "./result.js";

/** What a verification comes to: the first lines of the report and of the terminal. */
export interface Verdict {
  readonly right: Statement;
  readonly fast: Statement;
}

/** One sentence, split where its first word stands out. */
export interface Statement {
  readonly mood: "good" | "bad" | "open";
  readonly word: string;
  readonly text: string;
}

/** Says whether the program is still right, and how much faster it is. */
export function verdict(result: VerifyResult): Verdict {
  const faster = fast(result);
  // Speed is no good news where the program is wrong.
  const isWrong = result.outcome === "broken" && faster.mood === "good";
  return { right: right(result), fast: isWrong ? { ...faster, mood: "open" } : faster };
}

function right({ outcome, agreement, broken }: VerifyResult): Statement {
  if (outcome === "imported") {
    return { mood: "open", word: "Imported", text: "times only, what the tests said is not known" };
  }
  if (outcome === "not-run") {
    return { mood: "open", word: "Not verified", text: "not all tests were compared" };
  }
  const agree =
    agreement === null ? "" : `${agreement.agreeing} of ${tests(agreement.tests)} agree`;
  if (outcome === "verified") return { mood: "good", word: "Right", text: agree };
  const broke = `the rewrite breaks ${counted(broken.length, "test")}`;
  return { mood: "bad", word: "Wrong", text: agree === "" ? broke : `${broke}, ${agree}` };
}

function fast({ summary }: VerifyResult): Statement {
  if (summary.tests === 0) {
    return { mood: "open", word: "Not timed", text: "no affected test was timed" };
  }
  const { geometricChange: change, interval } = summary;
  if (interval === undefined) {
    const text = `affected tests take ${less(change)}, which chance may explain`;
    return { mood: "open", word: "Too few runs", text };
  }
  const [low, high] = interval;
  const sure = ` (95% interval ${bounds(low, high)})`;
  const text = `affected tests take ${less(change)} on average${sure}`;
  if (low > 0) return { mood: "good", word: "Faster", text };
  if (high < 0) return { mood: "bad", word: "Slower", text };
  return { mood: "open", word: "No change shown", text };
}

function less(change: number): string {
  return `${percent(change)} ${change < 0 ? "more" : "less"} time`;
}

function bounds(low: number, high: number): string {
  if (low >= 0) return `${digits(low)} to ${digits(high)}`;
  if (high <= 0) return `${digits(-high)} to ${digits(-low)}`;
  return `from ${percent(low)} more to ${percent(high)} less`;
}

function digits(value: number): string {
  return percent(value).replace("%", "");
}

function tests(count: number): string {
  return counted(count, "test");
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
      meaning: "All affected tests in a row. The longest tests decide.",
    },
  ];
}
