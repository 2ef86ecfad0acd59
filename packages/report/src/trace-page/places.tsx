import { useMemo, useState } from "preact/hooks";

import { Choice, Filters, More, Search } from "../shared/controls.js";
import { placeColumns, type Column } from "../trace/columns.js";
import { many, whole } from "../trace/format.js";
import { meaning } from "../trace/kinds.js";
import type { TracePlace } from "../trace/report.js";
import type { View } from "./app.js";
import { ColumnTable } from "./column-table.js";

/** Rows before the reader asks for all. */
const FIRST = 50;

/** Packages wait a lot, but it is seldom them that can be changed. */
const WHOSE = [
  ["own", "the program's own"],
  ["all", "all, with packages"],
] as const;

interface PlacesProps {
  readonly places: readonly TracePlace[];
  readonly folder: string | undefined;
  readonly view: View;
}

/** What is waited for at each place in the source. */
export function Places({ places, folder, view }: PlacesProps) {
  const { found, isMixed, text, search, whose, choose } = useFound(places);
  const [isWhole, setWhole] = useState(false);
  const [order, setOrder] = useState({ by: "Waited in all", isDown: true });
  const columns = useMemo(() => placeColumns(folder), [folder]);
  const sorted = useMemo(
    () => inOrder(found, columns, order.by, order.isDown),
    [found, columns, order],
  );
  const sort = (by: string) => {
    const isText = by === "Place" || by === "Kind";
    setOrder({ by, isDown: by === order.by ? !order.isDown : !isText });
  };
  return (
    <section aria-labelledby="places">
      <h2 id="places">Where it waits</h2>
      <Lead view={view} />
      <Filters label="Filter the places">
        <Search text={text} search={search} placeholder="Function, file or kind" />
        {isMixed && <Choice name="Whose" choices={WHOSE} value={whose} choose={choose} />}
      </Filters>
      <p class="count" role="status">
        {whole(found.length)} of {many(places.length, "place")}
      </p>
      {found.length === 0 ? (
        <p class="empty">No place matches. Change the search.</p>
      ) : (
        <ColumnTable
          label="Table of the places"
          kind="places"
          columns={columns}
          rows={isWhole ? sorted : sorted.slice(0, FIRST)}
          sorted={{ ...order, choose: sort }}
        />
      )}
      <More first={FIRST} total={found.length} isWhole={isWhole} setWhole={setWhole} />
    </section>
  );
}

/** The places that the reader looks for, and what says so. */
function useFound(places: readonly TracePlace[]) {
  const [text, search] = useState("");
  const [whose, choose] = useState<"own" | "all">("own");
  const isMixed = useMemo(() => places.some(({ own }) => own !== places[0]?.own), [places]);
  const isOwnOnly = isMixed && whose === "own";
  const found = useMemo(
    () => places.filter((place) => (place.own || !isOwnOnly) && matches(place, text)),
    [places, text, isOwnOnly],
  );
  return { found, isMixed, text, search, whose, choose };
}

function Lead({ view }: { view: View }) {
  return (
    <>
      <p class="lead">
        The places in the source where something is registered that runs later, such as an await or
        a timer, and how long it was until that ran. Where gaps are short and seldom interrupted,
        the code may rely on nothing coming in between.
      </p>
      {view === "macrotasks" && <MicrotasksCount what="This table" />}
    </>
  );
}

/** Says that something does not follow the view. */
export function MicrotasksCount({ what }: { what: string }) {
  return <p class="callout">{what} counts microtasks in both views.</p>;
}

function matches(place: TracePlace, text: string): boolean {
  const { file, line, column, kind } = place;
  const all = `${place.function} ${file}:${line}:${column} ${kind} ${meaning(kind)}`.toLowerCase();
  return all.includes(text.trim().toLowerCase());
}

/** The places sorted by a column; those that are alike stay as they are. */
function inOrder(
  places: readonly TracePlace[],
  columns: readonly Column<TracePlace>[],
  by: string,
  isDown: boolean,
): TracePlace[] {
  const order = columns.find(({ heading }) => heading === by)?.order;
  if (order === undefined) return [...places];
  const keyed = places.map((place) => [order(place), place] as const);
  keyed.sort(([a], [b]) => (isDown ? compared(b, a) : compared(a, b)));
  return keyed.map(([, place]) => place);
}

function compared(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
