/** A project of real code for `build.mjs`: packages of npm, as if somebody had written them into one. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { OUTPUT, write } from "./workspace.mjs";

/**
 * By package, the folder that is taken: a client for chats in TypeScript, full of async functions, three quarters of the
 * lines, and three libraries in JavaScript that have hardly any.
 */
const PARTS = {
  "matrix-js-sdk@38.4.0": "src",
  "lodash-es@4.17.21": ".",
  "date-fns@4.1.0": ".",
  "rxjs@7.8.2": "dist/esm",
};

const ENTRY = `export * as matrix from "./matrix-js-sdk/matrix.ts";
export * as lodash from "./lodash-es/lodash.js";
export * as dates from "./date-fns/index.js";
export * as rxjs from "./rxjs/index.js";
`;

/** Makes the project where it is not there yet; its folder and what is built of it. */
export function madeProject() {
  const root = path.join(OUTPUT, "build/project");
  const entries = ["src/main.ts"];
  if (existsSync(path.join(root, "src/main.ts"))) return { root, entries };
  const fetched = path.join(OUTPUT, "build/fetched");
  for (const [name, folder] of Object.entries(PARTS)) {
    rmSync(fetched, { recursive: true, force: true });
    mkdirSync(fetched, { recursive: true });
    const options = { cwd: fetched, encoding: "utf8", shell: process.platform === "win32" };
    const tarball = execFileSync("npm", ["pack", "--silent", name], options).trim();
    execFileSync("tar", ["-xzf", tarball], options);
    const to = path.join(root, "src", name.split("@")[0]);
    cpSync(path.join(fetched, "package", folder), to, { recursive: true, filter: isSource });
  }
  write("build/project", "package.json", '{ "private": true }\n');
  write("build/project", "tsconfig.json", '{ "include": ["src"] }\n');
  write("build/project/src", "main.ts", ENTRY);
  return { root, entries };
}

/** What a project would hold; of the languages of date-fns, the one that is used. */
const isSource = (file) =>
  !/\.map$|\.d\.[cm]?ts$|\.cjs$|package\.json$|\.md$|cdn|locale\/(?!_lib|en-US)|locale\.js/.test(
    file,
  );
