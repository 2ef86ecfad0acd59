import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { smallest } from "../src/bisect.js";

describe("smallest", () => {
  const items = Array.from({ length: 23 }, (_, index) => index);
  for (const guilty of [[0], [22], [13], [3, 4], [0, 22], [1, 9, 17]]) {
    it(`finds ${guilty.join()} among ${items.length}`, async () => {
      const breaks = (part: readonly number[]): Promise<boolean> =>
        Promise.resolve(guilty.every((item) => part.includes(item)));
      assert.deepEqual(await smallest(items, breaks), guilty);
    });
  }
});
