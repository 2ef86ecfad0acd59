import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";

import { beginsWith } from "@headstart/trace";
import { messageOf } from "@headstart/verify/errors";

import { HeadstartError } from "./errors.js";
import { print } from "./terminal.js";

/** What pages begin with. */
export const PAGE = "<!doctype html>";

/** Nothing is written over but what is of the same sort, which begins with these letters. */
export function keepAllBut(beginning: string, out: string): void {
  if (!existsSync(out) || beginsWith(out, beginning)) return;
  throw new HeadstartError(`${out} is there and is something else; name another file with --out`);
}

/** Says in plain words where a file cannot be written. */
export async function written(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new HeadstartError(`${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Data, on the standard output or into a file that holds such. */
export async function printOrWrite(json: string, out: string | undefined): Promise<void> {
  if (out === undefined) {
    await print(`${json}\n`);
    return;
  }
  const file = resolve(out);
  keepAllBut("{", file);
  await written(file, () => writeFile(file, `${json}\n`));
}
