/**
 * What each program is run with, and what has to come out: found by another way than the program's,
 * or published with the algorithm. `small` is for tests, `bench` for measuring.
 */

/** A text with everything that JSON has, the same one for the same number of records. */
function sampleText(records) {
  const rows = Array.from({ length: records }, (_, i) => ({
    id: i,
    name: `record ${i}`,
    path: `a/b\\c\n"${i}"\té`,
    tags: i % 3 === 0 ? [] : ["x", "yy", "zzz"].slice(i % 3),
    size: { width: i * 1.25, height: -i / 8, depth: i * 1e21 },
    flags: [true, false, null],
    more: i % 5 === 0 ? {} : { next: i + 1 },
  }));
  return JSON.stringify({ version: 1, rows }, null, records % 2 === 0 ? 1 : undefined).replaceAll(
    "é",
    "\\u00e9",
  );
}

/** What json.js sums up, by way of JSON.parse. */
function summary(text) {
  const it = { kinds: [0, 0, 0, 0, 0], names: 0, letters: 0, sum: 0 };
  const visit = (value) => {
    if (Array.isArray(value)) {
      it.kinds[1] += 1;
      value.forEach(visit);
    } else if (value !== null && typeof value === "object") {
      it.kinds[0] += 1;
      for (const [name, member] of Object.entries(value)) {
        it.names += name.length;
        visit(member);
      }
    } else if (typeof value === "string") {
      it.kinds[2] += 1;
      it.letters += value.length;
    } else if (typeof value === "number") {
      it.kinds[3] += 1;
      it.sum += value;
    } else it.kinds[4] += 1;
  };
  visit(JSON.parse(text));
  return it;
}

function takeuchi(x, y, z) {
  return y < x ? takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y)) : z;
}

/** The generator of bounce.js and storage.js, as a function. */
function drawer() {
  let seed = 40961;
  return () => (seed = (seed * 25173 + 13849) % 65536);
}

/** Each coordinate of each ball by itself; a step counts once if either met a wall. */
function bounces({ balls, steps }) {
  const draw = drawer();
  let count = 0;
  for (let ball = 0; ball < balls; ball += 1) {
    const places = [draw() % 400, draw() % 400];
    const speeds = [(draw() % 240) - 120, (draw() % 240) - 120];
    for (let step = 0; step < steps; step += 1) {
      const met = places.map((_, axis) => {
        const free = places[axis] + speeds[axis];
        places[axis] = Math.min(400, Math.max(0, free));
        if (free > 400) speeds[axis] = -Math.abs(speeds[axis]);
        if (free < 0) speeds[axis] = Math.abs(speeds[axis]);
        return free !== places[axis];
      });
      if (met.some(Boolean)) count += 1;
    }
  }
  return count;
}

function stored(depth) {
  const draw = drawer();
  let cells = 0;
  for (let leaf = 0; leaf < 4 ** (depth - 1); leaf += 1) cells += (draw() % 10) + 1;
  return [(4 ** depth - 1) / 3, cells];
}

/** The counts that the benchmark's author published for these numbers of rounds. */
const RICHARDS = new Map([
  [1_000, [2_322, 928]],
  [10_000, [23_246, 9_297]],
]);

/** What the constraints say: the last pair was set to 1050 = 10 x 5 + 1000, all others kept their source. */
function solved(size) {
  const sources = ((size - 1) * (size - 2)) / 2 + 5;
  return [5_050, [1_170, 5, sources * 5 + size * 1_000, sources * 5 + size * 2_000]];
}

/** @type {Record<string, {small: unknown, bench: unknown, expected: (input: any) => unknown}>} */
export const programs = {
  towers: { small: 6, bench: 12, expected: (disks) => 2 ** disks - 1 },
  list: {
    small: { x: 6, y: 4, z: 2 },
    bench: { x: 13, y: 9, z: 5 },
    expected: ({ x, y, z }) => takeuchi(x, y, z),
  },
  bounce: {
    small: { balls: 10, steps: 20 },
    bench: { balls: 100, steps: 50 },
    expected: bounces,
  },
  storage: { small: 4, bench: 6, expected: stored },
  richards: { small: 1_000, bench: 1_000, expected: (rounds) => RICHARDS.get(rounds) },
  deltablue: { small: 10, bench: 100, expected: solved },
  json: { small: sampleText(3), bench: sampleText(40), expected: summary },
};
