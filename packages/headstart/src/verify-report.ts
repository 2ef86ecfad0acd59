import { existsSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import {
  mostSaved,
  reportHtml,
  testsCsv,
  timelineFile,
  type VerifyResult,
} from "@headstart/report";
import { JOURNAL, makeFolder } from "@headstart/verify";
import { codeOf, messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";

/**
 * Writes what was found as a page, as a table and as data.
 *
 * @returns the path of the page.
 */
export async function writeReport(results: readonly VerifyResult[], out: string): Promise<string> {
  const page = join(out, "report.html");
  const data = results.length === 1 ? results[0] : results;
  try {
    makeFolder(out);
    await writeFile(join(out, "result.json"), `${JSON.stringify(data, null, 2)}\n`);
    await writeFile(join(out, "tests.csv"), testsCsv(results));
    const [site] = results.flatMap((result) => mostSaved(result) ?? []);
    if (site !== undefined) {
      const title = `${site.file}:${site.line}, before and after`;
      await writeFile(join(out, "timeline.svg"), timelineFile(site.timeline, title));
    }
    await writeFile(page, await reportHtml(results));
  } catch (error) {
    const reason = codeOf(error) === "ENOSPC" ? "the disk is full" : messageOf(error);
    // Half a page would look like a whole one to whoever opens it.
    rmSync(page, { force: true });
    const kept = existsSync(join(out, JOURNAL))
      ? "; what was measured is kept there: run this again with --resume"
      : "";
    throw new HeadstartError(`the report cannot be written to ${out}: ${reason}${kept}`, {
      cause: error,
    });
  }
  return page;
}
