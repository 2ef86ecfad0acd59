// Makes test/fixtures/prisma-client.mjs anew, of the version of Prisma that the tests use: `node scripts/prisma-client.mjs`. It
// is kept in the repository since the program that generates it brings a hundred packages more, and looks for a download.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const OUT = fileURLToPath(new URL("../test/fixtures/prisma-client.mjs", import.meta.url));
const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "./made"
}

datasource db {
  provider = "postgresql"
}

model Note {
  id   Int    @id @default(autoincrement())
  text String
  mark Int
}
`;

const require = createRequire(import.meta.url);
const { version } = JSON.parse(
  readFileSync(require.resolve("@prisma/client/package.json"), "utf8"),
);
const folder = mkdtempSync(join(tmpdir(), "headstart-prisma-"));
try {
  const run = (command, ...rest) =>
    execFileSync(command, rest, {
      cwd: folder,
      stdio: "inherit",
      // To generate, the binary that it would download is not needed.
      env: {
        ...process.env,
        CHECKPOINT_DISABLE: "1",
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      },
    });
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "schema.prisma"), SCHEMA);
  run(
    "npm",
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    `prisma@${version}`,
  );
  run(
    process.execPath,
    "node_modules/prisma/build/index.js",
    "generate",
    "--schema",
    "schema.prisma",
  );
  await build({
    entryPoints: [join(folder, "made/client.ts")],
    outfile: OUT,
    ...{ bundle: true, format: "esm", platform: "node", packages: "external" },
    absWorkingDir: folder,
    banner: { js: "// Made by scripts/prisma-client.mjs." },
  });
  execFileSync("npx", ["prettier", "--write", OUT], { stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
