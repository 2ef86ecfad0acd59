import assert from "node:assert/strict";
import { test } from "node:test";

import { PortMessages } from "../src/chromium/port-messages.js";

await test("tasks that seem to post one another come to an end", () => {
  const messages = new PortMessages();
  messages.copied(1, 1, 10, "");
  messages.woke(1, 100);
  messages.accepts(2, 100, 20);
  messages.read(2, 101);
  messages.accepts(3, 101, 30);
  messages.read(3, 100);
  messages.read(3, 101);
  assert.ok(messages.join().size <= 2);
});

await test("what is sent to a port that is closed is no other port's", () => {
  const messages = new PortMessages();
  messages.told("channel", "gone", "sender");
  messages.told("closed", "gone", "");
  messages.told("channel", "left", "right");
  messages.told("moved", "right", "");
  messages.copied(1, 1, 10, "sender");
  messages.copied(2, 1, 20, "left");
  messages.copied(3, 1, 30, "left");
  messages.accepts(10, 100, 40);
  messages.receivedBy(10, "given");
  messages.accepts(11, 101, 50);
  messages.receivedBy(11, "given");
  assert.deepEqual(
    [...messages.join()],
    [
      [10, 2],
      [11, 3],
    ],
  );
});
