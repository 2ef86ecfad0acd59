import { type ChildProcess, spawn } from "node:child_process";
import { constants, rmSync } from "node:fs";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Readable, Writable } from "node:stream";

import { Cdp } from "./cdp.js";

/** Names under which Chromium is installed. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Where it stands where no folder of the PATH has it. */
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** No windows, no network but the page's, nothing kept from one start to the next. */
const ARGUMENTS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
  // Pages that nobody sees would get their timers late.
  ...["--disable-background-timer-throttling", "--disable-renderer-backgrounding"],
  ...["--disable-backgrounding-occluded-windows", "--remote-debugging-pipe"],
];

/** How long a browser may take to end by itself, in milliseconds. */
const PATIENCE = 2000;

/** How long it may take to start, in milliseconds. */
const STARTUP = 30_000;

/** A browser that runs. */
export interface Browser {
  readonly cdp: Cdp;
  /** Its own folder, which goes with it. */
  readonly folder: string;
  /** What it is, such as `Chromium 156.0.8078.108`. */
  readonly version: string;
  /** Ends it with all its processes and removes its folder; never fails. */
  close(): Promise<void>;
}

/**
 * Finds a Chromium: `path` if there is one, then `CHROME_PATH`, then the usual names and places.
 *
 * @throws Error if there is none, with what to do about it
 */
export async function findChromium(path = process.env["CHROME_PATH"]): Promise<string> {
  if (path !== undefined && path !== "") {
    if (await isExecutable(path)) return path;
    throw new Error(`no browser can be started as ${path}`);
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((it) => it !== "");
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const candidate of [...paths, ...PLACES]) {
    if (await isExecutable(candidate)) return candidate;
  }
  throw new Error(
    "no Chromium is installed: install one (on Debian `apt-get install chromium`), " +
      "or say where it is with CHROME_PATH",
  );
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Starts a browser with a fresh profile.
 *
 * @throws Error if it cannot be started
 */
export async function launchBrowser(executable: string): Promise<Browser> {
  const folder = await mkdtemp(join(tmpdir(), "headstart-chromium-"));
  const child = spawn(executable, [...ARGUMENTS, `--user-data-dir=${folder}`, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    // Its own process group, so that all its processes can be ended.
    detached: true,
  });
  const ended = new Promise<void>((resolve) => {
    child.on("exit", () => {
      resolve();
    });
    child.on("error", () => {
      resolve();
    });
  });
  const cdp = new Cdp(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const abandon = (): void => {
    killGroup(child);
    removeNow(folder);
  };
  // Whatever ends this process ends the browser, too.
  process.on("exit", abandon);
  const close = async (): Promise<void> => {
    await Promise.race([cdp.send("Browser.close").catch(() => undefined), ended, after(PATIENCE)]);
    await Promise.race([ended, after(PATIENCE)]);
    killGroup(child);
    process.off("exit", abandon);
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  };
  try {
    const { product } = await Promise.race([cdp.send("Browser.getVersion"), silence()]);
    return { cdp, folder, version: nameOf(String(product)), close };
  } catch (error) {
    await close();
    throw new Error(`${executable} could not be started`, { cause: error });
  }
}

/** `Chromium 156.0.8078.108` for `HeadlessChrome/156.0.8078.108`. */
function nameOf(product: string): string {
  return product.replace(/^(Headless)?Chrome/, "Chromium").replace("/", " ");
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function removeNow(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch {
    // A process that has not ended yet may still write.
  }
}

async function silence(): Promise<never> {
  await after(STARTUP);
  throw new Error(`it has said nothing for ${STARTUP / 1000} s`);
}

function after(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
