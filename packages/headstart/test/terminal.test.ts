import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";

import { progressLine, showProgress } from "../src/progress.js";
import { wantsColor } from "../src/terminal.js";

describe("wantsColor", () => {
  const cases: [NodeJS.ProcessEnv, boolean, boolean][] = [
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "true" }, false, true],
    [{ FORCE_COLOR: "" }, false, false],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false, true],
  ];
  for (const [env, isTTY, expected] of cases) {
    it(`is ${expected} for ${JSON.stringify(env)} ${isTTY ? "on a terminal" : "in a pipe"}`, () => {
      assert.equal(wantsColor(env, isTTY), expected);
    });
  }
});

describe("showProgress", () => {
  const poll = () => '{"phase":"parsing","done":3,"total":9}';

  function screen(isTTY: boolean, columns = 80) {
    const written: string[] = [];
    return { isTTY, columns, written, write: (text: string) => written.push(text) };
  }

  async function after(ms: number): Promise<void> {
    await new Promise((done) => setTimeout(done, ms));
  }

  it("shows nothing in the first second", async () => {
    const terminal = screen(true);
    const stop = showProgress(poll, terminal);
    await after(400);
    stop();
    assert.deepEqual(terminal.written, []);
  });

  it("shows a line after it and erases it", async () => {
    const terminal = screen(true);
    const stop = showProgress(poll, terminal);
    await after(1400);
    stop();
    stop();
    const erase = "\r\u001B[2K";
    assert.deepEqual(terminal.written, [`${erase}headstart: parsing 3/9`, erase]);
  });

  it("does not fill the last column of a narrow terminal", async () => {
    const terminal = screen(true, 10);
    const stop = showProgress(poll, terminal);
    await after(1400);
    stop();
    assert.equal(terminal.written[0], "\r\u001B[2Kheadstart");
  });

  it("does not even ask without a terminal", async () => {
    const asked = mock.fn(poll);
    const pipe = screen(false);
    const stop = showProgress(asked, pipe);
    await after(1300);
    stop();
    assert.equal(asked.mock.callCount(), 0);
    assert.deepEqual(pipe.written, []);
  });

  it("knows phases without a total", () => {
    assert.equal(progressLine('{"phase":"reading","done":0,"total":0}'), "headstart: reading");
  });
});
