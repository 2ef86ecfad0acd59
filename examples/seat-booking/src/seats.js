import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The seats of a house, a file each: whoever holds one stands in it. */
export class Seats {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  /** Who holds a seat; nobody where it is free. */
  async holder(seat) {
    try {
      return await readFile(this.#file(seat), "utf8");
    } catch (error) {
      if (error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  async give(seat, guest) {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(this.#file(seat), guest);
  }

  #file(seat) {
    return join(this.#folder, `${seat}.txt`);
  }
}
