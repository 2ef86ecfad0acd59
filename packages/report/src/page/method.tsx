import { counted } from "../format.js";
import type { VerifyResult } from "../result.js";
import { Rows } from "../shared/table.js";

const REWRITES = {
  safe: "those that are safe",
  likely: "those that are safe, and likely ones",
} as const;

/** Where the figures come from. */
export function Method({ result }: { result: VerifyResult }) {
  const { machine, notes } = result;
  const rows: [string, string][] = [
    ["Runs", `${counted(result.runs, "run")} of each program${warmup(result.warmup)}`],
    ["Tests", result.runner],
    ...(result.level === null ? [] : [["Rewrites", REWRITES[result.level]] as [string, string]]),
    ...(machine === null
      ? []
      : ([
          ["Machine", `${machine.cpu}, ${counted(machine.cores, "core")}`],
          ["Platform", `${machine.platform}, Node ${machine.node}`],
        ] as [string, string][])),
  ];
  return (
    <section aria-labelledby="method">
      <h2 id="method">How it was measured</h2>
      <Rows rows={rows} />
      {notes.length > 0 && (
        <ul>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      <p class="small">
        A test’s interval is a bootstrap over its runs; that of the average draws whole runs, since
        what slows one run down slows all of its tests. “Beyond chance” is Welch’s t-test after
        Benjamini and Hochberg’s correction for the number of tests, p &lt; 0.05. Tests whose
        difference the steps of the clock hide are marked. The paper is Arteca, Tip and Schäfer,
        “Enabling Additional Parallelism in Asynchronous JavaScript Applications” (ECOOP 2021).
      </p>
    </section>
  );
}

function warmup(runs: number): string {
  return runs === 0 ? "" : `, after ${runs} that do not count`;
}
