import { mayBeOptimizable } from "headstart";

import { pathOf } from "./modules.js";

/** What webpack's compiler and that of Rspack have in common, as far as it is used here. */
export interface PackCompiler {
  readonly context: string;
  readonly watchMode: boolean;
  readonly options: {
    readonly mode?: unknown;
    readonly module: { readonly rules: readonly unknown[] };
  };
}

/** A rule that asks a function which loaders a module gets. */
interface AskingRule {
  readonly use: unknown;
  readonly enforce: unknown;
  test?: RegExp;
}

/**
 * Has only modules of some paths ask the rule of the plugin, the last that was put there: webpack and Rspack cross over
 * to JavaScript for each that does.
 */
export function narrowRule({ options }: PackCompiler, enforce: string, paths: RegExp): void {
  const rule = options.module.rules[0] as Partial<AskingRule> | null | undefined;
  if (rule?.enforce === enforce && typeof rule.use === "function") rule.test = paths;
}

/** What the bundler says of the build. */
export class Build {
  /** The folder that the program stands below; `null` where modules come one by one, when somebody asks. */
  root: string | null = process.cwd();
  /** Vite alone says beforehand whether there will be a source map. */
  sourceMap = true;
  /** That of webpack or Rspack. */
  compiler: PackCompiler | null = null;

  /** Whether this is development, and modules stay as they are; `dev`: whether they do not, even so. */
  isIdle(dev: boolean): boolean {
    const { watchMode, options } = this.compiler ?? {};
    return !dev && watchMode === true && options?.mode === "development";
  }

  /**
   * Whether the text of a module may be one to optimise, as far as can be told before it is loaded. To hand one to a
   * loader takes webpack and Rspack ten times as long as to look into its file; the others look by themselves.
   */
  mayBeOptimizable(id: string): boolean {
    // A watcher keeps the loaders of a module, whose text may change.
    if (this.compiler === null || this.compiler.watchMode) return true;
    const path = pathOf(id);
    // The id of a part of a file has more; what that becomes is not in the text.
    return path !== id || mayBeOptimizable(path);
  }
}
