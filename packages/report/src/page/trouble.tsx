import type { BrokenTest, FlakyTest, IncompleteFile, Site, VerifyResult } from "../result.js";

const HOW = {
  failed: "fails",
  hung: "does not end",
  "unhandled-rejection": "leaves a rejection unhandled",
  crashed: "ends the process",
  missing: "does not run any more",
} as const;

/** What broke and what could not be judged, before any figure. */
export function Trouble({
  result: { broken, flaky, incomplete, sites },
}: {
  result: VerifyResult;
}) {
  return (
    <>
      {broken.length > 0 && (
        <section aria-labelledby="broken">
          <h2 id="broken">Broken by the rewrite</h2>
          <p class="lead">These tests pass before the rewrite and not after it.</p>
          {broken.map((test) => (
            <Broken key={test.id} test={test} sites={sites} />
          ))}
        </section>
      )}
      {incomplete.length > 0 && <Incomplete files={incomplete} />}
      {flaky.length > 0 && (
        <section aria-labelledby="flaky">
          <h2 id="flaky">Flaky before the rewrite</h2>
          <p class="lead">
            These tests pass in some runs of the original and fail in others. They are left out.
          </p>
          <ul class="plain">
            {flaky.map((test) => (
              <Flaky key={test.id} test={test} />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Broken({ test, sites }: { test: BrokenTest; sites: readonly Site[] }) {
  const suspects = test.blamed === undefined ? test.sites : [test.blamed];
  return (
    <article class="card bad">
      <h3>
        {test.name} <span class="dim">{HOW[test.how]}</span>
      </h3>
      {test.file !== "" && <p class="place">{test.file}</p>}
      {test.seed !== undefined && (
        <p>
          Under schedule {test.seed} only: the same command with <code>--seed {test.seed}</code>{" "}
          shows it again.
        </p>
      )}
      {test.message !== "" && (
        <pre class="scroll" tabIndex={0} aria-label="What the runner says">
          {test.message}
        </pre>
      )}
      <p>
        {test.blamed === undefined ? "It executes " : "To blame is "}
        {suspects.map((id, index) => (
          <span key={id}>
            {index > 0 && ", "}
            <SiteLink id={id} sites={sites} />
          </span>
        ))}
        {suspects.length === 0 && "no rewritten place itself"}.
      </p>
    </article>
  );
}

/** Leads to the diff of a site. */
export function SiteLink({ id, sites }: { id: number; sites: readonly Site[] }) {
  const site = sites.find((each) => each.id === id);
  if (site === undefined) return <span>place {id}</span>;
  return (
    <a href={`#site-${id}`}>
      {site.file}:{site.line}
    </a>
  );
}

function Incomplete({ files }: { files: readonly IncompleteFile[] }) {
  return (
    <section aria-labelledby="incomplete">
      <h2 id="incomplete">Not all tests ran</h2>
      <p class="lead">
        These files ended before all of their tests had run, with nothing rewritten. What did not
        run was not compared.
      </p>
      <ul class="plain">
        {files.map(({ file, reason }) => (
          <li key={file}>
            {file} <span class="dim">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Flaky({ test }: { test: FlakyTest }) {
  return (
    <li>
      {test.name}{" "}
      <span class="dim">
        passed {test.passed}, failed {test.failed}
      </span>
    </li>
  );
}
