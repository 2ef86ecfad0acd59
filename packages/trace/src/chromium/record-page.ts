import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { TraceError } from "../errors.js";
import { createTraceFile, summarise, type Summary, writeIndex } from "../format/chunk-file.js";
import { type Browser, findChromium, launchBrowser } from "./browser.js";
import { type Conversion, convert, newConversion } from "./convert.js";
import { messageOf } from "./message-of.js";
import { Page } from "./page.js";
import type { Pass } from "./pass.js";
import { catchStray, type Drive, loadScript, type Stray } from "./script.js";
import { openPage } from "./targets.js";
import { startTracing } from "./tracing.js";

/** What {@link recordPage} is told. */
export interface PageOptions {
  /** The address of the page. */
  readonly url: string;
  /** The trace to write. */
  readonly file: string;
  /** Each pass ends after so many seconds; without a script, that is how long the page is looked at. */
  readonly seconds?: number;
  /** A module that drives the page: see `loadScript`. */
  readonly script?: string;
  /** Where the browser is; found if nothing is said. */
  readonly chromium?: string;
  /** Asks to stop; what was recorded until then is kept. */
  readonly signal: AbortSignal;
  /** Is told, while it goes on, what the user should know. */
  readonly note: (text: string) => void;
}

/** What came of it. */
export interface RecordedPage extends Summary {
  /** What `note` was told. */
  readonly notes: readonly string[];
  /** Whether it was stopped by the signal. */
  readonly stopped: boolean;
}

/** How long a page is looked at if nothing is said, in seconds. */
const SECONDS = 10;

/** How long the page has to crash after the script has failed, in milliseconds. */
const LAST_WORDS = 300;

/** How long the browser has to write what it knows, in milliseconds. */
const SETTLE = 300;

/** What both passes share. */
interface Recording {
  readonly options: PageOptions;
  readonly drive: Drive | undefined;
  readonly executable: string;
  /** Where the browser's own recordings stand meanwhile. */
  readonly folder: string;
  readonly conversion: Conversion;
  readonly note: (text: string) => void;
  /** Is told the kind of each dialog of the page. */
  readonly onDialog: (type: string) => void;
  /** What the script fails at aside. */
  readonly stray: Stray | undefined;
}

/**
 * Records how a page waits, in two runs of it: one for its durations, one for who has registered what (`Pass`).
 *
 * @throws TraceError if there is no browser, the script cannot be loaded, or nothing could be recorded
 */
export async function recordPage(options: PageOptions): Promise<RecordedPage> {
  // What a script begins may fail at any time: a script that is loaded runs already.
  const stray = options.script === undefined ? undefined : catchStray();
  try {
    return await recordPasses(options, stray);
  } finally {
    await stray?.stop();
  }
}

