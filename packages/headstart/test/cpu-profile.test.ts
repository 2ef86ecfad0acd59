import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { readCpuProfiles } from "../src/cpu-profile-files.js";
import { parseCpuProfile, RECORD } from "../src/cpu-profile.js";
import { project } from "./temp.js";

const frame = (functionName: string, url = "", lineNumber = -1, columnNumber = -1) => ({
  functionName,
  scriptId: "1",
  url,
  lineNumber,
  columnNumber,
});

const NODES = [
  { id: 1, callFrame: frame("(root)"), hitCount: 0, children: [2, 3] },
  { id: 2, callFrame: frame("f", "file:///a.js", 3, 16), hitCount: 3, children: [] },
  { id: 3, callFrame: frame("(idle)"), hitCount: 1 },
];

/** What a profile says, by the functions. */
function timesOf(profile: object) {
  const { frames } = parseCpuProfile(JSON.stringify(profile), "p");
  return frames.map(({ url, line, column, microseconds, samples }) => [
    ...[url, line, column],
    ...[microseconds, samples],
  ]);
}

describe("parseCpuProfile", () => {
  it("gives each sample the time until the next one, and leaves out when nothing ran", () => {
    const samples = [2, 3, 2, 2];
    const timeDeltas = [7, 100, 1000, 10];
    assert.deepEqual(timesOf({ nodes: NODES, samples, timeDeltas }), [
      ["file:///a.js", 4, 17, 120, 3],
    ]);
  });

  it("takes times that run backwards for none", () => {
    const samples = [2, 2, 2];
    assert.deepEqual(timesOf({ nodes: NODES, samples, timeDeltas: [5, -3, 8] }), [
      ["file:///a.js", 4, 17, 16, 3],
    ]);
  });

  it("shares the whole time among samples without times, and hits", () => {
    const extent = { startTime: 1000, endTime: 9000 };
    assert.deepEqual(timesOf({ nodes: NODES, samples: [2, 3], ...extent }), [
      ["file:///a.js", 4, 17, 4000, 1],
    ]);
    const samples = { samples: [2, 3], timeDeltas: [0, 0] };
    assert.deepEqual(timesOf({ nodes: NODES, ...samples }), [["file:///a.js", 4, 17, 1000, 1]]);
    assert.deepEqual(timesOf({ nodes: NODES, ...extent }), [["file:///a.js", 4, 17, 6000, 3]]);
    assert.deepEqual(timesOf({ nodes: NODES, samples: [] }), [["file:///a.js", 4, 17, 3000, 3]]);
  });

  const node = (change: object) => [{ ...NODES[1], ...change }];
  const inFrame = (change: object) => node({ callFrame: { ...frame("f"), ...change } });
  const bad: [string, string][] = [
    ["", `p: it is empty; ${RECORD}`],
    [" \n", `p: it is empty; ${RECORD}`],
    [
      "{\n" + '"nodes": [], '.repeat(20) + "x }",
      `p:2:261: it is no JSON, and so no CPU profile; ${RECORD}`,
    ],
    ['{\n "nodes": [', `p:2:12: it is no JSON, and so no CPU profile; ${RECORD}`],
    ["[]", `p: it is no CPU profile, where an object is expected; ${RECORD}`],
    ["null", `p: it is no CPU profile, where an object is expected; ${RECORD}`],
    ['{"head":{}}', `p: nodes: it is no CPU profile, where an array is expected; ${RECORD}`],
    ['{"nodes":[]}', `p: it has no samples; ${RECORD}`],
    ['{"nodes":[1]}', `p: nodes[0]: it is no CPU profile, where an object is expected; ${RECORD}`],
    [
      '{"nodes":[{"id":1}]}',
      `p: nodes[0].callFrame: it is no CPU profile, where an object is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: node({ id: "2" }) }),
      `p: nodes[0].id: it is no CPU profile, where a number is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: node({ hitCount: null }) }),
      `p: nodes[0].hitCount: it is no CPU profile, where a number is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: inFrame({ url: 1 }) }),
      `p: nodes[0].callFrame.url: it is no CPU profile, where a string is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: inFrame({ lineNumber: "1" }) }),
      `p: nodes[0].callFrame.lineNumber: it is no CPU profile, where a number is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: NODES, samples: 2 }),
      `p: samples: it is no CPU profile, where an array is expected; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: NODES, samples: [2, 9] }),
      `p: samples[1]: there is no node 9; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: NODES, samples: [2, 2], timeDeltas: [1] }),
      `p: timeDeltas: there are 1 for 2 samples; ${RECORD}`,
    ],
    [
      JSON.stringify({ nodes: NODES, samples: [2], timeDeltas: ["1"] }),
      `p: timeDeltas[0]: it is no CPU profile, where a number is expected; ${RECORD}`,
    ],
  ];
  for (const [text, message] of bad) {
    it(`refuses ${JSON.stringify(text.slice(0, 60))}: ${message.slice(0, 40)}`, () => {
      assert.throws(() => parseCpuProfile(text, "p"), { name: "HeadstartError", message });
    });
  }
});

describe("readCpuProfiles", () => {
  const profile = JSON.stringify({ nodes: NODES });

  it("reads files and folders", () => {
    const folder = project({
      "a.json": profile,
      "all/2.cpuprofile": profile,
      "all/1.cpuprofile": profile,
      "all/notes.txt": "",
    });
    const all = join(folder, "all");
    const { names, frames } = readCpuProfiles([join(folder, "a.json"), all]);
    assert.deepEqual(names, [
      join(folder, "a.json"),
      join(all, "1.cpuprofile"),
      join(all, "2.cpuprofile"),
    ]);
    assert.equal(frames.length, 3);
  });

  it("says what is not there, or no file", () => {
    const folder = project({ "nothing/notes.txt": "" });
    const refused = (name: string, message: RegExp) => {
      const path = join(folder, name);
      assert.throws(
        () => readCpuProfiles([path]),
        (error: Error) => {
          assert.equal(error.name, "HeadstartError");
          assert.ok(error.message.startsWith(`${path}: `), error.message);
          assert.match(error.message, message);
          return true;
        },
      );
    };
    refused("none.cpuprofile", /there is no such file; check the spelling, or record one/);
    refused("nothing", /the folder has no \.cpuprofile file in it; record one/);
    writeFileSync(join(folder, "long"), "");
    truncateSync(join(folder, "long"), 600_000_000);
    refused("long", /with 600000000 bytes it is too large to be read; record a shorter time/);
    mkdirSync(join(folder, "odd/x.cpuprofile"), { recursive: true });
    assert.throws(() => readCpuProfiles([join(folder, "odd")]), /x\.cpuprofile: it cannot be read/);
    if (spawnSync("mkfifo", [join(folder, "pipe")]).status === 0) {
      refused("pipe", /it is no regular file; save what it gives in one and name that/);
    }
  });
});
