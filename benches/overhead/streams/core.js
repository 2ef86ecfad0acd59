// A cache between a stream and cursors that read it piece by piece and may have to wait, after the
// description in ../shared/papers/4-async-overhead-blog.txt.
import { createReadStream } from "node:fs";

/** A condition variable. */
class Signal {
  constructor() {
    this.waiting = [];
  }

  wait() {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  notify() {
    const woken = this.waiting;
    this.waiting = [];
    for (const resolve of woken) resolve();
  }
}

class StreamCache {
  constructor() {
    this.chunks = [];
    /** Offset of the first chunk that is kept. */
    this.start = 0;
    /** Offset behind the last chunk. */
    this.total = 0;
    this.ended = false;
    this.cursors = new Set();
    this.signal = new Signal();
  }

  cursor() {
    const cursor = new Cursor(this, this.start);
    this.cursors.add(cursor);
    return cursor;
  }

  pipe(stream) {
    stream.on("data", (chunk) => this.push(chunk));
    stream.on("end", () => {
      this.ended = true;
      this.signal.notify();
    });
    return stream;
  }

  push(chunk) {
    this.chunks.push(chunk);
    this.total += chunk.length;
    this.free();
    this.signal.notify();
  }

  /** Lets go of the chunks that every cursor is past. */
  free() {
    let reached = this.total;
    for (const cursor of this.cursors) reached = Math.min(reached, cursor.offset);
    while (this.chunks.length > 0 && this.start + this.chunks[0].length <= reached) {
      this.start += this.chunks.shift().length;
    }
  }

  /** The chunk that an offset is in, and where in it. */
  locate(offset) {
    let inner = offset - this.start;
    let index = 0;
    while (index < this.chunks.length && inner >= this.chunks[index].length) {
      inner -= this.chunks[index].length;
      index += 1;
    }
    return [index, inner];
  }

  take(cursor, size) {
    const place = this.locate(cursor.offset);
    if (place[0] >= this.chunks.length) {
      return "";
    }
    const piece = this.chunks[place[0]].slice(place[1], place[1] + size);
    cursor.offset += piece.length;
    return piece;
  }

  async read(cursor, size) {
    if (cursor.offset < 0) {
      throw new Error("the cursor is before the cache");
    }
    while (cursor.offset > this.total - size) {
      if (this.ended) {
        break;
      }
      await this.signal.wait();
    }
    return this.take(cursor, size);
  }

  async readThen(cursor, size, callback) {
    if (cursor.offset < 0) {
      throw new Error("the cursor is before the cache");
    }
    while (cursor.offset > this.total - size) {
      if (this.ended) {
        break;
      }
      await this.signal.wait();
    }
    callback(this.take(cursor, size));
  }
}

class Cursor {
  constructor(owner, offset) {
    this.owner = owner;
    this.offset = offset;
  }

  isDone() {
    return this.owner.ended && this.offset >= this.owner.total;
  }

  drop() {
    this.owner.cursors.delete(this);
    this.owner.free();
  }

  async next(size) {
    return await this.owner.read(this, size);
  }

  nextDirectly(size) {
    return this.owner.read(this, size);
  }

  /** A piece if there is one without waiting, else the empty string. */
  peek(size) {
    if (this.offset > this.owner.total - size) {
      return "";
    }
    return this.owner.take(this, size);
  }
}

function open(input, cache) {
  return cache.pipe(createReadStream(input.file, { encoding: "utf8" }));
}