/** Records the page in both passes. */
async function recordPasses(options: PageOptions, stray: Stray | undefined): Promise<RecordedPage> {
  const { url, file, script, signal } = options;
  const executable = await findChromium(options.chromium).catch((error: unknown) => {
    throw new TraceError(messageOf(error));
  });
  const drive = script === undefined ? undefined : await loadScript(script);
  const notes: string[] = [];
  const note = (text: string): void => {
    notes.push(text);
    options.note(text);
  };
  const onDialog = dialogNoter(note);
  const folder = await mkdtemp(join(tmpdir(), "headstart-trace-"));
  try {
    createTraceFile(file, { recorder: "chromium", subject: url, started: Date.now() });
    const conversion = newConversion(file);
    const recording = { options, drive, executable, folder, conversion, note, onDialog, stray };
    for (const pass of ["timing", "topology"] as const) {
      if (signal.aborted) note(`${pass}: not recorded, because it was stopped before`);
      else if (!(await recordPass(recording, pass))) break;
    }
    finish(file, note);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const summary = summarise(file);
  if (summary.chunks === 0)
    throw new TraceError([`nothing was recorded of ${url}`, ...notes].join("; "));
  return { ...summary, notes, stopped: signal.aborted };
}

/** Notes the first dialog. */
function dialogNoter(note: (text: string) => void): (type: string) => void {
  let isNoted = false;
  return (type) => {
    if (isNoted) return;
    isNoted = true;
    note(`the page opens dialogs (${type}): they are dismissed, and pages may always be left`);
  };
}

/** Closes the trace, which can be read without that, too. */
function finish(file: string, note: (text: string) => void): void {
  try {
    writeIndex(file);
  } catch (error) {
    note(`the trace has no index, since it cannot be written: ${messageOf(error)}`);
  }
}

/** Records one run of the page; whether another one has a chance. */
async function recordPass(recording: Recording, pass: Pass): Promise<boolean> {
  const { executable, folder, note } = recording;
  const raw = join(folder, `${pass}.perfetto`);
  const browser = await launchBrowser(executable).catch((error: unknown) => {
    throw new TraceError(messageOf(error));
  });
  let isRecorded: boolean;
  try {
    isRecorded = await runPage(recording, pass, browser, raw);
  } catch (error) {
    note(`${pass}: ${messageOf(error)}`);
    // If the disk is full, the beginning may be there.
    isRecorded = await stat(raw).then(
      ({ size }) => size > 0,
      () => false,
    );
  } finally {
    await browser.close();
  }
  try {
    if (isRecorded) (await convert(raw, pass, recording.conversion)).forEach(note);
    return true;
  } catch (error) {
    note(`${pass}: the trace ends early, it cannot be written: ${messageOf(error)}`);
    return false;
  } finally {
    await rm(raw, { force: true });
  }
}

/** Opens the page, lets it be driven, and keeps what the browser records. Returns whether that is anything. */
async function runPage(
  recording: Recording,
  pass: Pass,
  { cdp }: Browser,
  raw: string,
): Promise<boolean> {
  const { options, note, onDialog, stray } = recording;
  const { sessionId, crashed } = await openPage(cdp, pass, onDialog);
  const tracing = await startTracing(cdp, pass);
  const page = new Page(cdp, sessionId);
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, options.signal]);
  const ends: Promise<string | undefined>[] = [
    // What the script runs into may only be how the page ends.
    runDriver(recording, page, over.signal).then(
      (why) => (why === undefined ? why : sleep(LAST_WORDS, why)),
      (error: unknown) => sleep(LAST_WORDS, messageOf(error)),
    ),
    sleep(2 ** 31 - 1, undefined, { signal }).catch(() => "it was stopped"),
    crashed.then(() => "the page has crashed"),
    cdp.closed.then(() => "the browser has ended"),
    tracing.full.then(() => "there was no room for more events"),
  ];
  let failure: string | undefined;
  const failed = stray?.next().then(({ error }) => {
    failure = failureOf(options.script, error);
    return sleep(LAST_WORDS, failure);
  });
  if (failed !== undefined) ends.push(failed);
  try {
    const why = (await Promise.race(ends)) ?? failure;
    if (why !== undefined) note(`${pass}: ended early: ${why}`);
  } finally {
    over.abort();
  }
  // The profile comes in parts, some ten milliseconds late.
  if (pass === "topology") await Promise.race([sleep(SETTLE), cdp.closed]);
  const isIncomplete = await tracing.stop(raw);
  if (isIncomplete) note(`${pass}: the browser has lost some events`);
  return true;
}

/** Opens the page and drives it, or looks at it for a while. Returns what the script fails with. */
async function runDriver(
  recording: Recording,
  page: Page,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { options, drive } = recording;
  const limit = options.seconds ?? (drive === undefined ? SECONDS : undefined);
  const deadline = limit === undefined ? undefined : sleep(limit * 1000, undefined, { signal });
  deadline?.catch(() => undefined);
  const driving = (async () => {
    await page.goto(options.url);
    return drive === undefined ? deadline : runScript(drive, page, options.script);
  })();
  return deadline === undefined ? driving : Promise.race([driving, deadline]);
}

/** Returns what to say if the script fails, with whatever. */
async function runScript(drive: Drive, page: Page, path?: string): Promise<string | undefined> {
  try {
    await drive(page);
    return undefined;
  } catch (error) {
    return failureOf(path, error);
  }
}

function failureOf(path = "", error: unknown): string {
  return `the script ${path} failed: ${messageOf(error)}`;
}
