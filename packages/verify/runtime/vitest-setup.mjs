// Tells the tests of a file apart that vitest runs in this process.
import { namesOf } from "./vitest-names.mjs";

const runtime = globalThis[Symbol.for("headstart.verify")];
// The project's own vitest, which this file does not stand beside.
const { afterEach, beforeEach } = await import(process.env.HEADSTART_VERIFY_VITEST);

beforeEach(({ task }) => {
  runtime.begin(namesOf(task).id);
});
afterEach(({ task }) => {
  runtime.end(namesOf(task).id);
});
