import { constants } from "node:buffer";
import { StringDecoder } from "node:string_decoder";

const LINE_FEED = 0x0a;

/** No text can have more characters. */
export const LONGEST = constants.MAX_STRING_LENGTH;

/** Parts text in UTF-8 that comes in chunks into its lines; nothing stands for a line that is longer than any text can be. */
export class Lines {
  /** What there is so far of a line that goes on in the next chunk, if there is one. */
  private begun: string | undefined;
  private isTooLong = false;
  private readonly decoder = new StringDecoder("utf8");

  constructor(private readonly longest = LONGEST) {}

  /** The lines that a chunk ends, without their ends. */
  *of(chunk: Buffer): Generator<string | undefined> {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      if (this.begun === undefined) {
        yield chunk.toString("utf8", start, end);
      } else {
        this.goOn(chunk.subarray(start, end));
        yield this.ended();
      }
      start = end + 1;
    }
    if (start < chunk.length) this.goOn(chunk.subarray(start));
  }

  /** The last line, if nothing ends it. */
  *rest(): Generator<string | undefined> {
    if (this.begun !== undefined) yield this.ended();
  }

  private goOn(bytes: Buffer): void {
    this.append(this.decoder.write(bytes));
  }

  private append(text: string): void {
    const begun = this.begun ?? "";
    if (begun.length + text.length > this.longest) this.isTooLong = true;
    this.begun = this.isTooLong ? "" : begun + text;
  }

  private ended(): string | undefined {
    // A character may be cut off.
    this.append(this.decoder.end());
    const line = this.isTooLong ? undefined : this.begun;
    this.begun = undefined;
    this.isTooLong = false;
    return line;
  }
}
