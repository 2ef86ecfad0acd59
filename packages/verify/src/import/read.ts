import { readFile } from "node:fs/promises";

// csv-parse: ids hold commas, quotes and doubled quotes.
import { CsvError, parse } from "csv-parse/sync";

/** The columns that are used: id of the test and its time in seconds. Suites follow. */
const FEWEST_COLUMNS = 2;

/** Times in milliseconds of each test, in the order of the file. */
export type Timings = ReadonlyMap<string, readonly number[]>;

/**
 * Reads one file of timings: no header; id of the test, its time in seconds, what else there is.
 *
 * @throws {Error} that names the file, the line and the remedy
 */
export async function readTimings(file: string): Promise<Timings> {
  const rows = records(await text(file), file);
  const tests = new Map<string, number[]>();
  for (const { record, info } of rows) {
    const [id, seconds] = record;
    const time = seconds === undefined || seconds.trim() === "" ? NaN : Number(seconds);
    if (id === undefined || record.length < FEWEST_COLUMNS || !Number.isFinite(time) || time < 0) {
      throw new Error(
        `${file}:${info.lines}: expected the id of a test and its time in seconds, found ${JSON.stringify(record.join(",").slice(0, 80))}`,
      );
    }
    const times = tests.get(id);
    const milliseconds = rounded(time * 1000);
    if (times === undefined) tests.set(id, [milliseconds]);
    else times.push(milliseconds);
  }
  if (tests.size === 0) {
    throw new Error(`${file}: holds no timings; one row for each test and run is expected`);
  }
  return tests;
}

async function text(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new Error(`${file}: no such file`, { cause: error });
    throw new Error(`${file}: cannot be read (${String(code ?? error)})`, { cause: error });
  }
}

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

function records(content: string, file: string): Row[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true };
    return parse(content, options) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new Error(`${file}: is no CSV (${error.message})`, { cause: error });
  }
}

/** Seconds have at most microseconds: what a product of binary fractions adds is taken away. */
function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1e6) / 1e6;
}
