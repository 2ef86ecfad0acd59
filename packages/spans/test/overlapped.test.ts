import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { type Joins, overlapped, requestTimes, routesOf, SpanTable, Tree } from "../src/index.js";

/** A span with those that it has started; its group and strand stand in its name: `G1 name`. */
interface Made {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind?: number;
  readonly children?: readonly Made[];
}

let last = 0;

function add(table: SpanTable, trace: string, parent: string, made: Made): number {
  const { name, from, to, kind = 3, children = [] } = made;
  const id = (++last).toString(16).padStart(16, "0");
  const row = table.length;
  table.add({ trace, id, parent, name, kind, start: from, duration: to - from, place: undefined });
  for (const child of children) add(table, trace, id, child);
  return row;
}

/** `A1` is of strand 1 of group A, `A*` of a loop. */
function rolesOf(table: SpanTable, atOnce = 8) {
  return (row: number) => {
    const [, group, strand = ""] = /^([A-Z])(\d|\*)/.exec(table.name(row)) ?? [];
    if (table.name(row).startsWith("end")) return { ends: ["A"] };
    if (group === undefined) return undefined;
    const joins: Joins = {
      group,
      strand,
      order: Number(strand) || 0,
      isTurn: strand === "*",
      atOnce,
    };
    return { joins };
  };
}

function look(root: Made, atOnce?: number) {
  const table = new SpanTable();
  const row = add(table, "t", "", root);
  const { before, after, bars } = overlapped(new Tree(table), [row], rolesOf(table, atOnce));
  const places = bars.map((it) => `${table.name(it.row)} ${it.newStart}-${it.newEnd}`);
  return { before, after, places: places.slice(1) };
}

function request(children: readonly Made[], to = 100): Made {
  return { name: "GET", from: 0, to, kind: 2, children };
}

/** Spans one after the other, of these lengths, so long apart. */
function row(
  spans: readonly (readonly [name: string, length: number])[],
  gap = 0,
  from = 0,
): Made[] {
  let at = from;
  return spans.map(([name, length]) => {
    const made = { name, from: at, to: at + length };
    at += length + gap;
    return made;
  });
}

