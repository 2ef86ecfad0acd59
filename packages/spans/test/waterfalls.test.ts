import assert from "node:assert/strict";
import { test } from "node:test";

import { findWaterfalls, type Span, SpanTable, Tree, type Waterfalls } from "../src/index.js";

let last = 0;

interface Child {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind?: number;
  readonly line?: number;
}

function span(trace: string, parent: string, { name, from, to, kind = 3, line }: Child): Span {
  const place = line === undefined ? undefined : { file: "a.js", line, column: 1, callers: [] };
  const id = (++last).toString(16).padStart(16, "0");
  return { trace, id, parent, name, kind, start: from, duration: to - from, place };
}

/** Requests of one route, each with these children. */
function found(...requests: readonly (readonly Child[])[]): Waterfalls {
  const table = new SpanTable();
  requests.forEach((children, at) => {
    const trace = `trace${at}`;
    const root = span(trace, "", { name: "GET /", from: 0, to: 100, kind: 2 });
    table.add(root);
    for (const child of children) table.add(span(trace, root.id, child));
  });
  return findWaterfalls(new Tree(table));
}

await test("siblings that never overlap are one waterfall of all requests", () => {
  const { waterfalls } = found(
    [
      { name: "a", from: 0, to: 10, line: 1 },
      { name: "b", from: 10, to: 30, line: 2 },
    ],
    [
      { name: "b", from: 20, to: 50, line: 2 },
      { name: "a", from: 0, to: 20, line: 1 },
    ],
  );
  assert.equal(waterfalls.length, 1);
  const [only] = waterfalls;
  assert.equal(only?.parent, "GET /");
  assert.equal(only.count, 2);
  // All but the longest: 10 of the first, 20 of the second.
  assert.equal(only.saved, 30);
  assert.equal(only.share, 0.15);
  assert.deepEqual(
    only.steps.map(({ name, duration, startOfLongest, durationOfLongest }) => [
      name,
      duration,
      startOfLongest,
      durationOfLongest,
    ]),
    [
      ["a", 15, 0, 20],
      ["b", 25, 20, 30],
    ],
  );
});

await test("what overlaps is none, and parts what is around it", () => {
  assert.deepEqual(
    found([
      { name: "a", from: 0, to: 10 },
      { name: "b", from: 5, to: 30 },
    ]).waterfalls,
    [],
  );
  const { waterfalls } = found([
    { name: "a", from: 0, to: 10 },
    { name: "b", from: 10, to: 20 },
    { name: "c", from: 20, to: 40 },
    { name: "d", from: 30, to: 50 },
    { name: "e", from: 50, to: 60 },
    { name: "f", from: 60, to: 75 },
  ]);
  assert.deepEqual(
    waterfalls.map(({ steps, saved }) => [steps.map(({ name }) => name).join(""), saved]),
    [
      ["ab", 10],
      ["ef", 10],
    ],
  );
});

await test("what overlaps only as clocks tell whole milliseconds has waited", () => {
  const { waterfalls } = found([
    { name: "a", from: 0, to: 20.4 },
    { name: "b", from: 20, to: 40 },
    // As short as the clock's step: nobody can say.
    { name: "c", from: 60, to: 61 },
    { name: "d", from: 60.1, to: 61 },
  ]);
  assert.deepEqual(
    waterfalls.map(({ steps }) => steps.map(({ name }) => name).join("")),
    ["ab"],
  );
});

await test("what overlaps in most instances is none", () => {
  const apart: Child[] = [
    { name: "a", from: 0, to: 10, line: 1 },
    { name: "b", from: 10, to: 30, line: 2 },
  ];
  const together: Child[] = [
    { name: "a", from: 0, to: 10, line: 1 },
    { name: "b", from: 1, to: 30, line: 2 },
  ];
  const of = (waiting: number, overlapping: number) =>
    found(
      ...Array.from({ length: waiting }, () => apart),
      ...Array.from({ length: overlapping }, () => together),
    ).waterfalls.map(({ count }) => count);
  assert.deepEqual(of(1, 9), []);
  assert.deepEqual(of(8, 1), []);
  // In a tenth of them something else may have been the cause.
  assert.deepEqual(of(9, 1), [9]);
  // Of what is as short as the clock's step, nobody can say: it counts as neither.
  const short = (start: number): Child[] => [
    { name: "query", from: 0, to: 0.4, line: 1 },
    { name: "get", from: start, to: 40, line: 2 },
  ];
  const counted = found(...Array.from({ length: 8 }, () => short(1)), short(0), short(0));
  assert.deepEqual(
    counted.waterfalls.map(({ count }) => count),
    [8],
  );
  // Where they come one after the other in the same request, too, these are others of the same name.
  const both = found([
    ...apart,
    { name: "a", from: 50, to: 60, line: 1 },
    { name: "b", from: 51, to: 60, line: 2 },
  ]);
  assert.equal(both.waterfalls.length, 1);
  // Turns of a loop that overlap elsewhere are none either.
  const turn = (from: number): Child => ({ name: "get", from, to: from + 9, line: 5 });
  assert.deepEqual(found([0, 10, 20].map(turn), [0, 1, 2].map(turn)).waterfalls, []);
});

