// Builds dist/page.js, dist/trace-page.js and dist/waterfalls-page.js: the script and the style of each page as text.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const folder = fileURLToPath(new URL("..", import.meta.url));
const common = { absWorkingDir: folder, bundle: true, minify: true, write: false };
const browsers = ["chrome111", "firefox114", "safari16.4"];

mkdirSync(join(folder, "dist"), { recursive: true });
// Each page has a script and a style of its own, so that none grows for the other.
for (const page of ["page", "trace-page", "waterfalls-page"]) {
  const script = await build({
    ...common,
    entryPoints: [`src/${page}/main.tsx`],
    format: "iife",
    target: browsers,
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
  });
  const style = await build({
    ...common,
    entryPoints: [`src/${page}/style.css`],
    target: browsers,
  });
  writeFileSync(
    join(folder, `dist/${page}.js`),
    [
      `export const script = ${text(script)};`,
      `export const style = ${text(style)};`,
      `export const notices = ${JSON.stringify(notices(Object.keys(script.metafile.inputs)))};\n`,
    ].join("\n"),
  );
}

/** The one file of a build, as it stands in a script. */
function text({ outputFiles: [file] }) {
  return JSON.stringify(file.text.trim());
}

/** The licences of what is bundled, which ask to be passed on: each text once, and whose it is. */
function notices(inputs) {
  const folders = inputs.flatMap(
    (file) => /.*node_modules\/(@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  const texts = new Map();
  for (const name of [...new Set(folders)].sort()) {
    const path = join(folder, name);
    const licence = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
    if (licence === undefined) throw new Error(`${name} is bundled but has no licence file`);
    const lines = readFileSync(join(path, licence), "utf8").trim().split("\n");
    const owner = lines.filter((line) => /^copyright /i.test(line)).join(" ");
    const terms = lines
      .filter((line) => !/^copyright /i.test(line))
      .join("\n")
      .trim();
    texts.set(terms, [
      ...(texts.get(terms) ?? []),
      `${name.replace(/.*node_modules\//, "")}: ${owner}`,
    ]);
  }
  return [...texts].map(([terms, owners]) => `${owners.join("\n")}\n\n${terms}`).join("\n\n\n");
}
