import type { Metafile } from "esbuild";

/** Writes what observed processes load into a folder; returns what esbuild says of its parts. */
export declare function buildObserver(outdir: string): Promise<Metafile>;
