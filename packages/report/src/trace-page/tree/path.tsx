import type { Id } from "./model.js";
import type { TreeProps } from "./picture.js";
import { ROOT } from "./model.js";
import { nameOf } from "./words.js";

/** Ancestors that are named at most, the nearest ones. */
const NAMED = 4;

/** The way from the whole tree to what is shown, and out again. */
export function Path({ tree, folder, top, zoom, zoomOut }: Omit<TreeProps, "current" | "point">) {
  const all = tree.path(top);
  const near = all.slice(1).slice(-NAMED);
  const left = all.length - 1 - near.length;
  const step = (id: Id) => {
    const { kind, site } = nameOf(tree, id, folder);
    return (
      <li key={id}>
        <button
          type="button"
          class="link"
          aria-current={id === top ? "true" : undefined}
          onClick={() => {
            zoom(id);
          }}
        >
          <bdi>{`${kind} ${site}`.trim()}</bdi>
        </button>
      </li>
    );
  };
  return (
    <nav class="path" aria-label="Way to what is shown">
      <button type="button" class="more" disabled={top === ROOT} onClick={zoomOut}>
        ↑ Up
      </button>
      <ol>
        {step(ROOT)}
        {left > 0 && <li class="dim">… {left} more …</li>}
        {near.map(step)}
      </ol>
    </nav>
  );
}
