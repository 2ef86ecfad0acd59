import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";

import type { OptimizeInvocation } from "./args.js";
import { HeadstartError, messageOf } from "./errors.js";
import { optimize, reportLines } from "./optimize.js";
import { print, printError } from "./terminal.js";

const PROGRAM = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** Carries `optimize` out: a file that cannot be optimised is copied, and makes the exit code 2. */
export async function optimizeFiles(work: OptimizeInvocation): Promise<number> {
  const from = resolve(work.input);
  const to = resolve(work.output);
  const files = filesOf(from, work.input, to);
  let failed = false;
  let report = "";
  for (const [source, target] of files.map((file) => [file, targetOf(file, from, to)] as const)) {
    mkdirSync(dirname(target), { recursive: true });
    if (!PROGRAM.test(source) || DECLARATIONS.test(source)) {
      if (source !== target) copyFileSync(source, target);
      continue;
    }
    try {
      report += optimizeFile(source, target, work);
    } catch (error) {
      if (!(error instanceof HeadstartError)) throw error;
      failed = true;
      await printError(`error: ${error.message}; it was copied as it is\n`);
      if (source !== target) copyFileSync(source, target);
    }
  }
  if (work.values.report === true) await print(report);
  return failed ? 2 : 0;
}

/** Optimises one file; returns its part of the report. */
function optimizeFile(source: string, target: string, { values }: OptimizeInvocation): string {
  const name = relative(process.cwd(), source);
  const { code, map, functions } = optimize(readFileSync(source, "utf8"), {
    file: name,
    ticks: values.ticks,
    functions: values.functions,
    keepFrames: values["keep-frames"],
    sourceMap: values["source-map"],
  });
  if (map === null) {
    replace(target, code);
  } else {
    const mapFile = `${target}.map`;
    const sources = [relative(dirname(target), source).split(sep).join("/")];
    replace(mapFile, JSON.stringify({ ...map, file: basename(target), sources }));
    replace(target, `${code}\n//# sourceMappingURL=${basename(mapFile)}\n`);
  }
  return reportLines(name, functions);
}

/** Writes a file whole or not at all. */
function replace(target: string, text: string): void {
  const temporary = `${target}.headstart-${String(process.pid)}`;
  writeFileSync(temporary, text);
  renameSync(temporary, target);
}

function targetOf(file: string, from: string, to: string): string {
  const below = relative(from, file);
  return below === "" ? to : join(to, below);
}

/** The files below a folder, or the file itself; packages, hidden folders and the output left out. */
function filesOf(path: string, given: string, output: string): string[] {
  let isFolder: boolean;
  try {
    isFolder = lstatSync(path).isDirectory();
  } catch (error) {
    throw new HeadstartError(`${given}: ${messageOf(error)}; check the spelling`);
  }
  if (!isFolder) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const file = join(path, entry.name);
    if (entry.isDirectory()) {
      const left = entry.name === "node_modules" || entry.name.startsWith(".") || file === output;
      return left ? [] : filesOf(file, file, output);
    }
    return entry.isFile() ? [file] : [];
  });
}
