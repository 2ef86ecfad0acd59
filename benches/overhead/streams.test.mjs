/** Every variant of the stream cache, by every compiler, reads the whole file. */
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { compilers, streams } from "./stream-variants.mjs";
import { readStream, write } from "./workspace.mjs";

const LENGTH = 200_003;
const file = write("test", "stream.txt", "0123456789".repeat(LENGTH).slice(0, LENGTH));

for (const stream of Object.keys(streams)) {
  for (const { id, title, build } of await compilers()) {
    if (refuses(id, stream)) {
      test(`${streams[stream]}, ${title} refuses`, () => {
        assert.throws(() => build(readStream(stream)), /no generator form/);
      });
      continue;
    }
    test(`${streams[stream]}, ${title}`, async () => {
      const module = write("test", `${stream}-${id}.mjs`, await build(readStream(stream)));
      const { run } = await import(pathToFileURL(module));
      assert.equal(await run({ file, size: 100 }), LENGTH);
    });
  }
}

/** Generators need an entry that is async and calls that are awaited. */
function refuses(compiler, stream) {
  return ["gensync", "quansync"].includes(compiler) && ["callback", "disk"].includes(stream);
}
