interface DiffProps {
  /** Unified. */
  readonly text: string;
  /** What it is the diff of. */
  readonly name: string;
}

const KINDS: Readonly<Record<string, string>> = { "+": "add", "-": "remove", "@": "hunk" };

/** A unified diff without its file header, which the card says. */
export function Diff({ text, name }: DiffProps) {
  const lines = text.replace(/\n$/, "").split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  return (
    <pre class="diff" tabIndex={0} aria-label={`Diff of ${name}`}>
      <code>
        {lines.slice(Math.max(0, start)).map((line, index) => (
          <span key={index} class={KINDS[line[0] ?? ""] ?? "same"}>
            {`${line}\n`}
          </span>
        ))}
      </code>
    </pre>
  );
}
