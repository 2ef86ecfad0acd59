import { useEffect, useState } from "preact/hooks";

import type { TraceReport } from "../trace/report.js";
import { Switch } from "../shared/controls.js";
import { Frame } from "../shared/frame.js";
import { printWhole } from "../shared/print.js";
import { Figures } from "./figures.js";
import { Head } from "./head.js";
import { Places } from "./places.js";
import { Subtrees } from "./subtrees.js";
import { TreeSection } from "./tree/section.js";

/** Which continuations are looked at. */
export type View = "microtasks" | "macrotasks";

const VIEWS: readonly (readonly [View, string])[] = [
  ["microtasks", "With microtasks"],
  ["macrotasks", "Macrotasks only"],
];

const MEANINGS: Readonly<Record<View, string>> = {
  microtasks:
    "With microtasks: each one, such as what follows an await, is a continuation of its own, and so is each entry from the host.",
  macrotasks:
    "Macrotasks only: a continuation is an entry from the host, such as a timer or a file that was read, together with all microtasks that follow it.",
};

/** The whole page. */
export function App({ report }: { report: TraceReport }) {
  const [view, setView] = useState<View>(report.microtasks.timed ? "microtasks" : "macrotasks");
  useEffect(printWhole, []);
  return (
    <Frame name="trace" skip="Skip to the summary" footer={report.metadata.recorder}>
      <Head report={report} />
      <div class="views">
        <span aria-hidden="true">View</span>
        <Switch legend="View" name="view" choices={VIEWS} value={view} choose={setView} />
      </div>
      <p class="lead view-meaning" role="status">
        {MEANINGS[view]}
      </p>
      {report.places.length > 0 && (
        <Places places={report.places} folder={report.metadata.folder} view={view} />
      )}
      <Figures report={report} view={view} />
      <Subtrees report={report} view={view} />
      {report.tree.length > 1 && (
        <TreeSection
          nodes={report.tree}
          folder={report.metadata.folder}
          view={view}
          timed={report.microtasks.timed}
        />
      )}
    </Frame>
  );
}
