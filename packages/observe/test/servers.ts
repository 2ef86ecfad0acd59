import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { SERVER as FERRETDB } from "../scripts/mongo-server.mjs";

/** A server that runs for a test, with the folder that all of it is in. */
export interface Running {
  readonly url: string;
  stop(): Promise<void>;
}

const REDIS = "/usr/bin/redis-server";
const MARIADB = "/usr/sbin/mariadbd";

/** Why tests with it cannot run here; empty where they can. */
export const without = {
  redis: existsSync(REDIS) ? "" : "redis-server is not installed",
  mariadb: existsSync(MARIADB) ? "" : "mariadb-server is not installed",
  mongodb: existsSync(FERRETDB)
    ? ""
    : `there is no ${FERRETDB}: node packages/observe/scripts/mongo-server.mjs builds it`,
};

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
      socket.once("error", () => {
        resolve(false);
      });
    });
    if (isThere) return;
    await sleep(100);
  }
  throw new Error(`nothing listens on port ${port}`);
}

function stopping(child: ChildProcess, folder: string): () => Promise<void> {
  return async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A Redis of its own. */
export async function redis(): Promise<Running> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), "headstart-redis-")), await freePort()];
  const options = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn(REDIS, options, { stdio: "ignore" });
  await answers(port);
  return { url: `redis://127.0.0.1:${port}`, stop: stopping(child, folder) };
}

/** A MariaDB of its own, with a database `test`. */
export async function mariadb(): Promise<Running> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), "headstart-mariadb-")), await freePort()];
  const data = join(folder, "data");
  const user = `--user=${userInfo().username}`;
  const made = [
    "--no-defaults",
    `--datadir=${data}`,
    user,
    "--auth-root-authentication-method=normal",
  ];
  execFileSync("/usr/bin/mariadb-install-db", made, { stdio: "ignore" });
  const options = [
    "--no-defaults",
    `--datadir=${data}`,
    user,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
  ];
  const child = spawn(MARIADB, [...options, `--socket=${join(folder, "s")}`], { stdio: "ignore" });
  await answers(port);
  return { url: `mysql://root@127.0.0.1:${port}/test`, stop: stopping(child, folder) };
}

/** A server that speaks MongoDB's protocol, of its own. */
export async function mongodb(): Promise<Running> {
  const [folder, port] = [mkdtempSync(join(tmpdir(), "headstart-mongodb-")), await freePort()];
  const options = [
    ...["--handler=sqlite", `--sqlite-url=file:${folder}/`, `--state-dir=${folder}`],
    ...[`--listen-addr=127.0.0.1:${port}`, "--debug-addr=-", "--telemetry=disable"],
  ];
  const child = spawn(FERRETDB, options, { stdio: "ignore" });
  await answers(port);
  return { url: `mongodb://127.0.0.1:${port}/`, stop: stopping(child, folder) };
}
