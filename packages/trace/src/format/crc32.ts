import * as zlib from "node:zlib";

/** The table of the polynomial 0xEDB88320. */
const TABLE = new Uint32Array(256).map((_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function portable(bytes: Uint8Array): number {
  let crc = -1;
  // eslint-disable-next-line @typescript-eslint/prefer-for-of -- the program may have replaced what iterates
  for (let at = 0; at < bytes.length; at++) {
    crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** The CRC-32 of IEEE 802.3. The first versions of Node 20 have none. */
export const crc32: (bytes: Uint8Array) => number =
  (zlib as Partial<Record<"crc32", typeof portable>>).crc32 ?? portable;
