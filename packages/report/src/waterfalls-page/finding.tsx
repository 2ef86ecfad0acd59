import { Copy } from "../shared/copy.js";
import { Diff } from "../shared/diff.js";
import { Prose } from "../shared/prose.js";
import type { OfferedFinding } from "../waterfalls/report.js";
import { placeText } from "../waterfalls/words.js";
import { PlaceLink } from "./place.js";

interface FindingCardProps {
  readonly finding: OfferedFinding;
  readonly number: number;
  readonly project: string;
}

/** A rewrite: where, what, what it rests on, and how to have it. */
export function FindingCard({ finding, number, project }: FindingCardProps) {
  const { rule, level, message, diff, command } = finding;
  return (
    <article class="card" aria-label={`Rewrite at ${placeText(finding)}`}>
      <h3>
        <Mark number={number} /> <PlaceLink place={finding} project={project} />{" "}
        <span class={`badge ${level === "safe" ? "safe" : "likely"}`}>{level}</span>
      </h3>
      <p>
        <Prose text={sentence(message)} />. <span class="dim">({rule})</span>
      </p>
      <Diff text={diff} name={placeText(finding)} />
      <p class="actions">
        <Copy text={diff}>Copy as a patch</Copy>
      </p>
      <Assumptions assumptions={finding.assumptions} />
      <p class="small dim">
        In <bdi>{project}</bdi>, with all else of that level that the file has:
      </p>
      <p class="command">
        <code>{command}</code> <Copy text={command}>Copy</Copy>
      </p>
    </article>
  );
}

/** With a capital, unless code comes first. */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
}

/** The number of a finding, as it stands at bars. */
export function Mark({ number }: { number: number }) {
  return (
    <span class="finding-mark" title={`Rewrite ${number + 1}`}>
      {number + 1}
    </span>
  );
}

function Assumptions({ assumptions }: Pick<OfferedFinding, "assumptions">) {
  if (assumptions.length === 0) return <p>It rests on no assumption.</p>;
  return (
    <>
      <p>It rests on {assumptions.length === 1 ? "this" : "these"}:</p>
      <ul class="plain">
        {assumptions.map((text, index) => (
          <li key={index}>
            <Prose text={text} />
          </li>
        ))}
      </ul>
    </>
  );
}
