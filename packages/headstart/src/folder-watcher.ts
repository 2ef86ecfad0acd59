// `fs.watch` of Node loses a file on Linux once an editor has put another in its place.
import { FSWatcher } from "chokidar";

import { statsAt } from "./optimize-write.js";

/** How often to look whether the folder is still there, of whose end the watcher does not always hear. */
const LOOK_MS = 250;

/** Watches a folder, or a file, also where chokidar alone loses something. */
export class FolderWatcher extends FSWatcher {
  #isOver = false;

  /** Has what a link leads to be none of the folder's. */
  constructor(ignored: (folder: string) => boolean) {
    super({
      ignoreInitial: true,
      followSymlinks: false,
      ignored: (path, stats) => stats?.isDirectory() === true && ignored(path),
    });
  }

  /** Watches something more, unless this is over: what is under way would open it again, for good. */
  override add(...args: Parameters<FSWatcher["add"]>): FSWatcher {
    return this.#isOver ? this : super.add(...args);
  }

  override close(): Promise<void> {
    this.#isOver = true;
    return super.close();
  }

  /** Tells `written` of files and links that are new or have changed, and `removed` of those that are gone. */
  follow(written: (file: string) => void, removed: (file: string) => void): void {
    this.on("add", written);
    this.on("unlink", removed);
    this.on("change", (path, stats) => {
      if (stats?.isDirectory() === true) this.#beginAgain(path, removed);
      else written(path);
    });
  }

  /** Waits until the folder that something stands in, or the folder itself, is gone, or is another one by that name. */
  async gone(folder: string, signal: AbortSignal): Promise<void> {
    const first = statsAt(folder)?.ino;
    await new Promise<void>((done) => {
      const look = setInterval(() => {
        if (first === undefined || statsAt(folder)?.ino !== first) end();
      }, LOOK_MS);
      const end = () => {
        clearInterval(look);
        done();
      };
      this.on("unlinkDir", (path) => {
        if (path === folder) end();
      });
      if (signal.aborted) end();
      else signal.addEventListener("abort", end);
    });
  }

  /**
   * A folder that came so fast in the place of a file that it is watched as the file: its entries would not be heard
   * of.
   */
  #beginAgain(folder: string, removed: (file: string) => void): void {
    this.unwatch(folder);
    // With all that is in it, as what is new in a folder.
    this.add(folder, undefined, true);
    removed(folder);
  }

  /**
   * Reads on behind a link that cannot be resolved, as one into a file or with too long a path: the watcher would stop
   * there, and never be ready.
   */
  override _readdirp(...args: Parameters<FSWatcher["_readdirp"]>) {
    const stream = super._readdirp(...args);
    if (stream === undefined) return undefined;
    const onError = stream._onError.bind(stream);
    stream._onError = (error: Error) => {
      if (!("syscall" in error && error.syscall === "realpath")) onError(error);
    };
    return stream;
  }
}
