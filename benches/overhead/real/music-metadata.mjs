/** Tags and lengths of recordings in six formats, every frame and atom looked at, from memory. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parseBuffer } from "./music-metadata/index.js";

const TYPES = {
  mp3: "audio/mpeg",
  aac: "audio/aac",
  m4a: "audio/mp4",
  flac: "audio/flac",
  ogg: "audio/ogg",
  webm: "audio/webm",
  wav: "audio/wav",
  aiff: "audio/aiff",
};
const folder = path.dirname(createRequire(import.meta.url).resolve("audio-lena"));
const files = Object.entries(TYPES).map(([type, mimeType]) => {
  return { data: readFileSync(path.join(folder, `lena.${type}`)), mimeType };
});

/** How many samples the recordings have, over all rounds. */
export async function run(rounds) {
  let samples = 0;
  for (let round = 0; round < rounds; round++) {
    for (const { data, mimeType } of files) {
      const { format } = await parseBuffer(data, { mimeType }, { duration: true });
      samples += format.numberOfSamples ?? Math.round((format.duration ?? 0) * 1000);
    }
  }
  return samples;
}
