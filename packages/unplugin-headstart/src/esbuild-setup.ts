import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";

import type { Loader, PluginBuild, PartialMessage } from "esbuild";
import type { SyntaxProblem } from "headstart";

import { nameOf, SCRIPT } from "./modules.js";
import { type Transformer, warningOf } from "./transformer.js";

/** The languages of esbuild that are scripts, by extension; `loader` may say otherwise. */
const LOADERS: Readonly<Record<string, Loader>> = {
  ".js": "js",
  ".cjs": "js",
  ".mjs": "js",
  ".jsx": "jsx",
  ".ts": "ts",
  ".cts": "ts",
  ".mts": "ts",
  ".tsx": "tsx",
};

const SCRIPTS: readonly (Loader | undefined)[] = ["js", "jsx", "ts", "tsx", "default"];

/**
 * The plugin for esbuild. unplugin's own adapter hands every file that it has looked at to esbuild
 * as text and forgets the option `loader`; here only what was optimised goes that way.
 */
export function setupEsbuild(
  build: PluginBuild,
  transformer: Transformer,
  isIncluded: (path: string) => boolean,
): void {
  const { sourcemap = false, loader: loaders = {} } = build.initialOptions;
  build.onLoad({ filter: SCRIPT, namespace: "file" }, async ({ path, with: attributes }) => {
    const extension = extname(path);
    const loader = loaders[extension] ?? LOADERS[extension];
    const isScript = SCRIPTS.includes(loader) && Object.keys(attributes).length === 0;
    if (!isScript || !isIncluded(path)) return undefined;
    const code = await readFile(path, "utf8");
    const outcome = await transformer.transform(code, path, nameOf(path), sourcemap !== false);
    if (outcome.kind === "same") return undefined;
    if (outcome.kind === "problem") return { warnings: [message(outcome.problem, code)] };
    const { map } = outcome;
    const comment = map === null ? "" : inline({ ...map, sources: [basename(path)] });
    return { contents: outcome.code + comment, loader: loader ?? "default" };
  });
}

function inline(map: object): string {
  const data = Buffer.from(JSON.stringify(map)).toString("base64");
  return `\n//# sourceMappingURL=data:application/json;base64,${data}`;
}

/** A warning in the form of esbuild, whose columns count bytes from zero. */
function message(problem: SyntaxProblem, code: string): PartialMessage {
  const { file, line } = problem;
  const lineText = code.split("\n", line)[line - 1] ?? "";
  const column = Buffer.byteLength(lineText.slice(0, problem.column - 1));
  return { text: warningOf(problem), location: { file, line, column, lineText } };
}
