import { existsSync } from "node:fs";

import { findChromium } from "../src/chromium/browser.js";

const found = await findChromium(process.env["CHROMIUM"] ?? process.env["CHROME_PATH"]).catch(
  () => undefined,
);

/** scripts/setup.sh installs it on Debian, and so does CI; there its absence is a failure. */
const isExpected =
  existsSync("/etc/debian_version") &&
  (process.env["CI"] !== undefined || process.getuid?.() === 0);

/** Why tests in the browser cannot run here; `false` where they can, or have to fail. */
export const skip: string | false =
  found === undefined && !isExpected
    ? "Chromium is missing: install it (on Debian `apt-get install chromium`) or set CHROMIUM to its path"
    : false;

/** Where it is, if it is anywhere. */
export const chromium = found ?? "";
