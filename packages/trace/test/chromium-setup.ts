import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import type { PageOptions } from "../src/chromium/record-page.js";
import { chromium } from "./chromium.js";
import { temporaryFolder } from "./folder.js";
import { serve } from "./chromium-server.js";

/** A folder, a server, and options of a short recording of a page of it. */
export async function setUp(
  context: TestContext,
  script?: string,
): Promise<{ files: string; options: PageOptions }> {
  const files = temporaryFolder(context);
  const server = await serve();
  context.after(() => server.close());
  const path = join(files, "driver.mjs");
  if (script !== undefined) writeFileSync(path, script);
  const options = {
    ...{ url: `${server.url}input.html`, file: join(files, "a.trace"), chromium, seconds: 1 },
    ...(script === undefined ? {} : { script: path, seconds: 30 }),
    signal: new AbortController().signal,
    note: () => undefined,
  };
  return { files, options };
}
