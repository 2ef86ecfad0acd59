import { useState } from "preact/hooks";

import type { VerifyResult } from "../result.js";
import { Frame } from "../shared/frame.js";
import { Latency } from "./latency.js";
import { Method } from "./method.js";
import { Projects } from "./projects.js";
import { Sites } from "./sites.js";
import { Summary } from "./summary.js";
import { Tests } from "./tests.js";
import { Trouble } from "./trouble.js";

/** The whole report. */
export function App({ results }: { results: readonly VerifyResult[] }) {
  const [chosen, choose] = useState(0);
  const result = results[chosen];
  if (result === undefined) return null;
  return (
    <Frame
      name="verify"
      skip="Skip to the result"
      footer={`${result.tool} · ${day(result.createdAt)}`}
    >
      {results.length > 1 && <Projects results={results} chosen={chosen} choose={choose} />}
      {/* The key makes filters and choices start afresh with each project. */}
      <Result key={chosen} result={result} />
    </Frame>
  );
}

function Result({ result }: { result: VerifyResult }) {
  return (
    <>
      <Summary result={result} />
      <Trouble result={result} />
      {result.tests.length > 0 && <Tests result={result} />}
      {result.latency.length > 0 && <Latency rows={result.latency} />}
      {result.sites.length > 0 && <Sites result={result} />}
      <Method result={result} />
    </>
  );
}

/** The day alone, as it stands in the data: no time zone changes it. */
function day(createdAt: string): string {
  return createdAt.slice(0, 10);
}
