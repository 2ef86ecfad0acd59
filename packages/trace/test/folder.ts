import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A folder that goes with the test. */
export function temporaryFolder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "headstart-test-"));
  context.after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}
