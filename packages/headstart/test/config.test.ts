import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

import { loadConfig } from "../src/config.js";
import { HeadstartError } from "../src/errors.js";
import { ANSWERS, DENY_LEVELS, ERROR_MODES, LEVELS, LOG_MODES } from "../src/levels.js";
import { packageFile } from "../src/package.js";
import { project, writeFiles } from "./temp.js";

const FILE = "headstart.config.json";

describe("loadConfig finds", () => {
  it("nothing where there is nothing", async () => {
    assert.deepEqual(await loadConfig(project()), {});
  });

  it("every key", async () => {
    const config = {
      $schema: "./node_modules/headstart/headstart.config.schema.json",
      level: "hint",
      deny: "none",
      includeTests: true,
      errors: "exact",
      logs: "any-order",
      exclude: ["gen/", "!gen/keep.ts"],
      deps: ["a", "@b/c"],
      models: ["/elsewhere/m.yml"],
      assume: { "src/log.ts#log": "logs" },
      root: "all",
    };
    const root = project({ [FILE]: JSON.stringify(config), "all/x.ts": "" });
    const found = await loadConfig(root);
    assert.deepEqual(found, {
      ...config,
      root: join(root, "all"),
      excludeFrom: root,
      assumeFrom: root,
    });
  });

  it("a file with a byte order mark", async () => {
    assert.deepEqual(await loadConfig(project({ [FILE]: '\uFEFF{"level":"safe"}' })), {
      level: "safe",
    });
  });

  it("the key in package.json", async () => {
    const root = project({ "package.json": '{"name":"x","headstart":{"deny":"hint"}}' });
    assert.deepEqual(await loadConfig(root), { deny: "hint" });
  });

  it("the nearest of several", async () => {
    const root = project({
      [FILE]: '{"level":"safe"}',
      [`a/${FILE}`]: '{"level":"hint"}',
      "a/b/package.json": '{"name":"b","devDependencies":{"headstart":"1"}}',
      "c/x.ts": "",
    });
    assert.deepEqual(await loadConfig(join(root, "a/b")), { level: "hint" });
    assert.deepEqual(await loadConfig(join(root, "c")), { level: "safe" });
  });

  it("none above the root of the repository", async () => {
    const root = project({ [FILE]: '{"level":"safe"}', "sub/x.ts": "" });
    mkdirSync(join(root, "sub/.git"));
    assert.deepEqual(await loadConfig(join(root, "sub")), {});
    rmSync(join(root, "sub/.git"), { recursive: true });
    // In a work tree, .git is a file.
    writeFiles(root, { "sub/.git": "gitdir: elsewhere" });
    assert.deepEqual(await loadConfig(join(root, "sub")), {});
  });

  it("the one that is given", async () => {
    const root = project({
      [FILE]: '{"level":"safe"}',
      "etc/strict.json": '{"level":"hint","exclude":["/a"]}',
      "etc/package.json": '{"headstart":{"deny":"likely"}}',
    });
    const given = await loadConfig(root, "etc/strict.json");
    assert.deepEqual(given, { level: "hint", exclude: ["/a"], excludeFrom: root });
    assert.deepEqual(await loadConfig(root, "etc/package.json"), { deny: "likely" });
    assert.deepEqual(await loadConfig(root, false), {});
  });

  it("globs with the folder that they are relative to", async () => {
    const root = project({ [FILE]: '{"exclude":["/packages/b/x"]}', "packages/a/x.ts": "" });
    const config = await loadConfig(join(root, "packages/a"));
    assert.deepEqual(config, { exclude: ["/packages/b/x"], excludeFrom: root });
  });

  it("models relative to the file, however it was found", async () => {
    const root = project({
      [FILE]: '{"models":["m.yml"]}',
      "etc/strict.json": '{"models":["m.yml","../n.yml"]}',
      "etc/package.json": '{"headstart":{"models":["./m.yml"]}}',
      "src/x.ts": "",
    });
    const models = async (folder: string, given?: string) =>
      (await loadConfig(join(root, folder), given)).models;
    assert.deepEqual(await models("src"), [join(root, "m.yml")]);
    assert.deepEqual(await models("etc", "package.json"), [join(root, "etc/m.yml")]);
    assert.deepEqual(await models("src", "../etc/strict.json"), [
      join(root, "etc/m.yml"),
      join(root, "n.yml"),
    ]);
  });

  it("no fault in a broken package.json that does not mention it", async () => {
    assert.deepEqual(await loadConfig(project({ "package.json": "{" })), {});
  });
});

