/** The stream cache's six variants, and the compilers that they go through. */
import ts from "typescript";
import { generatorsFromAsync, markAsync } from "./generate-from-async.mjs";
import { perhapsAsync } from "./paper-scheme.mjs";
import { babel, findOptimizer, require, withLibrary } from "./variants.mjs";

/** As the blog orders them; `disk` is what all are compared with. */
export const streams = {
  full: "full async",
  wrapper: "wrapper removed",
  callback: "callback",
  inlined: "inlined",
  peeking: "peeking",
  disk: "disk read",
};

/** What TypeScript writes for ES2015: generators behind its `__awaiter` helper, as in the blog. */
function es2015(source) {
  const options = { target: ts.ScriptTarget.ES2015, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(source, { compilerOptions: options }).outputText;
}

/** @returns {Promise<{id: string, title: string, build: (source: string) => string | Promise<string>}[]>} */
export async function compilers() {
  const optimize = await findOptimizer();
  const product = [
    {
      id: "headstart",
      title: "headstart",
      build: (source) => optimize(markAsync(source)),
    },
    {
      id: "headstart-automatic",
      title: "headstart, no directives",
      build: (source) => optimize(source),
    },
    {
      id: "headstart-es2015",
      title: "headstart, from ES2015",
      build: (source) => optimize(es2015(source)),
    },
  ];
  return [
    { id: "es2015", title: "ES2015 (TypeScript)", build: es2015 },
    { id: "async", title: "async", build: (source) => source },
    {
      id: "paper",
      title: "paper's scheme",
      build: (source) => perhapsAsync(markAsync(source)).code,
    },
    {
      id: "async-to-promises",
      title: "async-to-promises",
      build: (source) => babel(source, require.resolve("babel-plugin-transform-async-to-promises")),
    },
    {
      id: "fast-async",
      title: "fast-async",
      build: (source) => babel(source, require.resolve("fast-async")),
    },
    ...["gensync", "quansync"].map((name) => ({
      id: name,
      title: name,
      build: (source) => withLibrary(name, generatorsFromAsync(source), true),
    })),
    ...(optimize ? product : []),
  ];
}
