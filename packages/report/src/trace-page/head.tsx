import { Rows } from "../shared/table.js";
import { Facts } from "../shared/facts.js";
import { Notes } from "../shared/notes.js";
import { Table, type Heading } from "../shared/table.js";
import { shortened, whole } from "../trace/format.js";
import type { TraceReport, TraceThread } from "../trace/report.js";
import { facts, origin, summary } from "../trace/summary.js";

/** What was recorded, what is to be known of it, and what it shows in a few sentences. */
export function Head({ report }: { report: TraceReport }) {
  const { metadata, threads, notes } = report;
  return (
    <section class="hero" aria-labelledby="subject">
      <p class="eyebrow">How a program waits</p>
      <h1 id="subject">
        <bdi>{shortened(metadata.subject, 300)}</bdi>
      </h1>
      <p class="dim origin">{origin(report)}</p>
      <Facts facts={facts(report)} />
      <Notes notes={notes} />
      <div class="points">
        {summary(report).map(({ word, text }) => (
          <p key={word}>
            <strong>{word}:</strong> <bdi>{text}</bdi>
          </p>
        ))}
      </div>
      <Words />
      {threads.length > 1 && <Threads threads={threads} />}
    </section>
  );
}

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [
    "Continuation",
    "A stretch of JavaScript that runs without a stop: a function that was registered somewhere (a timer, a callback, the code after an await) and is called when its time has come.",
  ],
  [
    "Macrotask, microtask",
    "A macrotask is what the host calls: a timer, a file that was read, a click. Microtasks (what follows an await, a then) run right after it, before the host calls anything else.",
  ],
  ["Parent", "The continuation that ran when another one was registered."],
  [
    "Tree",
    "All that one continuation has led to: what it registered, what that registered, and so on. Each run of something recurring begins a tree of its own, so that each request of a server is one.",
  ],
  [
    "Gap",
    "The time from the end of the parent to the beginning of what it registered. It is interrupted if anything else of the same thread ran in between.",
  ],
  ["Recurring", "Registered once, but run several times: an interval, a server’s listener."],
];

function Words() {
  return (
    <details>
      <summary>What the words mean</summary>
      <Rows rows={WORDS} />
      <p class="small">
        Times are exact up to 3.2 µs; longer ones are rounded down by at most a sixteenth where they
        are counted in curves, medians and tables. Sums and the longest are exact.
      </p>
    </details>
  );
}

const THREADS: readonly Heading[] = [["Thread"], ["Events", "number"], ["Continuations", "number"]];

function Threads({ threads }: { threads: readonly TraceThread[] }) {
  return (
    <details>
      <summary>The {threads.length} threads</summary>
      <Table label="Threads" headings={THREADS}>
        {threads.map(({ name, events, continuations }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi>{shortened(name, 200)}</bdi>
            </th>
            <td class="number">{whole(events)}</td>
            <td class="number">{whole(continuations)}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
