import { useEffect } from "preact/hooks";

import { Facts } from "../shared/facts.js";
import { Frame } from "../shared/frame.js";
import { Notes } from "../shared/notes.js";
import { printWhole } from "../shared/print.js";
import { many, shortened } from "../trace/format.js";
import type { WaterfallsReport } from "../waterfalls/report.js";
import { COMPUTED, facts, headline } from "../waterfalls/words.js";
import { Route } from "./route.js";

/** The whole page. */
export function App({ report }: { report: WaterfallsReport }) {
  useEffect(printWhole, []);
  const { routes, routesLeft, tool } = report;
  const most = Math.max(...routes.map(({ atMostMs }) => atMostMs));
  return (
    <Frame name="waterfalls" skip="Skip to the summary" footer={tool}>
      <Head report={report} />
      {routes.length > 0 && (
        <section aria-labelledby="routes">
          <h2 id="routes">Where requests wait</h2>
          <p class="lead">
            The routes whose operations wait for one another, the costliest first. The bars show
            what would be saved if all of that ran at once, and, filled, what the rewrites offered
            here save of it.
          </p>
          {routes.map((route, index) => (
            <Route key={index} route={route} report={report} most={most} isFirst={index === 0} />
          ))}
          {routesLeft > 0 && (
            <p class="small">
              {many(routesLeft, "more route")} left out, which {routesLeft === 1 ? "costs" : "cost"}{" "}
              less than these.
            </p>
          )}
        </section>
      )}
    </Frame>
  );
}

function Head({ report }: { report: WaterfallsReport }) {
  const { traces, project, notes } = report;
  return (
    <section class="hero" aria-labelledby="subject">
      <p class="eyebrow">What waits needlessly in production</p>
      <h1 id="subject">{headline(report)}</h1>
      <p class="dim origin">
        <bdi>
          {shortened(project, 200)}, as {shortened(traces.join(", "), 200)}{" "}
          {traces.length === 1 ? "shows" : "show"} it.
        </bdi>
      </p>
      <Facts facts={facts(report)} />
      <Notes notes={notes} />
      <p class="small dim">{COMPUTED}</p>
    </section>
  );
}
