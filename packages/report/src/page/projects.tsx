import { lessOrMore, lessOrMoreRange } from "../format.js";
import type { VerifyResult } from "../result.js";
import { Table, type Heading } from "../shared/table.js";

const HEADINGS: readonly Heading[] = [
  ["Project"],
  ["Tests", "number"],
  ["Time", "number"],
  ["95% interval", "number wide"],
  ["Plain", "number wide"],
  ["Harmonic", "number wide"],
  ["Total", "number wide"],
];

interface ProjectsProps {
  readonly results: readonly VerifyResult[];
  readonly chosen: number;
  readonly choose: (index: number) => void;
}

/** All results at a glance; one is shown below. */
export function Projects({ results, chosen, choose }: ProjectsProps) {
  return (
    <section aria-labelledby="projects">
      <h2 id="projects">{results.length} projects</h2>
      <Table label="All projects" headings={HEADINGS} kind="tall">
        {results.map((result, index) => (
          <Row
            key={result.project}
            result={result}
            isChosen={index === chosen}
            choose={() => {
              choose(index);
            }}
          />
        ))}
      </Table>
    </section>
  );
}

function Row(props: { result: VerifyResult; isChosen: boolean; choose: () => void }) {
  const { project, summary } = props.result;
  const { interval } = summary;
  return (
    <tr class={props.isChosen ? "chosen" : ""}>
      <th scope="row">
        <button type="button" class="link" aria-pressed={props.isChosen} onClick={props.choose}>
          {project}
        </button>
      </th>
      <td class="number">{summary.tests}</td>
      <td class="number">{lessOrMore(summary.geometricChange)}</td>
      <td class="number wide">{lessOrMoreRange(interval)}</td>
      <td class="number wide">{lessOrMore(summary.meanChange)}</td>
      <td class="number wide">{lessOrMore(summary.harmonicChange)}</td>
      <td class="number wide">{lessOrMore(summary.totalChange)}</td>
    </tr>
  );
}
