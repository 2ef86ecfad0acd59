import type { ComponentChildren } from "preact";

/** A heading, and how its column is set: `number` to the right, `wide` not on a phone. */
export type Heading = readonly [text: string, column?: "number" | "wide" | "number wide" | "name"];

interface TableProps {
  readonly label: string;
  readonly headings: readonly Heading[];
  readonly caption?: string;
  /** Classes of the table. */
  readonly kind?: string;
  /** Rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls where it is too wide, with the keyboard, too. */
export function Table({ label, headings, caption, kind, children }: TableProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table class={kind ?? ""}>
        {caption !== undefined && <caption>{caption}</caption>}
        <thead>
          <tr>
            {headings.map(([text, column]) => (
              <th key={text} scope="col" class={column ?? ""}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
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
