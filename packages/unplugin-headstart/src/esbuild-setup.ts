import { readFileSync } from "node:fs";
import { dirname, extname } from "node:path";

import type { Loader, OnLoadArgs, PartialMessage, Plugin } from "esbuild";
import { mapInFolder, mayBeOptimizable } from "headstart";
import type { Optimized, SyntaxProblem } from "headstart";

import { SCRIPT, shown } from "./modules.js";
import { chosen, type Options } from "./options.js";
import { warningOf } from "./transformer.js";

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
export function esbuildPlugin(options: Options = {}): Plugin {
  const { transformer, isIncluded } = chosen(options);
  return {
    name: "headstart",
    setup(build) {
      const { sourcemap = false, loader: loaders = {}, absWorkingDir } = build.initialOptions;
      const loaderOf = ({ path, with: attributes }: OnLoadArgs) => {
        const extension = extname(path);
        const loader = loaders[extension] ?? LOADERS[extension];
        return SCRIPTS.includes(loader) && Object.keys(attributes).length === 0
          ? loader
          : undefined;
      };
      build.onStart(() => {
        transformer.begin(absWorkingDir ?? process.cwd());
      });
      build.onLoad({ filter: SCRIPT, namespace: "file" }, async (args) => {
        const { path } = args;
        const loader = loaderOf(args);
        if (loader === undefined || !isIncluded(path) || !mayBeOptimizable(path)) return undefined;
        // Several times as fast as reading it later, and this process has nothing else to do.
        const code = readFileSync(path, "utf8");
        const outcome = await transformer.transform(code, path, sourcemap !== false);
        const warnings: PartialMessage[] = outcome.warnings.map((text) => ({ text }));
        if (outcome.kind === "problem") warnings.push(message(outcome.problem, code));
        if (outcome.kind === "changed")
          return { contents: withMap(outcome.result, code, path), loader, warnings };
        return warnings.length > 0 ? { warnings } : undefined;
      });
    },
  };
}

/** What a file has become, with its source map where there is one. */
function withMap(result: Optimized, text: string, file: string): string {
  const { code, mapText } = result;
  if (mapText === null) return code;
  const json = text.includes("sourceMappingURL=") ? composed(result, text, file) : mapText;
  const data = Buffer.from(json).toString("base64");
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${data}`;
}

/** The map to what the file was made of, where that says so: esbuild looks at the last comment only. */
function composed({ map }: Optimized, text: string, file: string): string {
  return JSON.stringify(map && mapInFolder(map, { text, file, folder: dirname(file) }));
}

/** A warning in the form of esbuild, whose columns count bytes from zero. */
function message(problem: SyntaxProblem, code: string): PartialMessage {
  const { line } = problem;
  const lineText = code.split("\n", line)[line - 1] ?? "";
  const column = Buffer.byteLength(lineText.slice(0, problem.column - 1));
  return {
    text: warningOf(problem),
    location: { file: shown(problem.file), line, column, lineText },
  };
}
