/** A WAVE file, chunk by chunk and sample by sample, as it comes out of a stream. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Readable } from "node:stream";
import * as Token from "token-types";
import { fromBuffer, fromStream } from "./strtok3/index.js";

const CHUNK = 65_536;
const folder = path.dirname(createRequire(import.meta.url).resolve("audio-lena"));
const data = readFileSync(path.join(folder, "lena.wav")).subarray(0, 200_000);

/** The parts that a file system or a network would hand out. */
function* parts() {
  for (let at = 0; at < data.length; at += CHUNK) yield data.subarray(at, at + CHUNK);
}

/** The energy of what is recorded. */
async function energy(tokenizer) {
  let sum = 0;
  await tokenizer.ignore(12);
  for (;;) {
    const name = await tokenizer.readToken(new Token.StringType(4, "latin1"));
    const length = await tokenizer.readNumber(Token.UINT32_LE);
    if (name !== "data") {
      await tokenizer.ignore(length);
      continue;
    }
    const end = Math.min(length, data.length - tokenizer.position) >> 1;
    for (let at = 0; at < end; at++) sum += Math.abs(await tokenizer.readNumber(Token.INT16_LE));
    return sum;
  }
}

export async function run(rounds) {
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    sum += await energy(fromBuffer(data));
    sum += await energy(await fromStream(Readable.from(parts(), { objectMode: false })));
  }
  return sum;
}
