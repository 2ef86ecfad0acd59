const decoder = new TextDecoder();

/** Reads the fields of one message of Protocol Buffers, one after the other, without a schema. */
export class Fields {
  /** The number of the field that {@link next} has found. */
  field = 0;
  private wire = 0;
  private view: DataView;

  constructor(
    private bytes: Uint8Array,
    private at = 0,
    private end = bytes.length,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Goes on to the next field; its value has to be read, or skipped. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.varint();
    this.field = Math.floor(tag / 8);
    this.wire = tag & 7;
    return true;
  }

  /** The value as a number; of the ones above 2^53, the low 53 bits are right. */
  number(): number {
    if (this.wire === 0) return this.varint();
    if (this.wire === 1) return this.fixed64();
    if (this.wire === 5) {
      this.at += 4;
      return this.view.getUint32(this.at - 4, true);
    }
    this.skip();
    return 0;
  }

  /** The value as a signed number. */
  signed(): number {
    if (this.wire !== 0) return this.number();
    const start = this.at;
    const value = this.varint();
    // Negative ones always take ten bytes.
    if (this.at - start < 10) return value;
    this.at = start;
    return Number(BigInt.asIntN(64, this.bigVarint()));
  }

  /** The value as a floating-point number. */
  double(): number {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }

  /** The value as a text. */
  text(): string {
    const { at, end } = this.slice();
    return decoder.decode(this.bytes.subarray(at, end));
  }

  /** The value, some bytes, in hexadecimal digits. */
  hex(): string {
    const { at, end } = this.slice();
    let digits = "";
    for (const byte of this.bytes.subarray(at, end)) digits += byte.toString(16).padStart(2, "0");
    return digits;
  }

  /** The value, nanoseconds in 64 bits, in milliseconds. */
  milliseconds(): number {
    if (this.wire !== 1) {
      this.skip();
      return 0;
    }
    this.at += 8;
    const nanoseconds = this.view.getBigUint64(this.at - 8, true);
    return Number(nanoseconds / 1_000_000n) + Number(nanoseconds % 1_000_000n) / 1e6;
  }

  /** The value as a message. */
  message(): Fields {
    const { at, end } = this.slice();
    return new Fields(this.bytes, at, end);
  }

  /**
   * Calls `each` for every value of a repeated field of 64 bits, packed or not, with a number below 2^49 that hardly any
   * other value has: neither half of such a value tells it from others.
   */
  ids(each: (id: number) => void): void {
    if (this.wire === 1) {
      each(this.mixed64());
    } else if (this.wire === 2) {
      const packed = this.message();
      while (packed.at < packed.end) each(packed.mixed64());
    } else {
      this.skip();
    }
  }

  /** Goes past the value. */
  skip(): void {
    if (this.wire === 0) this.varint();
    else if (this.wire === 1) this.at += 8;
    else if (this.wire === 2) this.slice();
    else if (this.wire === 5) this.at += 4;
    // Groups are in no message that is read here; nothing after one could be understood.
    else this.at = this.end;
  }

  private slice(): { at: number; end: number } {
    const length = this.varint();
    const at = this.at;
    this.at = Math.min(at + length, this.end);
    return { at, end: this.at };
  }

  private varint(): number {
    let byte = this.bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = this.bytes[this.at++] ?? 0;
      // The bits from the 53rd on are dropped, so that those below stay exact.
      if (scale < 2 ** 49) value += (byte & 127) * scale;
      else if (scale === 2 ** 49) value += (byte & 15) * scale;
      scale *= 128;
    } while (byte > 127);
    return value;
  }

  private bigVarint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.bytes[this.at++] ?? 0;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  /** All 64 bits, mixed in a way that can be undone (as MurmurHash3 does), as far as a number holds them. */
  private mixed64(): number {
    this.at += 8;
    let low = this.view.getUint32(this.at - 8, true);
    let high = this.view.getUint32(this.at - 4, true);
    low = Math.imul(low ^ (high + 0x9e3779b9), 0x85ebca6b);
    low ^= low >>> 15;
    high = Math.imul(high ^ low, 0xc2b2ae35);
    high ^= high >>> 13;
    low = Math.imul(low ^ high, 0x27d4eb2f);
    low ^= low >>> 16;
    return (low >>> 0) * 2 ** 17 + (high >>> 15);
  }

  private fixed64(): number {
    this.at += 8;
    const low = this.view.getUint32(this.at - 8, true);
    const high = this.view.getUint32(this.at - 4, true);
    return (high & 0x1fffff) * 2 ** 32 + low;
  }
}
