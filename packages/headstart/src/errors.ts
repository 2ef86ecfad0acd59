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
