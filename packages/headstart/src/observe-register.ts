/**
 * `node --import headstart/observe server.js`: records what a share of the awaits of the project's own code really touch, in
 * `.headstart/evidence.PID.json`. `HEADSTART_OBSERVE_SHARE` is that share, `HEADSTART_OBSERVE_OUT` another file.
 */
import { writeSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

import type { recordHere } from "@headstart/observe/loader";

import { EVIDENCE_FOLDER, recordingOf } from "./evidence.js";
import { rewriteModules } from "./module-hooks.js";
import { observed } from "./observe-hooks.js";
import { packageFile, packageVersion } from "./package.js";
import { projectAbove } from "./project-files.js";

/** The share of awaits that are recorded where nobody says which. */
const SHARE = 0.02;

const project = projectAbove(process.cwd());
const { HEADSTART_OBSERVE_OUT: out, HEADSTART_OBSERVE_SHARE: share } = process.env;
const loader = createRequire(import.meta.url)(packageFile("dist/observe-loader.cjs")) as {
  readonly recordHere: typeof recordHere;
};
loader.recordHere({
  ...{ tool: `headstart ${packageVersion()}`, project, share: given(share) },
  out: out === undefined ? join(project, EVIDENCE_FOLDER, recordingOf(process.pid)) : resolve(out),
});
rewriteModules(observed, new URL("./observe-hooks.js", import.meta.url));

function given(text: string | undefined): number {
  const value = text === undefined || text === "" ? SHARE : Number(text);
  if (value > 0 && value <= 1) return value;
  // Node would print the source of this file in front of what is thrown.
  const said = `HEADSTART_OBSERVE_SHARE is "${text ?? ""}"; expected a number above 0 and up to 1`;
  writeSync(process.stderr.fd, `error: ${said}\n`);
  process.exit(2);
}
