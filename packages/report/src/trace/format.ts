/** Figures of a trace as people read them, the same on every machine. */

const UNITS = [
  [2 * 3_600_000, 3_600_000, "h"],
  [10 * 60_000, 60_000, "min"],
  [1000, 1000, "s"],
  [1, 1, "ms"],
] as const;

/** A time in milliseconds, in the unit that reads best: `0.7 µs`, `12.3 ms`, `61.6 s`, `12.2 h`, on one line. */
export function time(milliseconds: number): string {
  // Rounded first, so that 999.9 µs are 1 ms.
  const rounded = Number(milliseconds.toPrecision(3));
  const [, length, name] = UNITS.find(([least]) => rounded >= least) ?? [0, 0.001, "µs"];
  return `${Number((milliseconds / length).toPrecision(3))}\u00a0${name}`;
}

/** A number with separators: `1,519,023`. */
export function whole(value: number): string {
  return value.toLocaleString("en-US");
}

/** `1 thread`, `12,000 threads`. */
export function many(value: number, noun: string): string {
  return `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A part of a whole in percent. Only nothing is 0%, and only all is 100%. */
export function share(part: number, all: number): string {
  if (all === 0) return "\u2013";
  const percent = (100 * part) / all;
  if (part === 0 || part === all) return `${percent}%`;
  if (percent < 0.05) return "<\u00a00.1%";
  if (percent >= 99.95) return ">\u00a099.9%";
  return `${percent.toFixed(1)}%`;
}

/** A moment without a time zone of the reader's: `2026-11-29 05:16 UTC`. */
export function moment(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return "an unknown time";
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** A size of a file: `639 B`, `3.3 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes}\u00a0B`;
  const [length, unit] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${Number((bytes / length).toPrecision(3))}\u00a0${unit}`;
}

/** A text with its middle left out if it is longer than that. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 3);
  return `${text.slice(0, most - end - 1)}…${text.slice(text.length - end)}`;
}

/** A file without the folder that the program ran in. */
export function within(file: string, folder: string | undefined): string {
  if (folder === undefined || folder === "" || !file.startsWith(folder)) return file;
  const rest = file.slice(folder.length);
  return /^[/\\]/.test(rest) ? rest.slice(1) : file;
}
