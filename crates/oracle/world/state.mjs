// What the world holds: files, hosts, tables, a repository, keys. Every path can be read, so that
// operations fail only where the schedule says so.

/** A small number that depends on a text (FNV-1a). */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}

const GONE = "gone";

export class State {
  #seed;
  #files = new Map();
  #versions = new Map();
  #consumed = new Set();

  /** @param {number} seed What is there at first, and with it which guards hold. */
  constructor(seed) {
    this.#seed = seed;
  }

  /** One of two, for each name and seed. */
  bit(name) {
    return hash(`${String(this.#seed)}:${name}`) % 2;
  }

  read(path) {
    for (let at = path; at !== ""; at = at.includes("/") ? at.slice(0, at.lastIndexOf("/")) : "") {
      const content = this.#files.get(at);
      if (at === path && content !== undefined) return content;
      if (content === GONE) return `${GONE} ${path}`;
    }
    return `${path.replaceAll("/", "_")}${String(this.bit(path))}`;
  }

  write(path, content) {
    this.#files.set(path, content);
    this.bump(`file:${path}`);
  }

  remove(path) {
    for (const other of this.#files.keys()) {
      if (other.startsWith(`${path}/`)) this.#files.delete(other);
    }
    this.write(path, GONE);
  }

  /** Whether the program has made this, and not removed it. */
  has(path) {
    const content = this.#files.get(path);
    return content !== undefined && content !== GONE;
  }

  /** Whether the program has removed or moved this. */
  isGone(path) {
    return this.#files.get(path) === GONE;
  }

  /** All that is left of an input, which is gone then. */
  consume(name) {
    const left = this.#consumed.has(name)
      ? ""
      : `${name.replaceAll("/", "_")}${String(this.bit(name))}`;
    this.#consumed.add(name);
    return left;
  }

  /** The names in a folder: two that were there, and what was written. */
  list(path) {
    const gone = this.#files.get(path) === GONE;
    const names = new Set(gone ? [] : ["x", this.bit(`list ${path}`) === 1 ? "y1" : "y0"]);
    for (const [other, content] of this.#files) {
      if (!other.startsWith(`${path}/`)) continue;
      if (content === GONE) names.delete(other.slice(path.length + 1));
      else names.add(other.slice(path.length + 1));
    }
    return [...names].sort();
  }

  bump(resource) {
    this.#versions.set(resource, this.version(resource) + 1);
  }

  version(resource) {
    return this.#versions.get(resource) ?? 0;
  }

  /** Changes whenever a file does that is not of the second task alone: a repository ignores `o/`. */
  tree() {
    const seen = [...this.#files].filter(([path]) => !path.startsWith("o/"));
    return hash(JSON.stringify(seen.sort())) % 1000;
  }
}
