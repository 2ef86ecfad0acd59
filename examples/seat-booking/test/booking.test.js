import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../src/main.js", import.meta.url));
const SEATS = ["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"];
const GUESTS = 12;

/** Runs the service, has many guests ask for each seat at once, and gives how often each was sold. */
async function sold(env) {
  const folder = await mkdtemp(join(tmpdir(), "seats-"));
  const service = spawn(process.execPath, ["--import", "headstart/register", MAIN], {
    env: { ...process.env, HEADSTART_OPTIMIZE: "--atomic", SEATS: folder, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [line] = await once(service.stdout, "data");
    const address = String(line).trim();
    const asked = SEATS.flatMap((seat) =>
      Array.from({ length: GUESTS }, async (_, guest) => {
        const { status } = await fetch(`${address}/seats/${seat}?guest=g${guest}`, {
          method: "PUT",
        });
        return { seat, status };
      }),
    );
    const answers = await Promise.all(asked);
    assert.deepEqual([...new Set(answers.map((it) => it.status))].sort(), [201, 409]);
    return SEATS.map(
      (seat) => answers.filter((it) => it.seat === seat && it.status === 201).length,
    );
  } finally {
    service.kill();
    await once(service, "exit");
    await rm(folder, { recursive: true });
  }
}

it("sells each seat once", async () => {
  assert.deepEqual(
    await sold({}),
    SEATS.map(() => 1),
  );
});

it("would sell some of them twice without the atomic block", async () => {
  const times = await sold({ BOOKING: "plain" });
  assert.ok(
    times.some((it) => it > 1),
    String(times),
  );
});
