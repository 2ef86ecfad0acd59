import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";

import { HeadstartError } from "../src/errors.js";
import { addonName, loadFrom } from "../src/native.js";
import { project } from "./temp.js";

const PLATFORM = `${process.platform}-${process.arch}`;

describe("loading the addon", () => {
  it("looks for one made for this machine", () => {
    assert.equal(addonName(), `headstart.${PLATFORM}.node`);
  });

  it("says what is missing and what to do", () => {
    const path = join(project(), addonName());
    refused(
      path,
      `no native addon for ${PLATFORM} (${path} is missing); in a checkout, "make build"`,
    );
  });

  it("says why one does not load and what to do", () => {
    const root = project({ "broken.node": "not a library" });
    refused(join(root, "broken.node"), `the native addon for ${PLATFORM} cannot be loaded: `);
    refused(join(root, "broken.node"), '; in a checkout, "make build" builds it');
  });
});

function refused(path: string, part: string): void {
  assert.throws(
    () => loadFrom(path),
    (error) => {
      assert.ok(error instanceof HeadstartError);
      assert.equal(error.exitCode, 2);
      assert.ok(error.message.includes(part), error.message);
      assert.ok(!error.message.includes("\n"));
      return true;
    },
  );
}
