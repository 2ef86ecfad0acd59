import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { recordPage } from "../src/chromium/record-page.js";
import { TraceError } from "../src/errors.js";
import { isTrace } from "../src/format/chunk-file.js";
import { chromium, skip } from "./chromium.js";
import { setUp } from "./chromium-setup.js";
import { readTrace } from "./read-trace.js";

await test("a script drives the page as a person would", { skip }, async (context) => {
  const { files, options } = await setUp(
    context,
    `import { writeFileSync } from "node:fs";
    export async function drive(page) {
      await page.waitForSelector("#late", { timeout: 5000 });
      await page.click("#text");
      await page.keyboard.type("aB1 é");
      await page.keyboard.press("Control+A");
      await page.keyboard.press("Backspace");
      await page.keyboard.type("x");
      await page.keyboard.press("ArrowLeft");
      await page.click("#near");
      await page.click("#far");
      await page.mouse.move(5, 6);
      await page.mouse.wheel(0, -40);
      await page.waitForTimeout(200);
      const text = await page.evaluate("document.getElementById('text').value");
      const seen = await page.evaluate("Promise.resolve(seen)");
      writeFileSync(new URL("seen.json", import.meta.url), JSON.stringify({ text, seen }));
    }`,
  );
  const { notes } = await recordPage(options);
  assert.deepEqual(notes, []);
  const result = readFileSync(join(files, "seen.json"), "utf8");
  const { text, seen } = JSON.parse(result) as { text: string; seen: string[] };
  assert.equal(text, "x");
  const expected = [
    ...["key a", "key B", "key 1", "key  ", "key a control", "key Backspace", "key x"],
    ...["key ArrowLeft", "click near true", "click far true"],
    ...["move 5,6", "wheel -40"],
  ];
  let at = -1;
  for (const event of expected) {
    at = seen.findIndex((it, index) => index > at && it.toLowerCase() === event.toLowerCase());
    assert.ok(at >= 0, `${event} is missing: ${seen.join(", ")}`);
  }
  for (const { runs, name } of readTrace(options.file).threads) {
    const clicks = runs.filter(({ registration }) => registration?.type === "click");
    assert.equal(clicks.length, 2, name);
    for (const click of clicks) {
      assert.equal(click.registration?.parent, undefined);
      assert.equal(click.registration?.recurring, true);
      assert.deepEqual(
        click.registers.map(({ type, runs: { length } }) => [type, length]),
        [["setTimeout", 1]],
      );
    }
  }
});

await test("nothing is left of the browser", { skip }, async (context) => {
  const { files, options } = await setUp(context);
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = files;
  try {
    await recordPage(options);
  } finally {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  }
  assert.deepEqual(readdirSync(files), ["a.trace"]);
});

await test("when it is stopped, what was recorded is kept", { skip }, async (context) => {
  const { options } = await setUp(context, "export default () => new Promise(() => {});");
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort();
  }, 4000);
  const begin = performance.now();
  const { notes, stopped, threads } = await recordPage({ ...options, signal: controller.signal });
  assert.ok(performance.now() - begin < 15_000);
  assert.equal(stopped, true);
  assert.equal(threads, 1);
  assert.deepEqual(notes, [
    "timing: ended early: it was stopped",
    "topology: not recorded, because it was stopped before",
  ]);
  const [thread] = readTrace(options.file).threads;
  assert.ok((thread?.runs.length ?? 0) > 10);
});

await test("a page that crashes leaves what came before", { skip }, async (context) => {
  const { options } = await setUp(
    context,
    `export default async (page) => {
      await page.waitForSelector("#late");
      await page.goto("chrome://crash");
    }`,
  );
  const { notes, threads } = await recordPage(options);
  assert.deepEqual(notes, [
    "timing: ended early: the page has crashed",
    "topology: ended early: the page has crashed",
  ]);
  assert.equal(threads, 2);
});

await test("a browser that dies is no error", { skip }, async (context) => {
  const { files, options } = await setUp(
    context,
    `import { readFileSync, rmSync, existsSync } from "node:fs";
    let turn = 0;
    export default async (page) => {
      await page.waitForSelector("#late");
      if (++turn === 2) process.kill(Number(readFileSync(new URL("pid", import.meta.url), "utf8")), "SIGKILL");
      await page.waitForTimeout(turn === 2 ? 20000 : 0);
    }`,
  );
  const wrapper = join(files, "chromium");
  const real = chromium.replaceAll("'", "");
  writeFileSync(wrapper, `#!/bin/sh\necho $$ > '${files}/pid'\nexec '${real}' "$@"\n`);
  chmodSync(wrapper, 0o755);
  const { notes, threads } = await recordPage({ ...options, chromium: wrapper });
  assert.equal(notes[0], "topology: ended early: the browser has ended");
  assert.match(notes[1] ?? "", /^topology: .*the browser has ended$/);
  assert.equal(threads, 1);
});

await test("mistakes are said in a sentence", { skip }, async (context) => {
  const { files, options } = await setUp(context);
  await assert.rejects(recordPage({ ...options, chromium: join(files, "none") }), (error) => {
    assert.ok(error instanceof TraceError);
    assert.equal(error.message, `no browser can be started as ${join(files, "none")}`);
    return true;
  });
  await assert.rejects(recordPage({ ...options, script: join(files, "none.mjs") }), TraceError);
  await assert.rejects(recordPage({ ...options, url: "http://127.0.0.1:9/" }), (error) => {
    assert.ok(error instanceof TraceError);
    assert.match(error.message, /^nothing was recorded of http:.* cannot be opened: net::ERR_/);
    return true;
  });
  await sleep(0);
});

await test("a full disk ends the trace, with a note", { skip }, async (context) => {
  const { files, options } = await setUp(context);
  const disk = join(files, "disk");
  mkdirSync(disk);
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=8k", "tmpfs", disk]);
  if (mounted.status !== 0) {
    context.skip("only root may mount a small disk");
    return;
  }
  try {
    const file = join(disk, "a.trace");
    const { notes } = await recordPage({
      ...options,
      url: options.url.replace("input.html", "edges.html"),
      seconds: 3,
      file,
    });
    assert.match(notes.join("\n"), /the trace ends early, it cannot be written: /);
    assert.ok(isTrace(file));
  } finally {
    spawnSync("umount", [disk]);
  }
});
