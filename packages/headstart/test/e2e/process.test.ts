import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { packageVersion } from "../../src/package.js";
import { project } from "../temp.js";
import { CLI, HAS_TERMINAL, headstart, onTerminal, run, start } from "./command.js";
import { many } from "./fixtures.js";
import { HAS_PIPES, opened, pipe } from "./pipe.js";

const FILES = many(3000);

/**
 * The folder of a long run of which one can see where it is: it begins when somebody has read the list of
 * what git ignores, which is a pipe.
 */
function held(): { cwd: string; begun: Promise<{ release: () => void }> } {
  const cwd = project(FILES);
  return { cwd, begun: opened(pipe(cwd, ".gitignore")) };
}

describe("a signal in a long run", { skip: !HAS_PIPES }, () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    it(`ends check with ${code} on ${signal}`, async () => {
      const { cwd, begun } = held();
      const outcome = await start(cwd, ["check", "--format", "json"], (kill) => {
        void begun.then(({ release }) => {
          release();
          kill(signal);
        });
      });
      assert.equal(outcome.signal, null);
      assert.equal(outcome.status, code);
      assert.doesNotMatch(outcome.stderr, /bug|panic/);
    });
  }

  it("that comes again ends it, whatever it is at", async () => {
    const { cwd, begun } = held();
    let again: NodeJS.Timeout | undefined;
    const outcome = await start(cwd, ["check", "--format", "json"], (kill) => {
      void begun.then(() => {
        kill("SIGINT");
        again = setInterval(() => {
          kill("SIGINT");
        }, 50);
      });
    });
    clearInterval(again);
    // One may come when the command has given the signals back.
    assert.ok(outcome.status === 130 || outcome.signal === "SIGINT");
  });
});

describe("a long run", () => {
  const cwd = project(FILES);

  it("shows no progress in a pipe", () => {
    const { stderr } = headstart(cwd, ["check", "--format", "json"]);
    assert.equal(stderr, "");
  });

  it("leaves no progress on a terminal", { skip: !HAS_TERMINAL }, async () => {
    const { stdout } = await onTerminal(cwd, ["check", "--format", "sarif"]);
    const beforeOutput = stdout.slice(0, stdout.indexOf("{"));
    const drawn = beforeOutput.split("\r\u001B[2K");
    assert.equal(drawn.at(-1), "");
    for (const line of drawn.slice(1, -1)) assert.match(line, /^headstart: \w+( \d+\/\d+)?$/);
  });

  it("gets all of its output into a pipe", () => {
    const { stdout } = run(
      "sh",
      ["-c", '"$0" "$1" check --format json | (sleep 1; cat)', process.execPath, CLI],
      cwd,
    );
    assert.ok(stdout.length > 1 << 20, "more than a pipe holds");
    JSON.parse(stdout);
  });

  it("ends in silence when its output is cut off", () => {
    const { stdout, stderr } = run(
      "sh",
      ["-c", '"$0" "$1" check | head -n 1', process.execPath, CLI],
      cwd,
    );
    assert.equal(stdout.split("\n").length, 2);
    assert.equal(stderr, "");
  });
});

describe("an interrupted fix", () => {
  it("leaves every file either as it was or done", async () => {
    const cwd = project(FILES);
    const finished = project({ "src/f0.ts": FILES["src/f0.ts"] ?? "" });
    assert.equal(headstart(finished, ["fix"]).status, 0);
    const done = readFileSync(join(finished, "src/f0.ts"), "utf8");
    const outcome = await start(cwd, ["fix"], (kill) => {
      setTimeout(() => {
        kill("SIGINT");
      }, 600);
    });
    assert.ok(outcome.status === 130 || outcome.status === 0, outcome.stderr);
    for (const [file, text] of Object.entries(FILES)) {
      const now = readFileSync(join(cwd, file), "utf8");
      assert.ok(now === text || now === done, file);
    }
  });
});

describe("the start", () => {
  it("of --version loads no addon, which --help would not need either", () => {
    const cwd = project({
      "loaded.cjs":
        'process.on("exit", () => console.error(process.report.getReport().sharedObjects.join("\\n")));',
    });
    const loadedBy = (...args: string[]) => {
      const { stdout, stderr } = run(
        process.execPath,
        ["--require", "./loaded.cjs", CLI, ...args],
        cwd,
      );
      return { stdout, addons: stderr.split("\n").filter((file) => file.endsWith(".node")) };
    };
    assert.deepEqual(loadedBy("--version"), { stdout: `${packageVersion()}\n`, addons: [] });
    assert.deepEqual(loadedBy("check", "--help").addons, []);
    assert.equal(loadedBy("check", ".").addons.length, 1);
  });
});
