import { share, time, whole } from "../../trace/format.js";
import { meaning } from "../../trace/kinds.js";
import { ROOT, type Id, type Measure, type Tree } from "./model.js";
import { FIRST, type Row } from "./rows.js";
import { amount, nameOf } from "./words.js";

/** Rows further down are not moved in further. */
const DEEPEST = 12;

interface GridRowProps {
  readonly tree: Tree;
  readonly folder: string | undefined;
  readonly measure: Measure;
  readonly top: Id;
  readonly row: Row;
  readonly isOpen: boolean;
  /** Whether it is the row that the Tab key leads to. */
  readonly isCurrent: boolean;
  readonly focus: () => void;
  readonly toggle: () => void;
}

/** A row of the table of the tree. */
export function GridRow(props: GridRowProps) {
  const { tree, row, isOpen, isCurrent, focus, toggle } = props;
  const hasMore = row.kind === "node" && tree.size(row.id) > 1;
  return (
    <tr
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.among}
      aria-expanded={hasMore ? isOpen : undefined}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={focus}
      style={{ "--level": Math.min(row.level - 1, DEEPEST) }}
    >
      {row.kind === "more" ? <More row={row} toggle={toggle} /> : <Node {...props} />}
    </tr>
  );
}

function More({ row, toggle }: { row: Row; toggle: () => void }) {
  const left = row.among - row.place + 1;
  const more = Math.min(left, 5 * FIRST);
  return (
    <td colSpan={6} class="node" onClick={toggle}>
      <span class="sign-open" aria-hidden="true">
        +
      </span>
      Show {whole(more)} more of {whole(left)}
    </td>
  );
}

function Node({ tree, folder, measure, top, row, isOpen, toggle }: GridRowProps) {
  const { id, level } = row;
  const { kind, site } = nameOf(tree, id, folder);
  const { runs, ran, waited, interrupted } = tree.node(id);
  const total = tree.total(id, measure);
  const isRoot = id === ROOT;
  const isTimed = !isRoot && tree.timed;
  const what = isRoot ? "" : meaning(kind);
  return (
    <>
      <td class="node" onClick={toggle}>
        <span class="sign-open" aria-hidden="true">
          {tree.size(id) === 1 ? "" : isOpen ? "▾" : "▸"}
        </span>
        <bdi>{kind}</bdi>
        {what !== "" && <span class="dim"> {what}</span>}
        {level > DEEPEST + 1 && <span class="dim"> (level {level})</span>}
        {site !== "" && (
          <span class="place">
            <bdi>{site}</bdi>
          </span>
        )}
      </td>
      <td class="number">{isRoot ? "\u2013" : whole(runs)}</td>
      <td class="number wide">{isTimed ? time(ran) : "\u2013"}</td>
      <td class="number">{isTimed ? time(waited) : "\u2013"}</td>
      <td class="number wide">{isTimed ? share(interrupted, runs) : "\u2013"}</td>
      <td class="number">
        {share(total, tree.total(top, measure))}
        <span class="place">{amount(total, measure)}</span>
      </td>
    </>
  );
}
