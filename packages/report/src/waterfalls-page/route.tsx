import { Fragment } from "preact";

import { Prose } from "../shared/prose.js";
import { many, time } from "../trace/format.js";
import type { RequestRoute, WaterfallsReport } from "../waterfalls/report.js";
import { AT_MOST, change, measuredText, routeName, savedText } from "../waterfalls/words.js";
import { FindingCard } from "./finding.js";
import { Picture } from "./picture.js";
import { PlaceLink } from "./place.js";

interface RouteProps {
  readonly route: RequestRoute;
  readonly report: WaterfallsReport;
  /** The most that any of them costs. */
  readonly most: number;
  /** The first is open from the start. */
  readonly isFirst: boolean;
}

/** Requests of one name: a line that can be opened. */
export function Route({ route, report, most, isFirst }: RouteProps) {
  const { typical, findings, atMostMs, measured } = route;
  return (
    <details class="route" open={isFirst}>
      <RouteLine route={route} most={most} />
      <p class="dim">
        {savedText(route)}{" "}
        <span title={AT_MOST}>
          If all that waits in them ran at once, it would be {time(atMostMs)} at most.
        </span>
      </p>
      {measured !== undefined && (
        <p>
          <strong>Measured:</strong> {measuredText(measured)}.
        </p>
      )}
      {typical === undefined ? (
        <p class="dim">No request of it is in the trace as a whole.</p>
      ) : (
        <Picture route={route} typical={typical} report={report} />
      )}
      {findings.map((at) => {
        const finding = report.findings[at];
        return (
          finding !== undefined && (
            <FindingCard key={at} finding={finding} number={at} project={report.project} />
          )
        );
      })}
      <Obstacles route={route} project={report.project} />
    </details>
  );
}

function RouteLine({ route, most }: Pick<RouteProps, "route" | "most">) {
  const { typical, requests, savedMs, atMostMs } = route;
  const width = (value: number): string =>
    `${most === 0 ? 0 : (100 * Math.min(value, most)) / most}%`;
  return (
    <summary>
      <span class="route-name">
        <bdi>{routeName(route)}</bdi> <span class="count">{many(requests, "request")}</span>
      </span>
      <span class="route-times">
        {typical === undefined || typical.afterMs === typical.beforeMs ? (
          <span class="dim">{typical === undefined ? "" : time(typical.beforeMs)}</span>
        ) : (
          <>
            {time(typical.beforeMs)}
            <span class="hidden"> before,</span> <span aria-hidden="true">→</span>{" "}
            <strong>{time(typical.afterMs)}</strong>
            <span class="hidden"> after,</span> <span class="less">{change(typical)}</span>
          </>
        )}
      </span>
      <span class="cost" aria-hidden="true">
        <span style={{ width: width(atMostMs) }} />
        <span style={{ width: width(savedMs) }} />
      </span>
    </summary>
  );
}

function Obstacles({ route, project }: { route: RequestRoute; project: string }) {
  const { obstacles, findings } = route;
  if (obstacles.length === 0) return null;
  return (
    <article class="card">
      <h3>What stands in the way{findings.length > 0 ? " of more" : ""}</h3>
      <ul class="plain">
        {obstacles.map(({ places, text }, index) => (
          <li key={index}>
            {places.map((place, at) => (
              <Fragment key={at}>
                {at > 0 && ", "}
                <PlaceLink place={place} project={project} />
              </Fragment>
            ))}
            {places.length > 0 && ": "}
            <Prose text={text} />
          </li>
        ))}
      </ul>
    </article>
  );
}
