// A PostgreSQL server of Debian's package, on a free port, with an empty database.
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startReady } from "./group.mjs";
import { freePort, listens } from "./port.mjs";

const PROGRAMS = "/usr/lib/postgresql";

/** Where the newest installed server's programs are. */
function programs() {
  const [newest] = readdirSync(PROGRAMS).sort((a, b) => Number(b) - Number(a));
  return join(PROGRAMS, newest, "bin");
}

/** PostgreSQL refuses to run as root; its package has made a user for it. */
function user() {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ which) =>
    Number(execFileSync("id", [which, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/**
 * Starts the server. Its data is beside the system's other temporary files, where its user may
 * write.
 */
export async function startPostgres() {
  const data = mkdtempSync(join(tmpdir(), "headstart-corpus-postgres-"));
  const who = user();
  if (who.uid !== undefined) chownSync(data, who.uid, who.gid);
  const how = { cwd: data, ...who };
  const bin = programs();
  const init = ["--auth=trust", "--username=corpus", "--encoding=UTF8", "--no-sync", data];
  execFileSync(join(bin, "initdb"), init, { ...how, stdio: "ignore" });
  const port = await freePort();
  const sockets = ["-c", "unix_socket_directories=", "-c", "listen_addresses=127.0.0.1"];
  const argv = [join(bin, "postgres"), "-D", data, "-p", String(port), ...sockets];
  const group = await startReady(argv, how, () => listens(port));
  const stop = async () => {
    await group.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  return { url: `postgres://corpus@127.0.0.1:${port}/postgres`, stop };
}
