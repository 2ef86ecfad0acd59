import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { recordCommand } from "../src/index.js";
import { temporaryFolder } from "./folder.js";
import { nodes, program, setup } from "./node.js";
import { readTrace, type Run } from "./read-trace.js";

/** An edge from what ran to who registered it, both as the type and the line. */
type Edge = readonly [child: string, parent: string];

/** The parents of each child, sorted. */
function byChild(edges: readonly Edge[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const [child, parent] of edges) {
    children.set(child, [...(children.get(child) ?? []), parent].sort());
  }
  return children;
}

function label(run: Run | undefined): string {
  const registration = run?.registration;
  if (registration === undefined || registration.type === "program") return "top";
  const { site, type } = registration;
  const [, file = "", line = "", column = ""] = site?.text ?? [];
  const place = file.endsWith("edges.mjs") ? ` ${line}:${column}` : "";
  return `${/^(reaction|promise)$/.test(type) ? "PROMISE" : type}${place}`;
}

function recorded(file: string): Edge[] {
  const threads = readTrace(file).threads;
  const main = threads.find(({ name }) => name.startsWith("process"));
  const ran = main?.registrations.filter(({ runs, type }) => runs.length > 0 && type !== "program");
  return (ran ?? []).map(({ runs: [run], parent }) => [label(run), label(parent)] as const);
}

/** The edges that async_hooks alone see in a run of the program. */
function reference(node: string, files: string): Edge[] {
  const file = join(files, "reference.json");
  execFileSync(node, ["--require", program("reference.cjs"), program("edges.mjs")], {
    env: { ...process.env, REFERENCE: file },
  });
  return (JSON.parse(readFileSync(file, "utf8")) as string[]).map((edge) => {
    const [child = "", parent = ""] = edge.split(" < ");
    return [child, parent] as const;
  });
}

/** The edges that we see in another one. */
async function ours(node: string, files: string): Promise<Edge[]> {
  const file = join(files, "edges.trace");
  const { exitCode } = await recordCommand({
    command: [node, program("edges.mjs")],
    file,
    sites: "all",
    setup: setup(),
    signal: new AbortController().signal,
    handOn: () => undefined,
  });
  assert.equal(exitCode, 0);
  return recorded(file);
}

/**
 * How many edges are the same, and how many are not: of each child, as many of its parents as both have must be the
 * same. What ran more often in one of the runs (packets of a socket, timers that were too late) says nothing.
 */
function compared(expected: Edge[], found: Edge[]): { same: number; wrong: string[] } {
  const references = byChild(expected);
  let same = 0;
  const wrong: string[] = [];
  for (const [child, parents] of byChild(found)) {
    const rest = [...(references.get(child) ?? [])];
    const most = Math.min(rest.length, parents.length);
    const others = parents.filter((parent) => {
      const at = rest.indexOf(parent);
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
    same += parents.length - others.length;
    wrong.push(
      ...others.slice(0, most - (parents.length - others.length)).map((it) => `${child} < ${it}`),
    );
  }
  return { same, wrong };
}

for (const [version, node] of nodes()) {
  await test(`${version}: parents are those of async_hooks`, async (context) => {
    const files = temporaryFolder(context);
    let result = { same: 0, wrong: ["not tried"] };
    // Two runs of one program differ now and then.
    for (let attempt = 0; attempt < 4 && result.wrong.length > 0; attempt++) {
      result = compared(reference(node, files), await ours(node, files));
    }
    context.diagnostic(`${result.same} edges are the same`);
    assert.deepEqual(result.wrong, []);
    assert.ok(result.same > 400, `${result.same} edges`);
  });
}
