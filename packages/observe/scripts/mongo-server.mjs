// Builds a server that speaks MongoDB's protocol, for the tests: `node scripts/mongo-server.mjs`, which needs Go. It is FerretDB
// with its SQLite backend, from a module of a pinned version, which fixes those of all that it needs.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const MODULE = "github.com/FerretDB/FerretDB";
// The last one with a backend that needs no PostgreSQL.
const VERSION = "v1.24.2";

/** Where the server is looked for, and built to: outside of the repository. */
export const SERVER =
  process.env.HEADSTART_TEST_FERRETDB ??
  join(homedir(), ".cache", "headstart-tests", `ferretdb-${VERSION}`);

function build() {
  const folder = mkdtempSync(join(tmpdir(), "headstart-ferretdb-"));
  try {
    const source = join(folder, "source");
    const downloaded = execFileSync("go", ["mod", "download", "-json", `${MODULE}@${VERSION}`], {
      cwd: folder,
      encoding: "utf8",
    });
    cpSync(JSON.parse(downloaded).Dir, source, { recursive: true });
    writable(source);
    // A released program has this file, its module has not; without it the program refuses to start.
    writeFileSync(join(source, "build/version/version.txt"), `${VERSION}\n`);
    mkdirSync(dirname(SERVER), { recursive: true });
    const options = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags=-s -w"];
    const tags = "-tags=ferretdb_no_postgresql";
    execFileSync("go", ["build", ...options, tags, "-o", SERVER, "./cmd/ferretdb"], {
      cwd: source,
      stdio: "inherit",
      env: { ...process.env, CGO_ENABLED: "0" },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(SERVER);
}

/** Go keeps its modules write-protected, and copies of them are. */
function writable(folder) {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) writable(join(folder, entry.name));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href && !existsSync(SERVER)) build();
