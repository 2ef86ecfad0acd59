/** A trace cannot be read: one sentence with what to do. */
export class SpansError extends Error {
  override readonly name = "SpansError";
}
