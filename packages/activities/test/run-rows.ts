import type * as activities from "headstart-activities";

/** What a row gets: the package, and what it needs to observe. */
export interface Means {
  log(what: unknown): void;
  sleep(ms: number): Promise<void>;
  /** One of several outcomes, where the order of two things is not defined. */
  anyOf(list: unknown[][]): { list: unknown[][] };
}

export type Row = (means: typeof activities & Means) => Promise<unknown[] | { list: unknown[][] }>;

/** What a row has observed, and what it may observe. */
export async function outcomeOf(
  row: Row,
  all: typeof activities,
): Promise<{ seen: unknown[]; wanted: unknown[][] }> {
  const seen: unknown[] = [];
  const wanted = await row({
    ...all,
    log: (what) => {
      seen.push(what);
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    anyOf: (list) => ({ list }),
  });
  return { seen, wanted: Array.isArray(wanted) ? [wanted] : wanted.list };
}