await test("what takes no time is no waterfall", () => {
  const { waterfalls } = found([
    { name: "a", from: 0, to: 0 },
    { name: "b", from: 10, to: 10 },
    { name: "c", from: 20, to: 20 },
  ]);
  assert.deepEqual(waterfalls, []);
});

await test("spans that are there twice count once", () => {
  const table = new SpanTable();
  const base = { trace: "t", kind: 3, place: undefined, duration: 10 };
  for (let time = 0; time < 2; time++) {
    table.add({ ...base, id: "1", parent: "", name: "GET /", kind: 2, start: 0, duration: 20 });
    table.add({ ...base, id: "2", parent: "1", name: "a", start: 0 });
    table.add({ ...base, id: "3", parent: "1", name: "b", start: 10 });
  }
  assert.deepEqual([table.length, table.repeated], [3, 3]);
  assert.deepEqual(
    findWaterfalls(new Tree(table)).waterfalls.map(({ count, saved }) => [count, saved]),
    [[1, 10]],
  );
  // A call and what serves it may share an id.
  table.add({ ...base, id: "3", parent: "1", name: "b", kind: 2, start: 11 });
  assert.equal(table.length, 4);
});

await test("a loop is one step, however often it turns", () => {
  const turn = (at: number): Child => ({ name: "get", from: at * 10, to: at * 10 + 9, line: 5 });
  const { waterfalls } = found([0, 1, 2].map(turn), [0, 1, 2, 3, 4].map(turn));
  assert.equal(waterfalls.length, 1);
  assert.deepEqual(
    waterfalls[0]?.steps.map(({ times }) => times),
    [4],
  );
  assert.equal(waterfalls[0].saved, 9 * 2 + 9 * 4);
});

await test("the clocks of others do not count", () => {
  const { waterfalls } = found([
    { name: "call", from: 0, to: 10 },
    { name: "served elsewhere", from: 900, to: 905, kind: 2 },
    { name: "consumed elsewhere", from: 950, to: 955, kind: 5 },
  ]);
  assert.deepEqual(waterfalls, []);
});

await test("children of a parent that is missing are siblings, and said", () => {
  const table = new SpanTable();
  for (const [name, from] of [
    ["a", 0],
    ["b", 10],
  ] as const) {
    table.add(span("t", "00000000000000ff", { name, from, to: from + 10 }));
  }
  const { waterfalls, orphans } = findWaterfalls(new Tree(table));
  assert.equal(orphans, 2);
  assert.equal(waterfalls[0]?.parent, "");
  assert.equal(waterfalls[0].saved, 10);
});

await test("spans that are above themselves end", () => {
  const table = new SpanTable();
  const base = { trace: "t", name: "x", kind: 3, place: undefined };
  table.add({ ...base, id: "a", parent: "b", start: 0, duration: 1 });
  table.add({ ...base, id: "b", parent: "a", start: 1, duration: 1 });
  table.add({ ...base, id: "c", parent: "c", start: 0, duration: 1 });
  table.add({ ...base, id: "d", parent: "c", start: 2, duration: 1 });
  assert.ok(findWaterfalls(new Tree(table)).waterfalls.length > 0);
});

await test("the same ids in other traces are other spans", () => {
  const table = new SpanTable();
  const base = { name: "x", kind: 3, place: undefined, duration: 5 };
  for (const trace of ["a", "b"]) table.add({ ...base, trace, id: "1", parent: "", start: 0 });
  table.add({ ...base, trace: "a", id: "2", parent: "1", start: 0 });
  table.add({ ...base, trace: "b", id: "2", parent: "1", start: 10 });
  assert.deepEqual(findWaterfalls(new Tree(table)).waterfalls, []);
});

await test("steps stand where their calls part", () => {
  const table = new SpanTable();
  const helper = { file: "http.js", line: 3, column: 5 };
  const place = (line: number) => ({
    ...helper,
    callers: [
      { file: "page.js", line, column: 9, callers: [] },
      { file: "server.js", line: 1, column: 1, callers: [] },
    ],
  });
  for (const [line, start] of [
    [7, 0],
    [8, 10],
  ] as const) {
    table.add({
      trace: "t",
      id: `${line}`,
      parent: "root",
      name: "GET",
      kind: 3,
      start,
      duration: 9,
      place: place(line),
    });
  }
  const [only] = findWaterfalls(new Tree(table)).waterfalls;
  assert.deepEqual(
    only?.steps.map(({ place: it }) => `${it?.file}:${it?.line}`),
    ["page.js:7", "page.js:8"],
  );
});

await test("a loop of several operations stands once, however often it turns", () => {
  const turns = (count: number): Child[] => [
    { name: "list", from: 0, to: 10, line: 1 },
    ...Array.from({ length: count }, (_, turn): Child[] => [
      { name: "a", from: 20 + turn * 20, to: 28 + turn * 20, line: 2 },
      { name: "b", from: 30 + turn * 20, to: 38 + turn * 20, line: 3 },
    ]).flat(),
  ];
  const { waterfalls } = found(turns(2), turns(4));
  assert.equal(waterfalls.length, 1);
  assert.deepEqual(
    waterfalls[0]?.steps.map(({ name, times }) => [name, times]),
    [
      ["list", 1],
      ["a", 3],
      ["b", 3],
    ],
  );
  // All but the longest: 8 ms four times, 8 ms eight times.
  assert.equal(waterfalls[0].saved, 32 + 64);
});
