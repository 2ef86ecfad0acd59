import { existsSync } from "node:fs";

import { chromium, type Browser } from "playwright-core";

const PLACES = [
  process.env["CHROMIUM"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const executable = PLACES.find((path) => path !== undefined && existsSync(path));

/** scripts/setup.sh installs it on Debian, and so does CI; there its absence is a failure. */
const isExpected =
  existsSync("/etc/debian_version") &&
  (process.env["CI"] !== undefined || process.getuid?.() === 0);

const MESSAGE =
  "Chromium is missing: install it (on Debian `apt-get install chromium`) or set CHROMIUM to its path";

/** Why tests in the browser cannot run here; `false` where they can, or have to fail. */
export const skip: string | false = executable === undefined && !isExpected ? MESSAGE : false;

/** Starts the system's own browser with a fresh profile, and nothing that uses the network. */
export async function launch(): Promise<Browser> {
  if (executable === undefined) throw new Error(MESSAGE);
  return chromium.launch({
    executablePath: executable,
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ...["--disable-background-networking", "--disable-component-update"],
    ],
  });
}
