import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { temporaryIn } from "./leftovers.js";

/** The part of a file's mode that says who may do what with it. */
const PERMISSIONS = 0o7777;

/** The folders whose entries are what a process has open. */
const DESCRIPTORS = /^(?:\/proc\/.+\/fd|\/dev\/fd)$/;

/** How many links a path may lead through; systems allow about as many. */
const MOST_LINKS = 40;

/** A path without links in it, as far as it is there. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realOf(folder), basename(path));
  }
}

/** What stands at a path; a link is one, wherever it leads. */
export function statsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** Whether something takes what is written to it elsewhere: a pipe, a device. No file could take its place. */
export function isOutlet(stats: Stats | undefined): boolean {
  if (stats === undefined) return false;
  return stats.isFIFO() || stats.isCharacterDevice() || stats.isBlockDevice();
}

/** Whether a path, as `/dev/stdout`, names what a process has open, also where that is a file. */
export function isDescriptor(path: string): boolean {
  let at = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    if (DESCRIPTORS.test(realOf(dirname(at)))) return true;
    if (statsAt(at)?.isSymbolicLink() !== true) return false;
    at = resolve(dirname(at), readlinkSync(at));
  }
  return false;
}

/**
 * Writes to what stands in a place, and stays there. Not on this thread, which signals come to: a pipe is only
 * open once somebody reads from it.
 */
export async function writeTo(target: string, content: string | Buffer): Promise<void> {
  await writeFile(target, content, { flag: constants.O_WRONLY | constants.O_TRUNC });
}

/** Writes a file whole or not at all. */
export function replace(target: string, text: string, mode?: number): void {
  put(target, (temporary) => {
    writeFileSync(temporary, text);
    if (mode !== undefined) chmodSync(temporary, mode);
  });
}

/**
 * Writes what a file becomes; who may do what with it stays. A file with further names (hard links) that
 * takes its own place is written over: another in its place would no longer be what these name.
 */
export function writeLike(source: string, target: string, text: string): void {
  const { mode, nlink } = statSync(source);
  if (source === target && nlink > 1) writeFileSync(target, text);
  else replace(target, text, mode & PERMISSIONS);
}

/** Copies a file; a link that stands in its place is replaced, not followed. */
export function copyFile(source: string, target: string): void {
  put(target, (temporary) => {
    copyFileSync(source, temporary);
  });
}

/** What the copying of links has to know of a folder. */
export interface Moved {
  /** Whether a path is that of something that is copied. */
  readonly isCopied: (path: string) => boolean;
  /** Where that goes. */
  readonly outputOf: (path: string) => string;
}

/**
 * Copies a link: to what is copied it leads in the copy, and else to where it led. Relative paths stay relative, and
 * absolute ones absolute.
 */
export function copyLink(source: string, target: string, folder: Moved): void {
  const lead = readlinkSync(source);
  const copied = isWithin(source, lead, folder) ? lead : movedLead(source, target, lead, folder);
  put(target, (temporary) => {
    symlinkSync(copied, temporary);
  });
}

/** Whether all that a path passes is copied, so that the same path leads to the same thing there. */
function isWithin(link: string, lead: string, { isCopied }: Moved): boolean {
  if (isAbsolute(lead)) return false;
  let at = dirname(link);
  return lead.split(sep).every((part) => {
    at = join(at, part);
    return isCopied(at);
  });
}

function movedLead(source: string, target: string, lead: string, folder: Moved): string {
  const led = ledTo(source, lead);
  if (isAbsolute(lead) && !folder.isCopied(led)) return lead;
  const place = folder.isCopied(led) ? folder.outputOf(led) : led;
  return isAbsolute(lead) ? place : relative(realOf(dirname(target)), place);
}

/** The place that a link leads to, which may be one itself, without links on the way there. */
function ledTo(link: string, lead: string): string {
  // Not by `join`, which takes `..` for the folder that is written in front of it, and not for that which a link leads to.
  const path = isAbsolute(lead) ? lead : `${dirname(link)}${sep}${lead}`;
  const name = basename(path);
  return name === ".." || name === "." ? realOf(path) : join(realOf(dirname(path)), name);
}

/** Puts what `write` writes in the place of a file, at once; what could not be put there does not stay. */
function put(target: string, write: (temporary: string) => void): void {
  const temporary = temporaryIn(dirname(target));
  try {
    write(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
