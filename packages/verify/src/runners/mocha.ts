import { existsSync } from "node:fs";
import { join } from "node:path";

import { runtimeFile } from "../runtime.js";
import { requireInstalled, type Runner } from "./runner.js";
import { flags, type RunnerCall, values, without } from "./script.js";

/** Versions whose hooks were tried; see docs/mocha.md. */
const MOCHA = [5, 6, 7, 8, 9, 10, 11, 12];
/** The first version of mocha that can run files at the same time. */
const WITH_PARALLEL = 8;

/** mocha, with a reporter. */
export function makeMocha(project: string, call: RunnerCall): Runner {
  const { folder, version } = requireInstalled(project, "mocha", MOCHA);
  const dropped = new Map([
    ...flags("-w", "--watch", "-p", "--parallel", "-b", "--bail", "--forbid-only"),
    ...values("-R", "--reporter", "-O", "--reporter-option", "--reporter-options", "-j", "--jobs"),
  ]);
  const bin = ["bin/mocha.js", "bin/mocha"]
    .map((it) => join(folder, it))
    .find((it) => existsSync(it));
  return {
    name: "mocha",
    label: `mocha ${version}`,
    command: () => ({
      program: process.execPath,
      args: [
        ...call.nodeArgs,
        bin ?? "",
        ...without(call.args, dropped),
        ...["--reporter", runtimeFile("mocha-reporter.cjs")],
        ...(Number.parseInt(version, 10) >= WITH_PARALLEL ? ["--no-parallel"] : []),
      ],
      env: { ...call.env },
    }),
  };
}
