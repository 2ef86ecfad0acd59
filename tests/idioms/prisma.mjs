// The clients that Prisma makes of a schema.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/**
 * Only migrations need the schema engine, which Prisma would download all the same, if it were not told
 * that it is there.
 */
const ENV = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath };

/**
 * @param {string} folder is made
 * @returns {string} the folder of the client as files of a program; the other one is in node_modules
 */
export function generateClients(folder) {
  mkdirSync(folder);
  cpSync(join(HERE, "prisma"), folder, { recursive: true });
  symlinkSync(join(HERE, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const command = join(folder, "node_modules/prisma/build/index.js");
  execFileSync(process.execPath, [command, "generate", "--schema", "schema.prisma"], {
    cwd: folder,
    env: ENV,
    stdio: "pipe",
  });
  return join(folder, "generated");
}
