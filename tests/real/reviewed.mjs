// Holds findings against moves that a published tool made, each reviewed by hand: nothing that changes
// behaviour or gains nothing may be `safe`, all that is useful has to be found.
//
//   node tests/real/reviewed.mjs FOLDER
//
// FOLDER holds a checkout of each project at the commit that `../shared/data/reviewed-reorderings.json`
// names, in a folder with the project's name.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { check } from "headstart";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const LEVELS = ["safe", "likely", "hint", "none"];

/** The surest level of the findings that touch some lines. */
function levelAt(findings, file, [first, last]) {
  const touches = ({ start, end }) => start.line <= last && first <= end.line;
  const levels = findings
    .filter((it) => it.file === file && [it.range, ...it.overlaps].some(touches))
    .map((it) => it.level);
  return LEVELS.find((level) => levels.includes(level)) ?? "none";
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node tests/real/reviewed.mjs FOLDER");
  process.exit(2);
}
const data = path.join(root, "../shared/data/reviewed-reorderings.json");
const { reviewed } = JSON.parse(await readFile(data, "utf8"));
const counts = new Map();
let wrong = 0;
for (const { project, reviewed: sites } of reviewed) {
  const cwd = path.resolve(folder, project);
  const { findings } = await check({ cwd, paths: ["."], level: "hint", includeTests: true });
  for (const site of sites) {
    const lines = [site.lines[0], site.lines.at(-1)];
    const level = levelAt(findings, site.file, lines);
    const key = `${site.class} ${level}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const isWrong = site.class === "a" ? !["safe", "likely"].includes(level) : level === "safe";
    if (!isWrong) continue;
    wrong += 1;
    console.log(`${project}/${site.file}:${String(lines[0])}: class ${site.class}, ${level}`);
  }
}
console.log("class and level:");
for (const [key, count] of [...counts].sort()) console.log(`  ${key}  ${String(count)}`);
console.log(`${String(wrong)} at the wrong level`);
process.exitCode = wrong === 0 ? 0 : 1;
