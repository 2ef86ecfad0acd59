// How many async functions of real programs are converted, how many of the calls that are awaited at once reach one, and
// how much larger the programs become:
// `node benches/overhead/converted.mjs FOLDER...`. Each folder is one program, as for `headstart optimize FOLDER`.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { optimizeAsync, readWhole } from "headstart";
import { sizes } from "./suite-sizes.mjs";

const PROGRAM = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
/** What is not the program itself: its tests and what they use, examples, benches. */
const BESIDE =
  /(^|[/._-])(tests?|specs?|e2e|__tests__|fixtures?|mocks?|playground|examples?|bench|benchmarks?|stories)([/._-]|$)/i;

const filesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = join(folder, entry.name);
    const isLeft = entry.name === "node_modules" || entry.name.startsWith(".");
    if (entry.isDirectory()) return isLeft ? [] : filesOf(place);
    return entry.isFile() && PROGRAM.test(place) && !DECLARATIONS.test(place) ? [place] : [];
  });

const WAITS = "it always waits for something";

const percent = (part, all) => `${((100 * part) / Math.max(all, 1)).toFixed(1)}%`;

/** Functions, those converted, calls of them that are awaited at once, and those that reach one that is. */
class Counts {
  functions = 0;
  converted = 0;
  awaited = 0;
  reaching = 0;
  /** Calls of functions that wait in any case: a fast form of one would never be used. */
  waiting = 0;
  reasons = new Map();
  /** Of files that change, and of all: bytes before and after, minified and compressed. */
  changed = { before: [0, 0], after: [0, 0] };
  all = { before: [0, 0], after: [0, 0] };

  add({ outcome, calls }) {
    const isConverted = outcome.kind === "converted";
    this.functions += 1;
    this.awaited += calls.awaited;
    if (isConverted) {
      this.converted += 1;
      this.reaching += calls.awaited;
      return;
    }
    if (outcome.reason?.startsWith(WAITS)) this.waiting += calls.awaited;
    const reason = (outcome.reason ?? outcome.kind).replace(/`[^`]*`/g, "…");
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
  }

  addSizes({ before, after }) {
    for (const it of before === after ? [this.all] : [this.changed, this.all]) {
      it.before = it.before.map((sum, at) => sum + before[at]);
      it.after = it.after.map((sum, at) => sum + after[at]);
    }
  }

  sizeLine() {
    const of = ({ before, after }) =>
      after.map((it, at) => (it / Math.max(before[at], 1)).toFixed(2)).join(" / ");
    return `size, minified / gzip: ${of(this.changed)} of what the files took that change, ${of(this.all)} of all files`;
  }

  line(name) {
    const { functions, converted, awaited, reaching, waiting } = this;
    const others = `${percent(reaching, awaited - waiting)} without those of functions that always wait`;
    const calls = `${reaching} of ${awaited} calls that are awaited at once reach one (${percent(reaching, awaited)}, ${others})`;
    return `${name}: ${converted} of ${functions} functions (${percent(converted, functions)}), ${calls}`;
  }
}

/** Of a file, bytes before and after, minified and compressed; the same list where it does not change. */
function sizesOf(file, text, { code, changed }) {
  const [, script, x] = /(ts|js)(x?)$/.exec(file);
  const of = (it) => Object.values(sizes(it, script === "js" ? "jsx" : `ts${x}`));
  const before = of(text);
  return { before, after: changed ? of(code) : before };
}

async function count(folder, all) {
  const root = resolve(folder);
  const whole = await readWhole(root);
  const own = new Counts();
  for (const file of filesOf(root)) {
    try {
      const text = readFileSync(file, "utf8");
      const result = await optimizeAsync(text, { file }, whole.get(file));
      const isBeside = BESIDE.test(relative(root, file));
      for (const it of result.functions) {
        all.every.add(it);
        if (isBeside) continue;
        all.program.add(it);
        own.add(it);
      }
      if (isBeside) continue;
      const measured = sizesOf(file, text, result);
      own.addSizes(measured);
      all.program.addSizes(measured);
    } catch {
      console.error(
        `${file} cannot be read as a program, or not as a module; it is left out, at least of the sizes`,
      );
    }
  }
  console.log(own.line(folder));
  console.log(own.sizeLine());
}

const all = { every: new Counts(), program: new Counts() };
for (const folder of process.argv.slice(2)) await count(folder, all);
console.log(all.program.line("all, without tests"));
console.log(all.program.sizeLine());
console.log(all.every.line("all, with tests"));
console.log("\nWhy the others stay, without tests:");
const reasons = [...all.program.reasons].sort((a, b) => b[1] - a[1]);
for (const [reason, times] of reasons.slice(0, 12)) console.log(`${times} ${reason}`);
