import { runRequest, reportOf } from "./engine.js";
import type { StartPosition } from "./optimize-types.js";
import { PLAIN, wholeRequest } from "./options.js";

/** What the rest of a program shows of a file: places in bytes of its text without a BOM. */
export interface KnownPlaces {
  /** Where the async functions begin that a call may reach by more than a name of the file. */
  readonly reached: readonly number[];
  /** Where the calls end that may reach an async method of a class of the program. */
  readonly methods: readonly number[];
  /** Where the calls end that may reach another async function of it. */
  readonly values: readonly number[];
  /** Where the calls end among these that may reach one that uses what it is called on. */
  readonly owned: readonly number[];
  /** Where the calls end that may reach an async function by way of its `call` or `apply`. */
  readonly called: readonly number[];
  /** Where the functions begin that have to count their calls, which may come back to them. */
  readonly counting: readonly number[];
  /** `name(position)`: a parameter that all methods of that name call. */
  readonly plain: readonly string[];
  /** Where the functions and classes begin whose text is read somewhere. */
  readonly texts: readonly number[];
  /** Whether the program makes proxies, or asks objects for their symbols. */
  readonly proxies: boolean;
}

/** What is known of a file besides its text. */
export interface Outside {
  /** What the rest of its program shows of it. */
  readonly known: KnownPlaces | undefined;
  /** Where the functions begin that may be converted; all may where it is not said. */
  readonly only?: readonly StartPosition[] | undefined;
}

/** What is known of the files of a program, by their absolute paths. */
export type WholeProgram = ReadonlyMap<string, KnownPlaces>;

/**
 * Reads the programs of a folder for `optimize`: which calls reach which functions, over all files.
 *
 * @throws `HeadstartError` when the configuration or the installation are wrong.
 */
export async function readWhole(folder: string): Promise<WholeProgram> {
  const answer = await runRequest<{ files: Record<string, KnownPlaces> }>(
    await wholeRequest(folder, PLAIN),
  );
  return new Map(Object.entries(reportOf(answer).files));
}
