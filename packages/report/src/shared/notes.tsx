/** What is to be known of what is shown. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <div class="callout" role="note">
      {notes.map((note, index) => (
        <p key={index}>
          <bdi>{note}</bdi>
        </p>
      ))}
    </div>
  );
}
