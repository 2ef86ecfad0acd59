import { SHAPE_COLUMNS, SHAPES, SUBTREES } from "../trace/columns.js";
import type { TraceReport } from "../trace/report.js";
import type { View } from "./app.js";
import { ColumnTable } from "./column-table.js";
import { Untimed } from "./untimed.js";

/** The potentially atomic subtrees by limit and shape: the paper's table. */
export function Subtrees({ report, view }: { report: TraceReport; view: View }) {
  return (
    <section aria-labelledby="subtrees">
      <h2 id="subtrees">Potentially atomic subtrees</h2>
      <p class="lead">{SUBTREES}</p>
      {report[view].timed ? (
        <ColumnTable
          label="Potentially atomic subtrees by limit and shape"
          kind="shapes"
          columns={SHAPE_COLUMNS}
          rows={report[view].subtrees}
        />
      ) : (
        <Untimed />
      )}
      <dl class="rows">
        {SHAPES.map(([name, meaning]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
