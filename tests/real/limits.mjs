// Holds what the command needs on public repositories to limits.
//
//   node tests/real/limits.mjs FOLDER [NAME…]
//
// FOLDER has the checkouts that limits.txt names (each line: repository and commit), as
// OWNER+NAME@COMMIT. With NAMEs, only those whose folder contains one of them. Prints a Markdown table:
// CPU seconds and peak memory of `check` for each 100,000 lines of what it analysed, those of `fix
// --diff` and `explain`, and how long each takes to end when it is interrupted. Ends with exit code 1
// where something is over its limit, does not end or is missing. Linux only: it reads /proc.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { clearInterval, clearTimeout, setInterval, setTimeout } from "node:timers";
import { fileURLToPath } from "node:url";

/** CPU seconds and MB for each 100,000 lines, and what a small repository may need in any case. */
const MOST = { cpu: 1.5, memory: 400 };
const FLOOR = { cpu: 0.5, memory: 100 };
/** A command that needs more CPU seconds than this for 100,000 lines is ended. */
const GIVEN_UP = 60;
/** How long a command may take to end when it is interrupted, in milliseconds. */
const MOST_TO_END = 1000;
/** What a tick of /proc/PID/stat is, in seconds (USER_HZ). */
const TICK = 0.01;

const here = path.dirname(fileURLToPath(import.meta.url));
const cli = path.join(here, "../../packages/headstart/dist/cli.js");

/** How often a command is looked at, in milliseconds: looking takes time of the core that it shares. */
const BETWEEN_LOOKS = 20;

/** What the commands get: not the certificates that some machines have each Node read when it starts. */
const env = { ...process.env };
delete env.NODE_EXTRA_CA_CERTS;

/** The CPU seconds in two fields of /proc/PID/stat, user and system, from `first` on. */
function seconds(pid, first) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[first]) + Number(fields[first + 1])) * TICK;
}

/** CPU seconds of the children that have ended. */
const ofChildren = () => seconds("self", 13);

/** CPU seconds so far and peak memory in MB of a process; nothing where it is gone. */
function usage(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const peak = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    return { cpu: seconds(pid, 11), memory: peak };
  } catch {
    return undefined;
  }
}

/** Runs a command; it is interrupted after `interrupt` milliseconds, where that is given. */
function run(folder, args, interrupt) {
  return new Promise((resolve) => {
    const before = ofChildren();
    const child = spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const found = { cpu: 0, memory: 0, output: "", hasEnded: true, toEnd: undefined };
    let interrupted;
    const watch = setInterval(() => {
      const now = usage(child.pid);
      if (now !== undefined) {
        found.cpu = Math.max(found.cpu, now.cpu);
        found.memory = Math.max(found.memory, now.memory);
      }
      if (found.cpu > GIVEN_UP) {
        found.hasEnded = false;
        child.kill("SIGKILL");
      }
    }, BETWEEN_LOOKS);
    const timer =
      interrupt === undefined
        ? undefined
        : setTimeout(() => {
            interrupted = performance.now();
            child.kill("SIGINT");
          }, interrupt);
    child.stdout.on("data", (data) => (found.output += data));
    child.on("close", () => {
      clearInterval(watch);
      clearTimeout(timer);
      found.cpu = ofChildren() - before;
      if (interrupted !== undefined) found.toEnd = performance.now() - interrupted;
      resolve(found);
    });
  });
}

/** The place of the first finding, for `explain`; any file where there is none. */
function place(report) {
  const first = report.findings[0];
  return first === undefined ? undefined : `${first.file}:${first.range.start.line}`;
}

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node tests/real/limits.mjs FOLDER [NAME…]");
  process.exit(2);
}
const rows = readFileSync(path.join(here, "limits.txt"), "utf8").trim().split("\n");
let isOver = false;
console.log(
  "| repository | commit | lines | CPU-s | CPU-s/100k | MB | MB/100k | `fix --diff` | `explain` | ends in ms | |",
);
console.log("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
for (const row of rows) {
  const [repository, commit] = row.split(" ");
  const checkout = path.join(folder, `${repository.replace("/", "+")}@${commit}`);
  if (names.length > 0 && !names.some((it) => checkout.includes(it))) continue;
  if (!existsSync(checkout)) {
    isOver = true;
    console.log(`| ${repository} | ${commit} | | | | | | | | | missing |`);
    continue;
  }
  const check = await run(checkout, ["check", "--format", "json", "--level", "hint"]);
  let report = { findings: [], stats: { lines: 0 } };
  try {
    report = JSON.parse(check.output);
  } catch {
    check.hasEnded = false;
  }
  const lines = report.stats?.lines ?? 0;
  const per = 100_000 / Math.max(lines, 1);
  const at = place(report);
  const fix = await run(checkout, ["fix", "--diff"]);
  const explain = at === undefined ? undefined : await run(checkout, ["explain", at]);
  const toEnd = [];
  const commands = [["check"], ["fix", "--diff"], ...(at === undefined ? [] : [["explain", at]])];
  for (const command of commands) {
    const { toEnd: time } = await run(checkout, command, 400);
    if (time !== undefined) toEnd.push(time);
  }
  const slowest = Math.max(0, ...toEnd);
  const problems = [];
  for (const [name, it] of Object.entries({ check, fix, explain })) {
    if (it === undefined) continue;
    if (!it.hasEnded) problems.push(`${name} does not end`);
    if (it.cpu > FLOOR.cpu && it.cpu * per > MOST.cpu) problems.push(`${name}: CPU`);
    if (it.memory > FLOOR.memory && it.memory * per > MOST.memory) problems.push(`${name}: memory`);
  }
  if (slowest > MOST_TO_END) problems.push("interrupt");
  isOver ||= problems.length > 0;
  const cells = [
    repository,
    commit,
    lines,
    check.cpu.toFixed(2),
    (check.cpu * per).toFixed(2),
    check.memory.toFixed(0),
    (check.memory * per).toFixed(0),
    fix.cpu.toFixed(2),
    explain?.cpu.toFixed(2) ?? "",
    slowest.toFixed(0),
    problems.join(", "),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
process.exit(isOver ? 1 : 0);
