import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { isOpen, pressed, toggled, type Change, type Spot } from "./grid-keys.js";
import { GridRow } from "./grid-row.js";
import type { TreeProps } from "./picture.js";
import { opened, rows } from "./rows.js";

const HEADINGS: readonly (readonly [text: string, column: string])[] = [
  ["Kind and place", ""],
  ["Runs", "number"],
  ["Ran", "number wide"],
  ["Waited", "number"],
  ["Interrupted", "number wide"],
  ["With all below", "number"],
];

type GridProps = Omit<TreeProps, "current" | "point"> & {
  /** Whether the row with the focus is to get it again, as it was drawn anew. */
  readonly isToFocus: RefObject<boolean>;
};

/** The tree as a table whose rows open; those that are closed have no elements. */
export function Grid(props: GridProps) {
  const { tree, folder, measure, top } = props;
  const { spot, change, press, body } = useGrid(props);
  return (
    <div class="scroll">
      <table role="treegrid" aria-label="Table of the tree" class="tree" onKeyDown={press}>
        <Head />
        <tbody ref={body}>
          {spot.rows.map((row, index) => (
            <GridRow
              key={`${row.kind} ${row.id}`}
              {...{ tree, folder, measure, top, row }}
              isOpen={isOpen(spot, row)}
              isCurrent={index === spot.place}
              focus={() => {
                change({ place: index });
              }}
              toggle={() => {
                change({ place: index, ...toggled(spot, row) });
              }}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What is open and where the focus is, and what changes that. */
function useGrid({ tree, measure, top, zoom, zoomOut, isToFocus }: GridProps) {
  const [open, setOpen] = useState(() => opened(tree, top, measure));
  const [place, setPlace] = useState(0);
  const shown = useMemo(() => rows(tree, top, measure, open), [tree, top, measure, open]);
  const spot: Spot = { tree, rows: shown, open, place: Math.min(place, shown.length - 1) };
  const change = (to: Change) => {
    if (to.open !== undefined) setOpen(to.open);
    if (to.place !== undefined) setPlace(to.place);
    if (to.zoom === "out") zoomOut();
    else if (to.zoom !== undefined) zoom(to.zoom);
  };
  const press = (event: KeyboardEvent) => {
    const to = pressed(event.key, spot);
    if (to === undefined) return;
    event.preventDefault();
    isToFocus.current = true;
    change(to);
  };
  const body = useRef<HTMLTableSectionElement>(null);
  useLayoutEffect(() => {
    const row = body.current?.children[spot.place];
    if (isToFocus.current && row instanceof HTMLElement) row.focus();
    isToFocus.current = false;
  });
  return { spot, change, press, body };
}

function Head() {
  return (
    <thead>
      <tr>
        {HEADINGS.map(([heading, column]) => (
          <th key={heading} scope="col" class={column}>
            {heading}
          </th>
        ))}
      </tr>
    </thead>
  );
}
