// What recording a share of the awaits costs a server under load: node --import tsx bench/server.ts ROUNDS SHARE, with
// DATABASE_URL set. Two storefronts run, one of them with the loader, and are visited in turns; compared is their CPU time.
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [rounds = "15", share = "0.05", node = process.execPath] = process.argv.slice(2);
const VISITS = 800;
const AT_ONCE = 40;
const PATHS = ["/products/lamp", "/products/chair", "/categories/office", "/baskets/ada"];
const storefront = fileURLToPath(new URL("../../../examples/storefront", import.meta.url));
if ((process.env["DATABASE_URL"] ?? "") === "") {
  end("DATABASE_URL is not set: run this under ../../examples/storefront/scripts/with-postgres.sh");
}
const services = fork(`${storefront}/testing/services.js`, { execArgv: [] });
const [urls] = (await once(services, "message")) as [Record<string, string>];

function end(why: string): never {
  process.stderr.write(`error: ${why}\n`);
  process.exit(2);
}

async function start(port: number, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(node, [...args, "bin/storefront.js"], {
    cwd: storefront,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...process.env,
      ...urls,
      PORT: String(port),
      HEADSTART_OBSERVE_SHARE: share,
      HEADSTART_OBSERVE_OUT: join(tmpdir(), `headstart-observe-${port}.json`),
    },
  });
  const isReady = once(child.stdout, "data").then(() => true);
  const isOver = once(child, "exit").then(() => false);
  if (!(await Promise.race([isReady, isOver]))) {
    end(`the server has ended before it listened on port ${port}: what it said is above`);
  }
  return child;
}

/** Milliseconds of CPU time that a process has taken (proc(5), `stat`: in hundredths of a second). */
function cpu({ pid }: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${pid ?? 0}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Milliseconds of CPU time of a server for some visits. */
async function visit(child: ChildProcess, port: number): Promise<number> {
  const before = cpu(child);
  let left = VISITS;
  const customer = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await fetch(`http://127.0.0.1:${port}${PATHS[left % PATHS.length] ?? ""}`);
      if (!answer.ok) end(`${answer.url} answers ${answer.status}: ${await answer.text()}`);
      await answer.text();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, customer));
  return cpu(child) - before;
}

const loader = fileURLToPath(new URL("../../headstart/dist/observe-register.js", import.meta.url));
const servers = [
  { child: await start(18081, []), port: 18081 },
  { child: await start(18082, ["--import", loader]), port: 18082 },
];
const ratios: number[] = [];
const sums = [0, 0];
for (let round = -3; round < Number(rounds); round++) {
  const times: number[] = [];
  for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
    const server = servers[at];
    if (server !== undefined) times[at] = await visit(server.child, server.port);
  }
  if (round < 0) continue;
  ratios.push((times[1] ?? 0) / (times[0] ?? 1));
  times.forEach((time, at) => (sums[at] = (sums[at] ?? 0) + time));
}
for (const { child } of servers) child.kill();
services.disconnect();
ratios.sort((one, other) => one - other);
// Records in turns: what counts is the sum, not a round with no turn in it.
const ratio = (sums[1] ?? 0) / (sums[0] ?? 1);
process.stdout.write(
  `CPU time of a server with a share of ${share}: ${ratio.toFixed(3)} of that without (by round ${ratios.map((it) => it.toFixed(2)).join(", ")})\n`,
);
