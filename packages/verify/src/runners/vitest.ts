import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { runtimeFile } from "../runtime.js";
import { requireInstalled, type Runner } from "./runner.js";
import { flags, type RunnerCall, values, without } from "./script.js";

/** Versions whose hooks were tried; see docs/vitest.md. */
const VITEST = [3, 4, 5];

/** vitest, by its own API, in forked processes. */
export function makeVitest(project: string, call: RunnerCall): Runner {
  const { folder, version } = requireInstalled(project, "vitest", VITEST);
  const dropped = new Map([
    ...flags("--watch", "-w", "--ui", "--open", "--run", "-u", "--update", "--bail"),
    ...values("--reporter", "--outputFile", "--pool", "--maxWorkers", "--bail"),
  ]);
  const words = without(call.args, dropped).filter(
    (arg, index) => index > 0 || !["run", "watch", "dev"].includes(arg),
  );
  return {
    name: "vitest",
    label: `vitest ${version}`,
    command: () => ({
      program: process.execPath,
      args: [...call.nodeArgs, runtimeFile("vitest-main.mjs"), ...words],
      env: {
        ...call.env,
        HEADSTART_VERIFY_VITEST: pathToFileURL(join(folder, "dist/index.js")).href,
        HEADSTART_VERIFY_VITEST_NODE: pathToFileURL(join(folder, "dist/node.js")).href,
        // Version 4 has no such option any more.
        ...(version.startsWith("3.") ? { HEADSTART_VERIFY_VITEST_POOL_OPTIONS: "1" } : {}),
      },
    }),
  };
}
