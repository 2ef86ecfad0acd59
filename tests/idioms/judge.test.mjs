// What the bench would see if a rewrite were wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findMisfits, judge } from "./judge.mjs";
import { Recorder } from "./record.mjs";

/** @typedef {import("./trial.mjs").Run} Run */

const idiom = /** @type {import("./idioms.mjs").Idiom} */ ({
  server: "",
  call: ["page"],
  first: "users",
  second: "posts",
});

/** Requests as they are seen: `?` is one, `!` the answer to it. @param {string} events */
function requests(events) {
  const recorder = new Recorder();
  for (const event of events.split(" ")) {
    const text = event.slice(1);
    if (event[0] === "?") recorder.see(text);
    else
      recorder.requests
        .filter((request) => request.text === text)
        .forEach((one) => recorder.answer(one));
  }
  return recorder.requests;
}

/** @param {string} events @param {Partial<Run>} [end] @returns {Run} */
const run = (events, end = { value: "{}" }) => ({
  ms: 0,
  unhandled: [],
  lines: [],
  requests: requests(events),
  ...end,
});

const ONE_BY_ONE = "?users !users ?posts !posts";
const AT_ONCE = "?users ?posts !users !posts";
const first = { error: "no users" };
const second = { error: "no posts" };

const before = {
  "all well": run(ONE_BY_ONE),
  "second fails": run(ONE_BY_ONE, second),
  "first fails": run("?users !users", first),
  "both fail": run("?users !users", first),
};
const right = {
  "all well": run(AT_ONCE),
  "second fails": run(AT_ONCE, second),
  "first fails": run(AT_ONCE, first),
  "both fail": run(AT_ONCE, second),
};

/** @param {string} name @param {Partial<typeof right>} change @param {string[]} expected */
function finds(name, change, expected) {
  test(name, () => assert.deepEqual(judge(idiom, before, { ...right, ...change }), expected));
}

finds("nothing where all is right", {}, []);

finds(
  "a lazy query that is sent twice",
  { "all well": run("?users ?posts !users ?posts !posts") },
  ["all well: sent once more: posts"],
);

finds("a query that starts when it is waited for", { "all well": run(ONE_BY_ONE) }, [
  "the second request is sent only after the first one was answered",
]);

finds("a query that is never sent", { "all well": run("?users !users") }, [
  "all well: not sent: posts",
  "the second request is sent only after the first one was answered",
]);

finds(
  "an error that nobody handles",
  { "second fails": run(AT_ONCE, { ...second, unhandled: ["E"] }) },
  ["second fails: nobody handles E"],
);

finds("another error", { "first fails": run(AT_ONCE, { error: "gone" }) }, [
  "first fails: ends with the error gone, not with the error no users",
]);

finds("an error that is lost", { "both fail": run(AT_ONCE) }, [
  "both fail: ends with {}, not with the error no users or the error no posts",
]);

finds("another value", { "all well": run(AT_ONCE, { value: "[]" }) }, [
  "all well: ends with [], not with {}",
]);

test("a trial in which nothing fails tells nothing", () => {
  const harmless = { ...before, "first fails": run(ONE_BY_ONE) };
  assert.deepEqual(findMisfits(idiom, harmless), ['"first fails" changes nothing']);
  assert.deepEqual(findMisfits(idiom, before), []);
});