describe("overlapped", () => {
  it("moves the members of a group together, and all behind them", () => {
    const children = row([
      ["first", 10],
      ["A1", 20],
      ["A2", 30],
      ["A3", 10],
      ["last", 20],
    ]);
    assert.deepEqual(look(request(children)), {
      before: 100,
      after: 70,
      places: ["first 0-10", "A1 10-30", "A2 10-40", "A3 10-20", "last 40-60"],
    });
  });

  it("moves nothing in front of what stands above it in the source, and has run before it", () => {
    const children = row([
      ["A3", 20],
      ["A2", 30],
      ["A3", 10],
    ]);
    // Only the last two are in the order in which the rewrite begins them.
    assert.deepEqual(look(request(children, 60)).places, ["A3 0-20", "A2 20-50", "A3 20-30"]);
    assert.equal(
      look(
        request(
          row([
            ["A2", 20],
            ["A1", 20],
          ]),
          40,
        ),
      ).after,
      40,
    );
  });

  it("keeps what the program does between them", () => {
    const children = row(
      [
        ["A1", 20],
        ["A2", 30],
        ["A3", 30],
      ],
      5,
      5,
    );
    assert.deepEqual(look(request(children)), {
      before: 100,
      // 5 before, 5 + 5 between, 5 behind, the last 30, and 0 behind the others.
      after: 50,
      places: ["A1 5-25", "A2 10-40", "A3 15-45"],
    });
  });

  it("leaves what is in no group, and what one statement does in a row", () => {
    const children = row([
      ["A1 load", 20],
      ["A1 save", 20],
      ["other", 10],
      ["A2 load", 20],
      ["A2 save", 10],
      ["last", 20],
    ]);
    assert.deepEqual(look(request(children)), {
      before: 100,
      after: 70,
      places: [
        ...["A1 load 0-20", "A1 save 20-40", "other 40-50"],
        ...["A2 load 0-20", "A2 save 20-30", "last 50-70"],
      ],
    });
  });

  it("changes nothing where nothing is in a group, or overlaps already", () => {
    const children = [
      { name: "A1", from: 0, to: 50 },
      { name: "A2", from: 10, to: 60 },
      { name: "x", from: 55, to: 90.4 },
      // Told in whole milliseconds: it has waited for x all the same.
      { name: "y", from: 90, to: 95 },
    ];
    const { before, after, places } = look(request(children));
    assert.deepEqual([before, after], [100, 100]);
    assert.deepEqual(places, ["A1 0-50", "A2 10-60", "x 55-90.4", "y 90-95"]);
  });

  it("goes on only when all is there that was there before", () => {
    // `b` waits for both; the one that ended last is shorter now.
    const children = [
      { name: "long", from: 0, to: 60 },
      {
        name: "short",
        from: 0,
        to: 70,
        children: row([
          ["A1", 35],
          ["A2", 35],
        ]),
      },
      { name: "b", from: 70, to: 100 },
    ];
    assert.deepEqual(look(request(children)).places, [
      ...["long 0-60", "short 0-35", "A1 0-35", "A2 0-35", "b 60-90"],
    ]);
  });

  it("shortens parents of nested groups, also through another program", () => {
    const inner = row([
      ["A1", 20],
      ["A2", 20],
    ]);
    const call: Made = {
      name: "call",
      from: 0,
      to: 50,
      children: [{ name: "served", from: 5, to: 45, kind: 2, children: inner.map(by(5)) }],
    };
    const { after, places } = look(request([call, { name: "last", from: 50, to: 100 }]));
    assert.equal(after, 80);
    assert.deepEqual(places, [...["call 0-30", "served 5-25", "A1 5-25", "A2 5-25", "last 30-80"]]);
  });

  it("does not take another clock's times for its own", () => {
    const children: Made[] = [
      {
        name: "call",
        from: 0,
        to: 50,
        children: [{ name: "served", from: 900, to: 940, kind: 2 }],
      },
      { name: "last", from: 50, to: 100 },
    ];
    assert.deepEqual(look(request(children)), {
      ...{ before: 100, after: 100 },
      places: ["call 0-50", "served 900-940", "last 50-100"],
    });
  });

  it("starts the turns of a loop ahead, as many at once as may be", () => {
    const turns = row([
      ["A* a", 10],
      ["b", 5],
      ["A* a", 10],
      ["b", 5],
      ["A* a", 10],
      ["b", 5],
    ]);
    assert.deepEqual(look(request(turns, 45)), {
      before: 45,
      after: 25,
      places: ["A* a 0-10", "b 10-15", "A* a 0-10", "b 15-20", "A* a 0-10", "b 20-25"],
    });
    assert.deepEqual(look(request(turns, 45), 2), {
      before: 45,
      after: 30,
      places: ["A* a 0-10", "b 10-15", "A* a 0-10", "b 15-20", "A* a 15-25", "b 25-30"],
    });
  });

  it("takes the same lines once more for another instance", () => {
    const statements = row([
      ["A1", 10],
      ["A2", 10],
      ["A1", 10],
      ["A2", 10],
    ]);
    assert.equal(look(request(statements, 40)).after, 20);
    const loops = row([
      ["A*", 10],
      ["A*", 10],
      ["end", 10],
      ["A*", 10],
      ["A*", 10],
    ]);
    assert.equal(look(request(loops, 50)).after, 30);
  });
});

function by(shift: number): (made: Made) => Made {
  return (made) => ({ ...made, from: made.from + shift, to: made.to + shift });
}

describe("routesOf", () => {
  it("counts requests by their names, and takes the median of those that would be shorter", () => {
    const table = new SpanTable();
    for (const length of [10, 30, 20]) {
      const children = row([
        ["A1", length],
        ["A2", length],
      ]);
      add(table, `t${length}`, "", request(children, 2 * length));
    }
    add(table, "quick", "", request([], 1));
    const route = routesOf(new Tree(table), new Set(["GET"]), rolesOf(table)).get("GET");
    assert.equal(route?.requests, 4);
    assert.equal(route.saved, 60);
    assert.equal(route.shorter, 3);
    assert.deepEqual([route.typical.before, route.typical.after], [40, 20]);
  });

  it("takes what is between the two in the middle for the median of their times", () => {
    const table = new SpanTable();
    const medians = [10, 100, 40, 60].map((length, at) => {
      add(table, `m${length}`, "", request([], length));
      const times = requestTimes(new Tree(table)).get("GET");
      assert.equal(times?.requests, at + 1);
      return times.medianMs;
    });
    assert.deepEqual(medians, [10, 55, 40, 50]);
  });

  it("shows one that waits where none would be shorter, and of a parent that is missing", () => {
    const table = new SpanTable();
    for (const span of row([
      ["x", 10],
      ["y", 20],
    ])) {
      add(table, "t", "00000000000000ff", span);
    }
    const route = routesOf(new Tree(table), new Set([""]), rolesOf(table)).get("");
    assert.deepEqual([route?.requests, route?.saved, route?.typical.before], [1, 0, 30]);
  });
});
