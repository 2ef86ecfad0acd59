import { readdirSync, readFileSync, readlinkSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

import { isAlive } from "./alive.js";

/** Where the copies of a verification are: the process that made it is in the name. */
const NAME = /^headstart-verify-(?<pid>\d{1,10})-\w{6}$/;
/** In it, what says on which machine that process ran. */
const OWNER = "owner";

const temporary = new Set<string>();

/** Removes what verifications that are under way have made, at once. */
export function removeTemporary(): void {
  for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
}

/** Makes a folder for the copies of a verification, and removes those that killed ones have left. */
export async function makeScratch(): Promise<string> {
  const parent = await realpath(tmpdir());
  for (const folder of leftIn(parent)) {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  const folder = await mkdtemp(join(parent, `headstart-verify-${String(process.pid)}-`));
  temporary.add(folder);
  writeFileSync(join(folder, OWNER), machine());
  return folder;
}

/** Removes a folder of {@link makeScratch}. */
export async function removeScratch(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  temporary.delete(folder);
}

/**
 * The folders of verifications that were killed. In doubt one counts as in use: where its process may
 * run on another machine or in another container, and where some process stands in it.
 */
function leftIn(parent: string): string[] {
  return readdirSync(parent)
    .filter((name) => {
      const pid = NAME.exec(name)?.groups?.["pid"];
      return pid !== undefined && !isAlive(Number(pid));
    })
    .map((name) => join(parent, name))
    .filter((folder) => isOfThisMachine(folder) && !isStoodIn(folder));
}

function isOfThisMachine(folder: string): boolean {
  try {
    return readFileSync(join(folder, OWNER), "utf8") === machine();
  } catch {
    // Its process was killed before it could say so: then nothing is in it.
    try {
      rmdirSync(folder);
    } catch {
      // Something is in it, or it is somebody else's.
    }
    return false;
  }
}

/** The machine and, where there are such, the space that the ids of processes belong to. */
function machine(): string {
  return `${hostname()}\n${linkOf("/proc/self/ns/pid")}\n`;
}

/** Whether a process has its current folder in `folder`, as far as that can be seen. */
function isStoodIn(folder: string): boolean {
  let ids: string[];
  try {
    ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return false;
  }
  return ids.some((id) => `${linkOf(`/proc/${id}/cwd`)}/`.startsWith(`${folder}/`));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
