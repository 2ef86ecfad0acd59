import { open } from "node:fs/promises";

/** Bytes that are read at once. */
const BLOCK = 1 << 20;
/** The tag of a packet in a trace: field 1, with a length. */
const PACKET = 10;

/**
 * Calls `each` with all packets of a file in Perfetto's format, one after the other; the bytes are only valid during the
 * call. A file that is cut off is read up to there.
 *
 * @throws Error if it cannot be read
 */
export async function readPackets(path: string, each: (packet: Uint8Array) => void): Promise<void> {
  const file = await open(path);
  try {
    let rest = Buffer.alloc(0);
    for (;;) {
      const block = Buffer.alloc(BLOCK);
      const { bytesRead } = await file.read(block, 0, BLOCK, null);
      if (bytesRead === 0) return;
      const read = block.subarray(0, bytesRead);
      const bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
      rest = bytes.subarray(packetsOf(bytes, each));
    }
  } finally {
    await file.close();
  }
}

/** Calls `each` with the packets that are whole, and returns where the first one begins that is not. */
function packetsOf(bytes: Buffer, each: (packet: Uint8Array) => void): number {
  let start = 0;
  for (;;) {
    let at = start;
    if (at >= bytes.length) return start;
    const tag = bytes[at++];
    let length = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) return start;
      length += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    if (at + length > bytes.length) return start;
    if (tag === PACKET) each(bytes.subarray(at, at + length));
    start = at + length;
  }
}
