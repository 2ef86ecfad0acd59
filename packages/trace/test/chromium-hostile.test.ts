import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";

import { recordPage } from "../src/chromium/record-page.js";
import { skip } from "./chromium.js";
import { setUp } from "./chromium-setup.js";
import { readTrace } from "./read-trace.js";

await test("a page that changes the language behaves as without us", { skip }, async (context) => {
  const { files, options } = await setUp(
    context,
    `import { appendFileSync } from "node:fs";
    export default async (page) => {
      await page.waitForSelector("#done", { timeout: 5000 });
      const seen = JSON.stringify(await page.evaluate("window.seen"));
      appendFileSync(new URL("seen", import.meta.url), seen + "\\n");
    };`,
  );
  const url = options.url.replace("input.html", "hostile.html");
  const { notes } = await recordPage({ ...options, url });
  assert.deepEqual(notes, []);
  const [timing, topology] = readFileSync(join(files, "seen"), "utf8").trim().split("\n");
  assert.equal(topology, timing);
  assert.match(String(topology), /"worker says hi"/);
  const runs = readTrace(options.file)
    .threads.filter(({ name }) => name.startsWith("topology"))
    .flatMap((thread) => thread.runs);
  const micro = runs.filter(({ registration }) => registration?.type === "queueMicrotask");
  assert.ok(micro.some(({ registration }) => registration?.microtask === true));
});

await test("windows that a page opens do not stop it", { skip }, async (context) => {
  const { files, options } = await setUp(
    context,
    `import { appendFileSync } from "node:fs";
    export default async (page) => {
      await page.click("#open");
      await page.waitForTimeout(500);
      const seen = await page.evaluate("seen");
      appendFileSync(new URL("seen", import.meta.url), seen.sort() + "\\n");
    };`,
  );
  for (const query of ["", "?empty"]) {
    const url = options.url.replace("input.html", `opener.html${query}`);
    const { notes } = await recordPage({ ...options, url });
    assert.deepEqual(notes, []);
  }
  assert.deepEqual(readFileSync(join(files, "seen"), "utf8").trim().split("\n"), [
    ...["microtask,opened,popup,timer", "microtask,opened,popup,timer"],
    ...["opened,timer", "opened,timer"],
  ]);
});

await test("dialogs are answered, and noted once", { skip }, async (context) => {
  const { files, options } = await setUp(
    context,
    `import { appendFileSync } from "node:fs";
    export default async (page) => {
      await page.click("#near");
      const seen = await page.evaluate("[alert(1), confirm(2), prompt(3)]");
      appendFileSync(new URL("seen", import.meta.url), JSON.stringify(seen));
      await page.evaluate("onbeforeunload = (event) => event.preventDefault()");
      await page.goto((await page.evaluate("location.href")) + "?again");
      await page.waitForSelector("#late", { timeout: 5000 });
    };`,
  );
  const { notes } = await recordPage({ ...options, seconds: 15 });
  assert.deepEqual(notes, [
    "the page opens dialogs (alert): they are dismissed, and pages may always be left",
  ]);
  assert.equal(readFileSync(join(files, "seen"), "utf8"), "[null,false,null]".repeat(2));
});

/** What a script leaves unhandled is the recorder's: the test's runner would take it for the test's. */
function muteRunner(context: TestContext): void {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    const listeners = process.listeners(event as NodeJS.Signals);
    process.removeAllListeners(event);
    context.after(() => {
      for (const listener of listeners) process.on(event, listener);
    });
  }
}

await test("a script that fails, now or later, is said to", { skip }, async (context) => {
  const later = "await new Promise(() => {})";
  const scripts = [
    ["throw null;", "null"],
    ["void Promise.reject(new Error('at the end')); await page.waitForTimeout(50);", "at the end"],
    ["throw new Error('on purpose');", "on purpose"],
    [`void Promise.reject(new Error('nobody waits')); ${later};`, "nobody waits"],
    [`setTimeout(() => { throw new Error('too late'); }, 50); ${later};`, "too late"],
    [
      "await page.waitForSelector('##');",
      "## is not a valid selector: DOM.querySelector: DOM Error while querying",
    ],
    [
      "await page.waitForSelector('#no', { timeout: 100 });",
      "no element shows for #no within 0.1 s",
    ],
  ] as const;
  const listeners = (): number =>
    process.listenerCount("uncaughtException") + process.listenerCount("unhandledRejection");
  muteRunner(context);
  const before = listeners();
  for (const [body, reason] of scripts) {
    const { options } = await setUp(context, `export default async (page) => { ${body} };`);
    const { notes, threads } = await recordPage(options);
    const why = `ended early: the script ${String(options.script)} failed: ${reason}`;
    assert.deepEqual(notes, [`timing: ${why}`, `topology: ${why}`]);
    assert.equal(threads, 2);
  }
  assert.equal(listeners(), before);
});

await test("hashes are gone to, and functions called", { skip }, async (context) => {
  const { options } = await setUp(
    context,
    `import assert from "node:assert/strict";
    const helper = { async method(value) { return [value, location.hash]; } };
    export default async (page) => {
      const url = await page.evaluate(() => location.href);
      await page.goto(url + "#there", { timeout: 3000 });
      assert.deepEqual(await page.evaluate(helper.method, { a: [1] }), [{ a: [1] }, "#there"]);
      assert.equal(await page.evaluate(async (a, b) => (await a) + b, 1, 2), 3);
      assert.equal(await page.evaluate(function (a) { return a === undefined; }, undefined), true);
      assert.equal(await page.evaluate(a => a, "</script>"), "</script>");
    };`,
  );
  const { notes } = await recordPage(options);
  assert.deepEqual(notes, []);
});
