/**
 * Why a verification cannot be done, and what to do about it, in one sentence. The command ends with
 * exit code 2.
 */
export class VerifyError extends Error {
  override readonly name = "VerifyError";
}

/** The text of anything that can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a Node system error, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}
