import { parseArgs } from "node:util";
import { readCache, writeCache } from "./cache.js";
import { formatLine } from "./format.js";
import { collectReport } from "./report.js";

const USAGE = `Usage: repo-status [options] [DIR]

Prints the state of the git repository around DIR (default: here).

  --json             print everything as JSON
  --cache FILE       keep the result in FILE
  --max-age SECONDS  with --cache: print a result no older than this again
  -h, --help         print this help
`;

const OPTIONS = {
  json: { type: "boolean", default: false },
  cache: { type: "string" },
  "max-age": { type: "string", default: "0" },
  help: { type: "boolean", short: "h", default: false },
};

/**
 * @typedef {{ write(text: string): any }} Output
 *
 * @param {string[]} argv
 * @param {{ stdout?: Output, stderr?: Output }} [streams]
 * @returns {Promise<number>} the exit code
 */
export async function main(argv, { stdout = process.stdout, stderr = process.stderr } = {}) {
  let args;
  try {
    args = parseArgs({ args: argv, options: OPTIONS, allowPositionals: true });
    if (args.positionals.length > 1) throw new Error("more than one directory given");
    if (!/^\d+$/.test(args.values["max-age"])) throw new Error("--max-age takes a number");
  } catch (error) {
    stderr.write(`repo-status: ${error.message}\n\n${USAGE}`);
    return 2;
  }

  const {
    values,
    positionals: [directory = "."],
  } = args;
  if (values.help) {
    stdout.write(USAGE);
    return 0;
  }
  try {
    const report = await getReport(directory, values.cache, Number(values["max-age"]));
    const text = values.json ? JSON.stringify(report, null, 2) : formatLine(report, Date.now());
    stdout.write(`${text}\n`);
    return 0;
  } catch (error) {
    stderr.write(`repo-status: ${error.message}\n`);
    return 1;
  }
}

/**
 * @param {string} directory
 * @param {string | undefined} cacheFile
 * @param {number} maxAge
 */
async function getReport(directory, cacheFile, maxAge) {
  if (cacheFile === undefined) return collectReport(directory);

  const cached = maxAge > 0 ? await readCache(cacheFile, directory, maxAge) : null;
  if (cached) return cached;
  const report = await collectReport(directory);
  await writeCache(cacheFile, report);
  return report;
}
