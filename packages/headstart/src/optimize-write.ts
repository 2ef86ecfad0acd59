import {
  chmodSync,
  copyFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

import { temporaryIn } from "./leftovers.js";

/** The part of a file's mode that says who may do what with it. */
const PERMISSIONS = 0o7777;

/** A path without links in it, as far as it is there. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realOf(folder), basename(path));
  }
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

/** Copies a link. Relative paths stay relative; those that lead out of `folder` lead to the same place. */
export function copyLink(source: string, target: string, folder: string): void {
  const lead = readlinkSync(source);
  const led = resolve(dirname(source), lead);
  const isOutside = relative(folder, led).split(sep)[0] === "..";
  const copied = isOutside && !isAbsolute(lead) ? relative(realOf(dirname(target)), led) : lead;
  put(target, (temporary) => {
    symlinkSync(copied, temporary);
  });
}

/** Puts what `write` writes in the place of a file, at once. */
function put(target: string, write: (temporary: string) => void): void {
  const temporary = temporaryIn(dirname(target));
  write(temporary);
  renameSync(temporary, target);
}
