// Keeps a package that could not run anywhere from being packed.
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../native", import.meta.url));
const addons = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith(".node"))
  : [];
if (addons.length === 0) {
  console.error('native/ holds no addon; "make build" in the root of the repository builds one');
  process.exitCode = 1;
}
