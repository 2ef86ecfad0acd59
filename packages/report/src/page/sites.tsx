import { useCallback } from "preact/hooks";

import { duration } from "../format.js";
import type { Operation, Site, Span, Timeline, VerifyResult } from "../result.js";
import { Chart } from "./chart.js";
import { Diff } from "./diff.js";
import { timeline } from "./timeline.js";

/** What was rewritten: the diff of each place, and what it does to its operations. */
export function Sites({ result: { sites, tests } }: { result: VerifyResult }) {
  return (
    <section aria-labelledby="sites">
      <h2 id="sites">What was rewritten</h2>
      {sites.map((site) => (
        <SiteCard
          key={site.id}
          site={site}
          tests={tests.filter((test) => test.sites.includes(site.id)).length}
        />
      ))}
    </section>
  );
}

function SiteCard({ site, tests }: { site: Site; tests: number }) {
  return (
    <article
      class="card"
      id={`site-${site.id}`}
      aria-labelledby={`site-${site.id}-name`}
      tabIndex={-1}
    >
      <h3 id={`site-${site.id}-name`}>
        {site.file}:{site.line} <span class={`badge ${site.level}`}>{site.level}</span>
      </h3>
      <p>
        <Prose text={site.title} />.{" "}
        <span class="dim">Timed tests that run through it: {tests}.</span>
      </p>
      {site.timeline === undefined ? (
        <p class="dim">No test showed when its operations are under way.</p>
      ) : (
        <Overlap spans={site.timeline} />
      )}
      <Lost operations={site.operations} />
      <Diff text={site.diff} name={`${site.file}:${site.line}`} />
    </article>
  );
}

/** Which operations no figure is about. */
function Lost({ operations }: { operations: readonly Operation[] }) {
  const lost = operations.filter((it) => it.lost);
  if (lost.length === 0) return null;
  return (
    <p>
      Not found again behind the rewrite, which words it in another way, and so neither delayed nor
      drawn:{" "}
      {lost.map(({ label }, index) => (
        <>
          {index > 0 && ", "}
          <code>{label}</code>
        </>
      ))}
      .
    </p>
  );
}

/** Text with code between backticks. */
function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

function Overlap({ spans }: { spans: Timeline }) {
  const draw = useCallback((width: number) => timeline(spans, width), [spans]);
  const [before, after] = [took(spans.original), took(spans.rewritten)];
  return (
    <figure>
      <figcaption>
        Under way in one run: {duration(before)} before, <strong>{duration(after)}</strong> after
      </figcaption>
      <Chart
        draw={draw}
        label={`${described("Before", spans.original)} ${described("After", spans.rewritten)}`}
      />
    </figure>
  );
}

/** From the start of the first operation to the end of the last (ms). */
function took(spans: readonly Span[]): number {
  if (spans.length === 0) return 0;
  return (
    Math.max(...spans.map(({ endMs }) => endMs)) - Math.min(...spans.map(({ startMs }) => startMs))
  );
}

function described(when: string, spans: readonly Span[]): string {
  const parts = spans.map(
    ({ label, startMs, endMs }) => `${label} from ${duration(startMs)} to ${duration(endMs)}`,
  );
  return `${when} the rewrite: ${parts.join(", ")}.`;
}
