/** Figures with their names, side by side. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, figure: string])[];
}) {
  return (
    <dl class="facts">
      {facts.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
