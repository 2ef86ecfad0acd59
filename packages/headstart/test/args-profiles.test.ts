import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { parseArguments, UsageError } from "../src/args.js";
import { registeredOptions } from "../src/register-options.js";

const parse = (line: string) => parseArguments(line.split(" "));

describe("parseArguments, with CPU profiles", () => {
  const good: [string, object][] = [
    [
      "--report --profile 1.cpuprofile --profile all",
      { report: true, profile: ["1.cpuprofile", "all"] },
    ],
    ["--only-hot all", { "only-hot": ["all"] }],
    ["--report --only-hot all", { report: true, "only-hot": ["all"] }],
  ];
  for (const [options, values] of good) {
    it(`reads ${options}`, () => {
      const { kind, ...invocation } = parse(`optimize a -o b ${options}`);
      assert.equal(kind, "optimize");
      const read = { ...(invocation as { values: object }).values };
      assert.deepEqual(read, { out: "b", ...values });
    });
  }

  const bad: [string, string][] = [
    ["--profile c", "--profile says what --report lists first; give --report, too"],
    ["--report --profile c --only-hot d", "--only-hot lists by time, too; leave --profile out"],
    [
      "--watch --only-hot c",
      "--only-hot is about files as they were when they ran; leave out --watch, under which they change",
    ],
    [
      "--watch --report --profile c",
      "--profile is about files as they were when they ran; leave out --watch, under which they change",
    ],
    ["--only-hot", '"--only-hot" needs a value, as in "--only-hot FILE"'],
    ["--report --profile --watch", '"--profile" needs a value, as in "--profile FILE"'],
  ];
  for (const [options, message] of bad) {
    it(`refuses ${options}`, () => {
      assert.throws(
        () => parse(`optimize a -o b ${options}`),
        (error) => error instanceof UsageError && error.message === message,
      );
    });
  }

  it("refuses them for modules that are loaded", () => {
    assert.throws(() => registeredOptions("--only-hot a"), {
      message: 'HEADSTART_OPTIMIZE: "--only-hot" is for files, not for modules',
    });
    assert.throws(() => registeredOptions("--report --profile a"), {
      message: 'HEADSTART_OPTIMIZE: "--report" is for files, not for modules',
    });
  });
});
