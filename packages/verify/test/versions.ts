// Holds verify to its fixtures with other versions of the runners than those installed here, which it
// installs into temporary folders: `VERSIONS="jest@26.6.3 mocha@8.4.0" npm run test:versions`.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

import { catchesWhatIsWrong, timesWhatIsAffected } from "./held.js";

/** The last of each major version that docs/verify.md says has been run. */
const ALL = [
  ...["jest@23.6.0", "jest@24.9.0", "jest@25.5.4", "jest@26.6.3", "jest@27.5.1", "jest@28.1.3"],
  ...["jest@29.7.0", "mocha@5.2.0", "mocha@6.2.3", "mocha@7.2.0", "mocha@8.4.0", "mocha@9.2.2"],
  ...["mocha@10.8.2", "mocha@11.7.6", "vitest@3.2.4"],
  // It does not start on Node 20.
  ...(Number.parseInt(process.versions.node, 10) >= 22 ? ["vitest@5.1.1"] : []),
];

/** Which fixture a runner takes, and what its script is. */
const SETUPS: Record<string, { fixture: string; file: string; script: string }> = {
  jest: { fixture: "commonjs", file: "src/store.js", script: "jest" },
  mocha: { fixture: "commonjs", file: "src/store.js", script: "mocha --recursive test" },
  vitest: { fixture: "vitest-ts", file: "src/store.ts", script: "vitest run" },
};

const named = (process.env["VERSIONS"] ?? "").split(/[\s,]+/).filter((it) => it !== "");

for (const version of named.length > 0 ? named : ALL) {
  const [runner = "", number = ""] = version.split("@");
  const setup = SETUPS[runner];
  if (setup === undefined)
    throw new Error(`${version} is none of ${Object.keys(SETUPS).join(", ")}`);
  const { fixture, file, script } = setup;
  describe(version, () => {
    const folder = mkdtempSync(join(tmpdir(), "headstart-versions-"));
    const project = join(folder, "project");

    it("is installed", () => {
      cpSync(fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url)), project, {
        recursive: true,
      });
      const manifest = join(project, "package.json");
      const content = JSON.parse(readFileSync(manifest, "utf8")) as object;
      writeFileSync(manifest, JSON.stringify({ ...content, scripts: { test: script } }));
      const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", version];
      execFileSync("npm", args, { cwd: project, stdio: ["ignore", "ignore", "pipe"] });
    });

    it("times the tests that execute a site, and measures what overlaps", () =>
      timesWhatIsAffected(
        project,
        file,
        new RegExp(`^${runner} ${number.replaceAll(".", "\\.")}$`),
      ));

    it("catches a wrong rewrite, and says which one it is", () =>
      catchesWhatIsWrong(project, file));

    it("leaves nothing behind", () => {
      rmSync(folder, { recursive: true, force: true });
    });
  });
}
