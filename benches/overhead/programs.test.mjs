/** Every variant of every program has to give the right result. */
import assert from "node:assert/strict";
import test from "node:test";
import { pathToFileURL } from "node:url";
import { Contestant } from "./contestant.mjs";
import { programs } from "./programs/inputs.mjs";
import { allVariants } from "./variants.mjs";
import { readProgram, write } from "./workspace.mjs";

/** What published tools get wrong; the test fails, too, when one of them gets it right. */
const KNOWN_FAULTS = new Map([
  ["list, async-to-promises", "wrong result"],
  ["json, async-to-promises", "does not end"],
]);

async function runHere(job) {
  const { run } = await import(pathToFileURL(job.module));
  // Through JSON: only the values count, not the class that they came in.
  assert.deepEqual(JSON.parse(JSON.stringify(await run(job.input))), job.expected);
}

/** For what is known to fail, in a process that can be stopped. */
async function faultOf(job, name) {
  const contestant = new Contestant(job, { name: `test-${name}`, pin: false, patience: 1_000 });
  try {
    await contestant.ready;
    return "none";
  } catch (error) {
    return error.message;
  } finally {
    contestant.stop();
  }
}

for (const program of Object.keys(programs)) {
  for (const variant of await allVariants()) {
    for (const needed of variant.onlyNotNeeded ? [false] : [false, true]) {
      const title = `${program}, ${variant.title}`;
      test(`${title}, awaits ${needed ? "" : "not "}needed`, async () => {
        const name = `${program}-${variant.id}-${needed}`;
        const module = write(
          "test",
          `${name}.mjs`,
          await variant.build(readProgram(program), { needed }),
        );
        const { small: input, expected } = programs[program];
        const job = { module, input, expected: expected(input) };
        const fault = KNOWN_FAULTS.get(title);
        if (fault) assert.equal(await faultOf(job, name), fault);
        else await runHere(job);
      });
    }
  }
}
