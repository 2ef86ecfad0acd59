import type { Operation, Site, VerifyResult } from "../result.js";
import { Diff } from "../shared/diff.js";
import { Prose } from "../shared/prose.js";
import { Overlap } from "./overlap.js";

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
        <Overlap timeline={site.timeline} />
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
      The rewrite words these operations in another way, so they are not found again in the
      rewritten code, and neither delayed nor drawn:{" "}
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
