import type { ComponentChildren } from "preact";

/** A heading, how its column is set (`number` to the right, `wide` not on a phone), and what it says. */
export type Heading = readonly [
  text: string,
  column?: "number" | "wide" | "number wide" | "name" | undefined,
  meaning?: string | undefined,
];

/** What the rows are sorted by, where the reader may choose that. */
export interface Sorted {
  /** The text of a heading. */
  readonly by: string;
  readonly isDown: boolean;
  readonly choose: (heading: string) => void;
}

interface TableProps {
  readonly label: string;
  readonly headings: readonly Heading[];
  readonly caption?: string;
  /** Classes of the table. */
  readonly kind?: string;
  readonly sorted?: Sorted;
  /** Rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls where it is too wide, with the keyboard, too. */
export function Table({ label, headings, caption, kind, sorted, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={kind ?? ""}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {headings.map((heading) => (
              <Head key={heading[0]} heading={heading} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface HeadProps {
  readonly heading: Heading;
  readonly sorted: Sorted | undefined;
}

function Head({ heading: [text, column, meaning], sorted }: HeadProps) {
  const common = { scope: "col", class: column ?? "", title: meaning } as const;
  if (sorted === undefined) return <th {...common}>{text}</th>;
  const direction = sorted.isDown ? "descending" : "ascending";
  const isBy = sorted.by === text;
  return (
    <th {...common} aria-sort={isBy ? direction : "none"}>
      <button
        type="button"
        class="sort"
        onClick={() => {
          sorted.choose(text);
        }}
      >
        {text}
        <span aria-hidden="true">{isBy ? (sorted.isDown ? " ▾" : " ▴") : ""}</span>
      </button>
    </th>
  );
}

/** Names and values, one below the other. */
export function Rows({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="rows">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
