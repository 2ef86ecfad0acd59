import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";

import { environmentIn, list, makeCopy } from "@headstart/verify/copies";

import { withoutValues } from "../src/command.js";
import { makeSurroundings } from "../src/surroundings.js";
import { NODE, observed } from "./made.js";

const unix = { skip: process.platform === "win32" };

/** A folder with these files in it. */
function folder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(join(tmpdir(), "headstart-observe-copy-"));
  process.on("exit", () => {
    rmSync(made, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}

await test("what names the project in the environment names the copy of it", unix, async () => {
  const around = folder({ "app/test/a.txt": "", "app/.git/HEAD": "" });
  const project = join(around, "app");
  symlinkSync(project, join(around, "link"));
  const source = { root: project, project, without: [] };
  const copy = await makeCopy("original", source, await list(source), join(around, "copy"));
  const found = environmentIn(copy, source, {
    PWD: around,
    INIT_CWD: `${project}/`,
    npm_package_json: join(project, "package.json"),
    BY_LINK: join(around, "link/test"),
    LIST: [project, "/usr", join(project, "test")].join(delimiter),
    GIT_DIR: join(project, ".git"),
    BESIDE: `${project}-other`,
    ABOVE: join(project, ".."),
    ADDRESS: "postgres://user:x@host/app",
    WORDS: "app test",
  });
  assert.deepEqual(found, {
    PWD: copy.project,
    INIT_CWD: `${copy.project}/`,
    npm_package_json: join(copy.project, "package.json"),
    BY_LINK: join(copy.project, "test"),
    LIST: [copy.project, "/usr", join(copy.project, "test")].join(delimiter),
    GIT_DIR: join(project, ".git"),
    BESIDE: `${project}-other`,
    ABOVE: around,
    ADDRESS: "postgres://user:x@host/app",
    WORDS: "app test",
  });
});

await test(
  "a program that asks the environment where it is writes into the copy",
  unix,
  async () => {
    const { at, exitCode, project } = await observed(
      {
        "main.js": `import fs from "node:fs/promises";
import { join } from "node:path";
await fs.writeFile(join(process.env.PWD, "report.txt"), "");
`,
      },
      NODE,
    );
    assert.equal(exitCode, 0);
    assert.deepEqual(at(3), ["1 fs write report.txt"]);
    assert.equal(existsSync(join(project, "report.txt")), false);
  },
);

await test(
  "what lies beside the project is there, and files that are made beside it go with the copy",
  unix,
  async () => {
    const { at, exitCode, project } = await observed(
      {
        "../shared/s.js": "export const s = 7;\n",
        "../config.json": "{}",
        "main.js": `import fs from "node:fs/promises";
import { s } from "../shared/s.js";
await fs.readFile("../config.json", "utf8");
await fs.writeFile("../made.txt", "");
process.exit(s);
`,
      },
      NODE,
    );
    assert.equal(exitCode, 7);
    assert.deepEqual(at(3), ["1 fs read (outside)"]);
    assert.equal(existsSync(join(project, "../made.txt")), false);
  },
);

await test(
  "what lies around a project is there up to the root of its repository, but not that's history",
  unix,
  async () => {
    const around = folder({
      "repository/.git/HEAD": "",
      "repository/base.json": "",
      "repository/packages/app/a.js": "",
      "repository/packages/other/b.js": "",
      "more/c.js": "",
    });
    const scratch = join(around, "scratch");
    const place = await makeSurroundings(join(around, "repository/packages/app"), scratch);
    assert.equal(existsSync(place), false);
    assert.deepEqual(readdirSync(join(place, "..")), ["other"]);
    assert.deepEqual(readdirSync(join(place, "../..")).sort(), ["base.json", "packages"]);
    assert.ok(existsSync(join(place, "../other/b.js")));
    const own = await makeSurroundings(join(around, "repository"), join(scratch, "own"));
    assert.deepEqual(readdirSync(join(own, "..")).sort(), ["more", "scratch"]);
  },
);

await test("of a command stays what says what it does, and what names files", () => {
  const project = folder({ "app.js": "", "test/user-4711/a.js": "" });
  const kept = (text: string): string => withoutValues(text.split(" "), project).join(" ");
  assert.equal(kept("/usr/bin/node app.js secret"), "node app.js :value");
  assert.equal(kept("node --test test"), "node --test test");
  assert.equal(kept("npm run test:unit secret"), "npm run test:unit :value");
  assert.equal(kept("npm test secret"), "npm test :value");
  assert.equal(kept("npm --token secret test"), "npm --token :value test");
  assert.equal(kept("mysql -p secretpw -psecretpw"), "mysql -p :value :value");
  assert.equal(kept("login secret --key=secret"), "login :value :value");
  assert.equal(kept("vitest run test/user-4711/a.js"), "vitest run test/:value/a.js");
  assert.equal(kept("cat ../app.js /etc/passwd"), "cat :value :value");
});
