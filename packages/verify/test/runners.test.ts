import { describe, it } from "node:test";

import { catchesWhatIsWrong, timesWhatIsAffected } from "./held.js";
import { fixture } from "./projects.js";

const FIXTURES = [
  { name: "node-js", file: "src/store.js", runner: /^node:test \d+/ },
  { name: "mocha-ts", file: "src/store.ts", runner: /^mocha 12\./ },
  { name: "vitest-ts", file: "src/store.ts", runner: /^vitest 4\./ },
  { name: "jest-ts", file: "src/store.ts", runner: /^jest 30\./ },
] as const;

for (const { name, file, runner } of FIXTURES) {
  describe(name, () => {
    it("times the tests that execute a site, and measures what overlaps", () =>
      timesWhatIsAffected(fixture(name), file, runner));

    it("catches a wrong rewrite, and says which one it is", () =>
      catchesWhatIsWrong(fixture(name), file));
  });
}
