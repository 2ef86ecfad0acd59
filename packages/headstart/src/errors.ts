/**
 * What a caller did wrong or what the installation lacks, in one sentence.
 *
 * The command prints the message and exits with `exitCode`; the API throws it.
 */
export class HeadstartError extends Error {
  override readonly name = "HeadstartError";

  /** The exit code the command ends with for this error; 2 unless said otherwise. */
  readonly exitCode: number;

  constructor(message: string, options: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = options.exitCode ?? 2;
  }
}

/** A text that cannot be read: where, and why. The message is `file:line:column: reason`. */
export class SyntaxProblem extends HeadstartError {
  /** What is wrong, without the place. */
  readonly reason: string;
  /** The name of the text, as it was given. */
  readonly file: string;
  /** Counted from one. */
  readonly line: number;
  /** Counted from one, in UTF-16 code units. */
  readonly column: number;

  constructor(reason: string, at: Readonly<{ file: string; line: number; column: number }>) {
    super(`${at.file}:${at.line}:${at.column}: ${reason}`);
    this.reason = reason;
    this.file = at.file;
    this.line = at.line;
    this.column = at.column;
  }
}
