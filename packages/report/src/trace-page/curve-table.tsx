import { Table, type Heading } from "../shared/table.js";
import type { Cell } from "../trace/columns.js";
import { atMost, quantile, type Distribution } from "../trace/distribution.js";
import { share, whole } from "../trace/format.js";
import type { Axis } from "./axis.js";
import type { Figure } from "./figure-list.js";

interface Row {
  readonly name: string;
  readonly cell: (distribution: Distribution) => Cell;
}

/** The data of a figure at the points that people ask for. */
export function CurveTable({ figure: { title, axis, lines } }: { figure: Figure }) {
  const headings: Heading[] = [["Figure"], ...lines.map(({ name }) => [name, "number"] as const)];
  return (
    <details>
      <summary>Table: {title.charAt(0).toLowerCase() + title.slice(1)}</summary>
      <Table label={title} headings={headings} kind="curve">
        {rows(axis).map(({ name, cell }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {lines.map(({ name: line, distribution }) => {
              const { text, below } = cell(distribution);
              return (
                <td key={line} class="number">
                  {text}
                  {below !== undefined && <span class="place">{below}</span>}
                </td>
              );
            })}
          </tr>
        ))}
      </Table>
    </details>
  );
}

function rows({ limits, text }: Axis): Row[] {
  const part = (name: string, of: number): Row => ({
    name,
    cell: (distribution) => {
      const value = quantile(distribution, of);
      return { text: value === undefined ? "\u2013" : text(value) };
    },
  });
  return [
    { name: "n", cell: ({ count }) => ({ text: whole(count) }) },
    ...limits.map((limit) => ({
      name: `at most ${text(limit)}`,
      cell: (distribution: Distribution) => {
        const below = atMost(distribution, limit);
        return { text: whole(below), below: share(below, distribution.count) };
      },
    })),
    part("a quarter at most", 0.25),
    part("half at most", 0.5),
    part("three quarters at most", 0.75),
    part("99% at most", 0.99),
    {
      name: "the largest",
      cell: ({ count, max }) => ({ text: count === 0 ? "\u2013" : text(max) }),
    },
  ];
}
