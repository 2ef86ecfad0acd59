/** What to say of something that was thrown, whatever it is. */
export function messageOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return String(error);
    const message = error.message === "" ? error.name : error.message;
    return error.cause instanceof Error ? `${message}: ${error.cause.message}` : message;
  } catch {
    return "something that has no text was thrown";
  }
}
