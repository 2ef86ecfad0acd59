import { useMemo, useRef, useState } from "preact/hooks";

import { Switch } from "../../shared/controls.js";
import type { TraceNode } from "../../trace/report.js";
import type { View } from "../app.js";
import { MicrotasksCount } from "../places.js";
import { Untimed } from "../untimed.js";
import { Grid } from "./grid.js";
import { ROOT, Tree, type Id, type Measure } from "./model.js";
import { Path } from "./path.js";
import { Picture, type TreeProps } from "./picture.js";
import { described, INTERRUPTED } from "./words.js";

const MEASURES: readonly (readonly [Measure, string])[] = [
  ["runs", "Runs"],
  ["waited", "Time waited"],
  ["ran", "Time ran"],
];

interface TreeSectionProps {
  readonly nodes: readonly TraceNode[];
  readonly folder: string | undefined;
  readonly view: View;
  /** Whether times are known of microtasks. */
  readonly timed: boolean;
}

/** What leads to what: all trees as one, drawn and as a table. */
export function TreeSection({ nodes, folder, view, timed }: TreeSectionProps) {
  const tree = useMemo(() => new Tree(nodes, timed), [nodes, timed]);
  const [measure, setMeasure] = useState<Measure>("runs");
  const { current, point, ...where } = useZoom(tree);
  const isToFocus = useRef(false);
  const shared = { tree, folder, measure, ...where };
  return (
    <section aria-labelledby="tree" class="tree-section">
      <div class="title">
        <h2 id="tree">What leads to what</h2>
        {timed && (
          <Switch
            legend="Width"
            name="measure"
            choices={MEASURES}
            value={measure}
            choose={setMeasure}
          />
        )}
      </div>
      <Lead />
      {view === "macrotasks" && <MicrotasksCount what="The tree" />}
      {timed ? <Legend /> : <Untimed />}
      <Path {...shared} />
      <Picture {...shared} current={current} point={point} />
      <p class="node-text" id="node" role="status">
        <bdi>{described(tree, current, folder)}</bdi>
      </p>
      <h3>The same as a table</h3>
      <p class="small dim">
        The arrow keys move and open rows; Enter zooms both pictures in on a row, Escape out again.
      </p>
      {/* The key opens the rows afresh below each node. */}
      <Grid key={where.top} {...shared} isToFocus={isToFocus} />
    </section>
  );
}

/** What is zoomed in on, and what is spoken of. */
function useZoom(tree: Tree): Pick<TreeProps, "top" | "current" | "point" | "zoom" | "zoomOut"> {
  const [top, setTop] = useState<Id>(ROOT);
  const [current, point] = useState<Id>(ROOT);
  const zoom = (id: Id) => {
    setTop(id);
    point(id);
  };
  const zoomOut = () => {
    setTop(tree.parent(top));
    point(top);
  };
  return { top, current, point, zoom, zoomOut };
}

function Lead() {
  return (
    <p class="lead">
      Below each kind of continuation stands what it registered; those that are alike, and came
      about in the same way, are one. Each is as wide as its runs, or its times, with all that it
      led to. Click one to zoom in.
    </p>
  );
}

function Legend() {
  return (
    <ul class="legend">
      {INTERRUPTED.map(([name, meaning]) => (
        <li key={name}>
          <svg class="swatch" width="14" height="14" aria-hidden="true">
            <rect class={name} width="14" height="14" rx="2" />
          </svg>{" "}
          {name === "none" ? meaning : `interrupted ${meaning}`}
        </li>
      ))}
    </ul>
  );
}
