/** Text with code between backticks. */
export function Prose({ text }: { text: string }) {
  const parts = text.split("`");
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}
