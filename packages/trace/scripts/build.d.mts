/** Writes what recorded processes load into a folder. */
export function buildRecorder(outdir: string): Promise<void>;
