import { memo } from "preact/compat";
import { useMemo, useRef } from "preact/hooks";

import { useWidth } from "../../shared/width.js";
import { whole } from "../../trace/format.js";
import { layout, next, type Layout, type Rectangle, type Way } from "./layout.js";
import type { Id, Measure, Tree } from "./model.js";
import { interrupted, nameOf } from "./words.js";

/** Height of a rectangle, and the space below it (CSS pixels). */
const HEIGHT = 24;
const SPACE = 1;
/** A letter is about so wide. */
const LETTER = 6.6;

const WAYS: Readonly<Record<string, Way>> = {
  ...{ ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" },
};

/** What both pictures of the tree, the drawn one and the table, are given. */
export interface TreeProps {
  readonly tree: Tree;
  readonly folder: string | undefined;
  readonly measure: Measure;
  /** The uppermost node that is shown. */
  readonly top: Id;
  readonly zoom: (id: Id) => void;
  readonly zoomOut: () => void;
  /** The node that is spoken of. */
  readonly current: Id;
  readonly point: (id: Id) => void;
}

/** The tree as rectangles below each other, each as wide as what it stands for. */
export function Picture(props: TreeProps) {
  const { tree, folder, measure, top, zoom, zoomOut, current, point } = props;
  const host = useRef<HTMLDivElement>(null);
  const width = useWidth(host);
  const shown = useMemo(() => layout(tree, top, measure, width), [tree, top, measure, width]);
  const press = (event: KeyboardEvent) => {
    const way = WAYS[event.key];
    if (way !== undefined) point(next(shown, tree, current, way));
    else if (event.key === "Enter") zoom(current);
    else if (event.key === "Escape") zoomOut();
    else return;
    event.preventDefault();
  };
  const height = Math.max(1, shown.levels) * HEIGHT;
  return (
    <>
      <div
        class="icicle"
        ref={host}
        tabIndex={0}
        role="application"
        aria-label="Picture of the tree. The arrow keys move, Enter zooms in, Escape zooms out."
        aria-describedby="node"
        onKeyDown={press}
        onPointerMove={(event) => {
          point(idAt(event) ?? current);
        }}
        onClick={(event) => {
          zoom(idAt(event) ?? top);
        }}
      >
        <svg width={width} height={height} aria-hidden="true">
          <Rectangles tree={tree} folder={folder} shown={shown} />
          <Frame shown={shown} current={current} />
        </svg>
      </div>
      <Missing {...{ tree, top, measure, shown }} />
    </>
  );
}

function idAt({ target }: Event): Id | undefined {
  const id =
    target instanceof Element ? target.closest("[data-id]")?.getAttribute("data-id") : null;
  return id === null || id === undefined ? undefined : Number(id);
}

interface RectanglesProps {
  readonly tree: Tree;
  readonly folder: string | undefined;
  readonly shown: Layout;
}

/** Drawn again only when something else is shown, not when the pointer moves. */
const Rectangles = memo(function Rectangles({ tree, folder, shown }: RectanglesProps) {
  return (
    <>
      {shown.rectangles.map((rectangle) => (
        <Box key={`${rectangle.id} ${rectangle.rest}`} {...{ tree, folder, rectangle }} />
      ))}
    </>
  );
});

interface BoxProps {
  readonly tree: Tree;
  readonly folder: string | undefined;
  readonly rectangle: Rectangle;
}

function Box({ tree, folder, rectangle: { id, x, width, level, rest } }: BoxProps) {
  const { kind, site } = nameOf(tree, id, folder);
  const letters = Math.floor((width - 10) / LETTER);
  const text = rest > 0 ? `${whole(rest)} more, each too narrow` : `${kind} ${site}`;
  return (
    <svg
      data-id={rest > 0 ? undefined : id}
      x={x}
      y={level * HEIGHT}
      width={Math.max(1, width - SPACE)}
      height={HEIGHT - SPACE}
    >
      {rest > 0 && <title>{text}</title>}
      <rect class={rest > 0 ? "rest" : interrupted(tree, id)} width="100%" height="100%" rx="2" />
      {letters > 2 && (
        <text x="5" y="16">
          {text.slice(0, letters)}
        </text>
      )}
    </svg>
  );
}

/** Around what is spoken of. */
function Frame({ shown, current }: { shown: Layout; current: Id }) {
  const found = shown.rectangles.find(({ id, rest }) => id === current && rest === 0);
  if (found === undefined) return null;
  const { x, width, level } = found;
  const inner = Math.max(1, width - SPACE - 2);
  return <rect class="at" x={x + 1} y={level * HEIGHT + 1} width={inner} height={HEIGHT - 3} />;
}

type MissingProps = Pick<TreeProps, "tree" | "top" | "measure"> & { readonly shown: Layout };

/** What is not to be seen, and why. */
function Missing({ tree, top, measure, shown: { rectangles, hidden } }: MissingProps) {
  if (tree.total(top, measure) === 0) {
    return <p class="empty">Nothing {measure === "runs" ? "ran" : measure} here.</p>;
  }
  if (hidden === 0 || rectangles.length === 0) return null;
  return (
    <p class="small dim">
      {whole(hidden)} of {whole(tree.size(top))} are too narrow here or too far down to be drawn.
      Zoom in, or open them in the table below.
    </p>
  );
}
