import { stepOf, timeAxis } from "../format.js";
import { many, shortened, time } from "../trace/format.js";
import type {
  RequestBar,
  RequestRoute,
  TypicalRequest,
  WaterfallsReport,
} from "../waterfalls/report.js";
import { change, routeName, typicalText } from "../waterfalls/words.js";
import { Mark } from "./finding.js";
import { PlaceLink } from "./place.js";

interface PictureProps {
  readonly route: RequestRoute;
  readonly typical: TypicalRequest;
  readonly report: WaterfallsReport;
}

/** When the operations of a request were under way, and when they would be, on one scale. */
export function Picture({ route, typical, report }: PictureProps) {
  const { beforeMs, afterMs, barsLeft } = typical;
  const shared = { route, typical, project: report.project };
  return (
    <figure class="waterfall">
      <figcaption>{typicalText(route)}.</figcaption>
      <Group {...shared} title="Before" when="before" took={beforeMs} note="as it was recorded" />
      {route.savedMs > 0 && (
        <Group
          {...shared}
          title="After"
          when="after"
          took={afterMs}
          note={`${change(typical)}; computed from the trace, not measured`}
        />
      )}
      {barsLeft > 0 && (
        <p class="small dim">
          {many(barsLeft, "more span")} of this request left out, the shortest; the times are of
          all.
        </p>
      )}
    </figure>
  );
}

interface GroupProps extends Pick<PictureProps, "route" | "typical"> {
  readonly project: string;
  readonly title: string;
  readonly when: "before" | "after";
  readonly took: number;
  readonly note: string;
}

function Group({ route, typical, project, title, when, took, note }: GroupProps) {
  const { beforeMs, bars } = typical;
  const step = stepOf(beforeMs, 5);
  const grid = { "--step": `${beforeMs === 0 ? 100 : (100 * step) / beforeMs}%` };
  return (
    <div class={`bars ${when}`} style={grid}>
      <h3>
        {title}: {time(took)} <span class="dim">{note}</span>
      </h3>
      <ul>
        <li class="all">
          <span class="bar-name">
            <bdi>{routeName(route)}</bdi>
          </span>
          <Track from={0} to={took} all={beforeMs} />
          <span class="bar-time">{time(took)}</span>
        </li>
        {bars.map((bar, index) => (
          <BarRow key={index} {...{ bar, when, all: beforeMs, project }} />
        ))}
      </ul>
      <Axis all={beforeMs} step={step} />
    </div>
  );
}

interface BarRowProps {
  readonly bar: RequestBar;
  readonly when: "before" | "after";
  readonly all: number;
  readonly project: string;
}

function BarRow({ bar, when, all, project }: BarRowProps) {
  const { name, place, depth, finding } = bar;
  const [from, to] = when === "before" ? [bar.startMs, bar.endMs] : [bar.newStartMs, bar.newEndMs];
  const kind = finding === undefined ? "" : "found";
  return (
    <li class={kind}>
      <span class="bar-name" style={{ paddingInlineStart: `${12 * Math.min(depth, 8)}px` }}>
        {finding !== undefined && <Mark number={finding} />}
        {place !== undefined && <PlaceLink place={place} project={project} />}{" "}
        <bdi class="dim" title={name}>
          {shortened(name, 120)}
        </bdi>
      </span>
      <Track from={from} to={to} all={all} />
      <span class="bar-time">
        {time(to - from)}
        <span class="hidden">, from {time(from)} on</span>
      </span>
    </li>
  );
}

function Track({ from, to, all }: { from: number; to: number; all: number }) {
  const part = (value: number): number => (all === 0 ? 0 : (100 * value) / all);
  // What begins after the end of the request goes on behind it.
  const left = Math.min(100, Math.max(0, part(from)));
  const width = Math.min(100 - left, Math.max(0, part(to) - left));
  return (
    <span class="track" aria-hidden="true">
      <span style={{ left: `${left}%`, width: `${width}%` }} />
    </span>
  );
}

function Axis({ all, step }: { all: number; step: number }) {
  const { unit, tick } = timeAxis(all);
  const count = step > 0 ? Math.floor(all / step + 1e-9) : 0;
  return (
    <div class="axis" aria-hidden="true">
      <span class="ticks">
        {Array.from({ length: count + 1 }, (_, at) => (
          <span key={at} style={{ left: `${all === 0 ? 0 : (100 * at * step) / all}%` }}>
            {tick(at * step)}
            {at === count ? ` ${unit}` : ""}
          </span>
        ))}
      </span>
    </div>
  );
}