describe("loadConfig refuses", () => {
  const bad: [what: string, text: string, message: string][] = [
    [
      "an unknown key",
      '{\n  "levle": "safe"\n}',
      '2:3: unknown key "levle"; did you mean "level"?',
    ],
    [
      "a key like no other",
      '{"zzz": 1}',
      '1:2: unknown key "zzz"; expected "$schema", "level", "deny", "includeTests", "errors", "logs", "exclude", "root", "assume", "deps" or "models"',
    ],
    [
      "a wrong level",
      '{"level": "best"}',
      '1:11: "level" must be "safe", "likely" or "hint", not "best"',
    ],
    [
      "a level of a wrong type",
      '{"level": true}',
      '1:11: "level" must be "safe", "likely" or "hint", not true',
    ],
    [
      "a wrong deny",
      '{"deny": "all"}',
      '1:10: "deny" must be "safe", "likely", "hint" or "none", not "all"',
    ],
    ["wrong logs", '{"logs": "off"}', '1:10: "logs" must be "in-order" or "any-order", not "off"'],
    ["wrong errors", '{"errors": "two"}', '1:12: "errors" must be "one" or "exact", not "two"'],
    [
      "wrong includeTests",
      '{"includeTests": "yes"}',
      '1:18: "includeTests" must be true or false, not "yes"',
    ],
    ["wrong exclude", '{"exclude": "a"}', '1:13: "exclude" must be an array of strings, not "a"'],
    ["a wrong glob", '{"exclude": ["a",\n  3]}', '2:3: "exclude[1]" must be a string, not 3'],
    [
      "an empty glob",
      '{"exclude": [""]}',
      '1:14: "exclude[0]" must be a string that is not empty, not ""',
    ],
    ["a wrong root", '{"root": 1}', '1:10: "root" must be a string, not 1'],
    ["wrong deps", '{"deps": "a"}', '1:10: "deps" must be an array of strings, not "a"'],
    [
      "an empty dependency",
      '{"deps": [""]}',
      '1:11: "deps[0]" must be a string that is not empty, not ""',
    ],
    ["a wrong model", '{"models": [1]}', '1:13: "models[0]" must be a string, not 1'],
    ["assumptions in a list", '{"assume": []}', '1:12: "assume" must be an object, not []'],
    [
      "an answer that there is none of",
      '{"assume": {"src/log.ts#log": "log"}}',
      '1:31: "src/log.ts#log" in "assume" must be "computes", "reads", "logs" or "anything", not "log"',
    ],
    ["a slip in deps", '{"dep": []}', '1:2: unknown key "dep"; did you mean "deps"?'],
    ["something else", "[]", "1:1: the configuration must be an object, not []"],
    ["a wrong $schema", '{"$schema": 1}', '1:13: "$schema" must be a string, not 1'],
    ["nothing", "", "1:1: not valid JSON: value expected"],
    ["a lost brace", '{"level": "safe"', "1:17: not valid JSON: close brace expected"],
    [
      "a lost comma",
      '{\r\n  "level": "safe"\r\n  "deny": "none"}',
      "3:3: not valid JSON: comma expected",
    ],
    ["a comma too many", '{"level": "safe",}', "1:18: not valid JSON: property name expected"],
    ["a comment", '{\n// why\n"level": "safe"}', "2:1: not valid JSON: invalid comment token"],
    ["a lost quote", '{"level": "safe\n}', "1:11: not valid JSON: unexpected end of string"],
    ["something after it", "{} x", "1:4: not valid JSON: invalid symbol"],
  ];
  for (const [what, text, message] of bad) {
    it(what, async () => {
      await refused(loadConfig(project({ [FILE]: text })), `${FILE}:${message}`);
    });
  }

  it("the same in package.json, by its place there", async () => {
    const wrong = project({
      "package.json": '{\n  "headstart": {"levle": "safe"}\n}',
      "a/x.ts": "",
    });
    const message = 'package.json:2:17: unknown key "levle"; did you mean "level"?';
    await refused(loadConfig(wrong), message);
    await refused(loadConfig(join(wrong, "a")), join("..", message));
    const odd = project({ "package.json": '{"headstart": true}' });
    await refused(loadConfig(odd), 'package.json:1:15: "headstart" must be an object, not true');
    const broken = project({ "package.json": '{"headstart": {}' });
    await refused(loadConfig(broken), "package.json:1:17: not valid JSON: close brace expected");
  });

  it("a root that is not there", async () => {
    await refused(
      loadConfig(project({ [FILE]: '{"root":"nowhere"}' })),
      `${FILE}: the folder "nowhere", named as "root", does not exist; correct it`,
    );
  });

  it("two in one folder", async () => {
    const root = project({ [FILE]: "{}", "package.json": '{"headstart":{}}' });
    await refused(
      loadConfig(root),
      `both ${FILE} and the key "headstart" in package.json configure headstart; keep one of them`,
    );
  });

  it("a given file that cannot be read", async () => {
    const root = project({ "package.json": "{}" });
    await refused(loadConfig(root, "x.json"), "the config file x.json does not exist");
    await refused(loadConfig(root, ".git"), "cannot read .git: it is a folder");
    await refused(loadConfig(root, "package.json"), 'package.json has no key "headstart"');
  });
});

describe("the schema", () => {
  const schema = JSON.parse(readFileSync(packageFile("headstart.config.schema.json"), "utf8")) as {
    properties: Record<
      string,
      {
        enum?: string[];
        additionalProperties?: { enum?: string[] };
        description: string;
        default?: unknown;
      }
    >;
  };

  it("has the values that the arguments have", () => {
    assert.deepEqual(schema.properties["level"]?.enum, [...LEVELS]);
    assert.deepEqual(schema.properties["deny"]?.enum, [...DENY_LEVELS]);
    assert.deepEqual(schema.properties["errors"]?.enum, [...ERROR_MODES]);
    assert.deepEqual(schema.properties["logs"]?.enum, [...LOG_MODES]);
    assert.deepEqual(schema.properties["assume"]?.additionalProperties?.enum, [...ANSWERS]);
  });

  it("describes every key", () => {
    for (const { description } of Object.values(schema.properties))
      assert.match(description, /\.$/);
  });
});

async function refused(run: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(run, (error) => {
    assert.ok(error instanceof HeadstartError);
    assert.equal(error.message, message);
    assert.equal(error.exitCode, 2);
    return true;
  });
}
