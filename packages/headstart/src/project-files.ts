import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The nearest folder with a `package.json` from a folder upwards; that folder itself where there is none. */
export function projectAbove(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Finds files of a project by paths that another machine has for them. */
export class ProjectFiles {
  private readonly known = new Map<string, string | undefined>();

  constructor(private readonly project: string) {}

  /** The path of a file relative to the project, with `/`; nothing where it has none such. */
  find(given: string | undefined): string | undefined {
    if (given === undefined) return undefined;
    if (!this.known.has(given)) this.known.set(given, this.look(given));
    return this.known.get(given);
  }

  private look(given: string): string | undefined {
    const path = given.startsWith("file:") ? fileURLToPath(given) : given;
    const inside = relative(this.project, path);
    const isInside = isAbsolute(path) && !inside.startsWith("..") && !isAbsolute(inside);
    if (isInside && existsSync(path)) return inside.split(sep).join("/");
    // Of another machine: the longest end of the path that is there.
    const parts = path
      .split(/[\\/]/)
      .filter((part) => part !== "" && part !== "." && part !== "..");
    for (let from = 0; from < parts.length; from++) {
      const end = parts.slice(from).join("/");
      if (existsSync(join(this.project, end))) return end;
    }
    return undefined;
  }
}
