// Records the storefront under load with OpenTelemetry, and holds what waterfalls says of it against what is known of the
// program: npm run test:waterfalls. Needs PostgreSQL, as the storefront does.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = join(root, "examples/storefront");
const command = join(root, "packages/headstart/dist/cli.js");
const folder = mkdtempSync(join(tmpdir(), "headstart-waterfalls-"));
const traces = join(folder, "traces.json");

/** What each page waits for in a row, as a reader of src/pages.js sees it: the lines, and what check has for them. */
const EXPECTED = {
  "/categories/:id": { lines: [36, 39, 40], rule: "independent-iterations" },
  "/products/:id": { lines: [11, 12, 13, 14, 15], rule: "independent-awaits" },
  "/baskets/:id": { lines: [53, 57], rule: "independent-iterations" },
};

try {
  const run =
    "exec bash scripts/with-postgres.sh node --import ./testing/telemetry.js testing/load.js";
  execFileSync("bash", ["-c", `[ -x /usr/bin/psql ] || exit 0; ${run}`], {
    cwd: project,
    env: { ...process.env, TRACES: traces, LOAD_SECONDS: "3" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (existsSync(traces)) check();
  else console.log("waterfalls: PostgreSQL is missing, so nothing was recorded");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function check() {
  const args = [command, "waterfalls", traces, "--project", project, "--format", "json"];
  const output = execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 1e9 });
  const { spans, waterfalls } = JSON.parse(output);
  const seen = waterfalls.filter(({ finding }) => finding !== undefined);
  for (const { root: top, parent, finding, steps } of seen) {
    const { lines, rule } = EXPECTED[top || parent];
    assert.equal(finding.rule, rule);
    const found = steps.map(({ file, place }) => {
      assert.equal(file, "src/pages.js");
      return place.line;
    });
    assert.deepEqual(
      found.filter((line) => !lines.includes(line)),
      [],
    );
  }
  assert.equal(new Set(seen.map(({ root: top, parent }) => top || parent)).size, 3, output);
  const saved = waterfalls.map((it) => it.saved);
  assert.deepEqual(
    saved,
    saved.toSorted((one, other) => other - one),
  );
  // What customers ask for is in the spans' attributes: none of it is kept.
  const text = readFileSync(traces, "utf8");
  assert.match(text, /lamp/);
  assert.doesNotMatch(output, /lamp|chair|ada/);
  checkPage();
  console.log(
    `waterfalls: ${spans} spans, ${seen.length} waterfalls at the lines of the program, the largest first`,
  );
}

/** The page has each line, and how long a request took and would take. */
function checkPage() {
  const file = join(folder, "page.html");
  execFileSync(process.execPath, [command, "waterfalls", traces, "--project", project, "-o", file]);
  const page = readFileSync(file, "utf8");
  for (const line of Object.values(EXPECTED).flatMap(({ lines }) => lines)) {
    assert.ok(page.includes(`<td>src/pages.js:${line}</td>`), `line ${line}`);
  }
  const { routes, findings } = JSON.parse(
    /<script type="application\/json" id="results">(.*)<\/script>/.exec(page)[1],
  );
  assert.deepEqual(routes.map(({ name }) => name).toSorted(), Object.keys(EXPECTED).toSorted());
  assert.equal(findings.length, 3);
  for (const { name, typical, savedMs, atMostMs } of routes) {
    assert.ok(typical.afterMs < 0.95 * typical.beforeMs, name);
    assert.ok(savedMs > 0 && savedMs <= atMostMs, name);
  }
  // Both durations also where no script may run.
  assert.equal(page.match(/ms before, .{1,12} after: [\d.]+% less\./g).length, 3);
  assert.ok(!/\b(lamp|chair)\b/.test(page), "what customers ask for is in the page");
}
