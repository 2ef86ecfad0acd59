import { HeadstartError } from "./errors.js";

/** A mistake in the arguments; `argv` without any command is `missingCommand`. */
export class UsageError extends HeadstartError {
  readonly missingCommand: boolean;

  constructor(message: string, missingCommand = false) {
    super(message);
    this.missingCommand = missingCommand;
  }
}
