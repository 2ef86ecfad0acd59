import { Table, type Sorted } from "../shared/table.js";
import type { Cell, Column } from "../trace/columns.js";

interface ColumnTableProps<Row> {
  readonly label: string;
  readonly kind: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sorted?: Sorted;
}

/** A table of columns that say themselves what stands in them; the first names the row. */
export function ColumnTable<Row>({ label, kind, columns, rows, sorted }: ColumnTableProps<Row>) {
  const headings = columns.map(
    ({ heading, kind: set, meaning }) => [heading, set, meaning] as const,
  );
  return (
    <Table label={label} headings={headings} kind={kind} {...(sorted !== undefined && { sorted })}>
      {rows.map((row, index) => (
        <tr key={index}>
          {columns.map(({ heading, kind: set, cell }, at) =>
            at === 0 ? (
              <th key={heading} scope="row" title={cell(row).whole}>
                <Content cell={cell(row)} />
              </th>
            ) : (
              <td key={heading} class={set ?? ""}>
                <Content cell={cell(row)} />
              </td>
            ),
          )}
        </tr>
      ))}
    </Table>
  );
}

function Content({ cell: { text, below, narrow } }: { cell: Cell }) {
  return (
    <>
      <bdi>{text}</bdi>
      {below !== undefined && (
        <span class="place">
          <bdi>{below}</bdi>
        </span>
      )}
      {narrow !== undefined && <span class="narrow dim">{narrow}</span>}
    </>
  );
}
