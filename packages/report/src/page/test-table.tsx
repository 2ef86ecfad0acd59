import { useState } from "preact/hooks";

import { duration, probability, lessOrMore, lessOrMoreRange } from "../format.js";
import type { Group, JudgedTest } from "./judged.js";
import { More } from "../shared/controls.js";
import { Table, type Heading } from "../shared/table.js";

const HEADINGS: readonly Heading[] = [
  ["Test", "name"],
  ["Time", "number"],
  ["95% interval", "number wide"],
  ["Before", "number wide"],
  ["After", "number wide"],
  ["Corrected p", "number wide"],
  ["Change", "wide"],
];

/** Rows before the reader asks for all. */
const FIRST = 10;

const WORDS: Readonly<Record<Group, string>> = {
  faster: "faster",
  slower: "slower",
  unclear: "no clear change",
  clock: "too short",
};

interface TestTableProps {
  readonly tests: readonly JudgedTest[];
  readonly chosenId: string;
  readonly choose: (id: string) => void;
}

/** The figures of the scatter plot; a button in each row shows the test's runs. */
export function TestTable({ tests, chosenId, choose }: TestTableProps) {
  const [isWhole, setWhole] = useState(false);
  const rows = isWhole ? tests : tests.slice(0, FIRST);
  if (tests.length === 0) return null;
  return (
    <>
      <Table label="Table of the tests" headings={HEADINGS} kind="tests">
        {rows.map((test) => (
          <Row key={test.test.id} judged={test} chosenId={chosenId} choose={choose} />
        ))}
      </Table>
      <More first={FIRST} total={tests.length} isWhole={isWhole} setWhole={setWhole} />
    </>
  );
}

function Row(props: { judged: JudgedTest; chosenId: string; choose: (id: string) => void }) {
  const { test, number, change, interval, group } = props.judged;
  const { statistics } = test;
  const isChosen = test.id === props.chosenId;
  return (
    <tr class={isChosen ? "chosen" : ""}>
      <th scope="row">
        <button
          type="button"
          class="link"
          aria-pressed={isChosen}
          onClick={() => {
            props.choose(test.id);
          }}
        >
          {number}. {test.name}
        </button>
        {test.file !== "" && <span class="place">{test.file}</span>}
      </th>
      <td class="number">
        {change === null ? "–" : lessOrMore(change)}
        <span class={`word narrow ${group}`}>{WORDS[group]}</span>
      </td>
      <td class="number wide">{lessOrMoreRange(interval)}</td>
      <td class="number wide">{duration(statistics.mean1)}</td>
      <td class="number wide">{duration(statistics.mean2)}</td>
      <td class="number wide">{probability(statistics.adjustedP)}</td>
      <td class={`word wide ${group}`}>{WORDS[group]}</td>
    </tr>
  );
}
