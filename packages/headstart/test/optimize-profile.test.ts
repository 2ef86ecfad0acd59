import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

import { ProfiledProgram } from "../src/optimize-profile.js";
import { project } from "./temp.js";

const SAMPLE = { line: 3, column: 7, microseconds: 1000, samples: 1 };

describe("ProfiledProgram", () => {
  const root = project({ "src/a b.js": "", "src/deep/b.ts": "" });
  symlinkSync(join(root, "src"), join(root, "link"));
  const [a, b] = [join(root, "src/a b.js"), join(root, "src/deep/b.ts")];

  /** The file that code of a URL is taken to be of. */
  function fileOf(url: string): string | undefined {
    const profiles = { names: ["p"], frames: [{ url, ...SAMPLE }] };
    const profile = new ProfiledProgram(profiles, [a, b], [root, join(root, "src")]);
    return [a, b].find((file) => profile.timeIn(file) > 0);
  }

  const found: [string, string][] = [
    [pathToFileURL(a).href, a],
    [`${pathToFileURL(b).href}?t=1#x`, b],
    [a, a],
    ["src/deep/b.ts", b],
    ["./deep/b.ts", b],
    [pathToFileURL(join(root, "link/deep/b.ts")).href, b],
    [join(root, "link/a b.js"), a],
    ["http://localhost:5173/src/a%20b.js?t=1", a],
    ["https://example.com/deep/b.ts", b],
  ];
  for (const [url, file] of found) {
    it(`finds ${url.replace(root, "ROOT")}`, () => {
      assert.equal(fileOf(url), file);
    });
  }

  const missed = [
    ...["", "node:fs", "evalmachine.<anonymous>", "/nowhere/a b.js", "b.ts", "file://host/%2f"],
    ...["http://localhost/%E0%A4%A", "data:text/javascript,1", "chrome-extension://x/src/a b.js"],
  ];
  for (const url of missed) {
    it(`finds nothing for ${JSON.stringify(url)}`, () => {
      assert.equal(fileOf(url), undefined);
    });
  }

  it("adds up what is of one function, by where it begins", () => {
    const frames = [
      { url: a, ...SAMPLE },
      { url: pathToFileURL(a).href, ...SAMPLE, samples: 2 },
      { url: a, ...SAMPLE, line: 4 },
      { url: "", ...SAMPLE },
    ];
    const profile = new ProfiledProgram({ names: ["p", "q"], frames }, [a, b], []);
    assert.deepEqual(profile.all, { microseconds: 4000, samples: 5 });
    assert.equal(profile.timeIn(a), 3000);
    assert.equal(profile.timeIn(b), 0);
    assert.equal(profile.shareOf(profile.timeIn(a)), "75.0%");
    const at = (file: string, line: number) => ({
      file,
      function: {
        ...{ name: "", line, column: 1, offset: 0, length: 9, callees: [] },
        startPosition: { line, column: 7 },
        calls: { awaited: 0, other: 0 },
        eased: { count: 0, of: [] },
        outcome: { kind: "unwrapped" },
      } as const,
    });
    assert.equal(profile.timeOf(at(a, 3)), 2000);
    assert.equal(profile.timeOf(at(b, 3)), 0);
    // What is listed twice, as what was restored is, is there once.
    assert.equal(
      profile.matched("src", [at(a, 3), at(a, 3), at(b, 3)]),
      "note: p, q: 4 of 5 samples are in files of src, 3 of them in async functions\n",
    );
    assert.match(
      profile.matched("src", [at(a, 5)]),
      /^warning: p, q: 4 of 5 samples are in files of src, 0 of them in async functions: none is busy, or .*; record one with "node --cpu-prof", .* of a run of these very files\n$/,
    );
    assert.match(
      new ProfiledProgram({ names: ["p"], frames }, [b], []).matched("src", []),
      /^warning: p: 0 of 5 samples are in files of src: the profile is of other files; record one with/,
    );
  });
});
