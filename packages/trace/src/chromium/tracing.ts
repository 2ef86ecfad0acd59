import { open } from "node:fs/promises";

import type { Cdp } from "./cdp.js";
import { categoriesOf, type Pass } from "./pass.js";
import { traceConfig } from "./trace-config.js";

/** The most that the browser keeps of events, in KiB. */
const BUFFER = 512 * 1024;
/** The share of it after which recording ends. */
const FULL = 0.95;
/** Bytes that are read at once. */
const BLOCK = 1 << 20;

/** A recording that runs. */
export interface Tracing {
  /** Settles when there is no room for more events. */
  readonly full: Promise<void>;
  /**
   * Ends it, and writes what was recorded to a file in Perfetto's format. Returns whether events were lost.
   *
   * @throws CdpError if the browser has ended, Error if the file cannot be written
   */
  stop(file: string): Promise<boolean>;
}

/**
 * Lets the browser record what all its processes do.
 *
 * @throws CdpError if it refuses
 */
export async function startTracing(cdp: Cdp, pass: Pass): Promise<Tracing> {
  const completed = new Promise<Record<string, unknown>>((resolve) => {
    cdp.listen(({ method, params }) => {
      if (method === "Tracing.tracingComplete") resolve(params);
    });
  });
  const full = new Promise<void>((resolve) => {
    cdp.listen(({ method, params }) => {
      if (method !== "Tracing.bufferUsage") return;
      if (Number(params["percentFull"] ?? params["value"]) > FULL) resolve();
    });
  });
  await cdp.send("Tracing.start", {
    perfettoConfig: traceConfig(categoriesOf(pass), BUFFER),
    bufferUsageReportingInterval: 500,
    transferMode: "ReturnAsStream",
    streamFormat: "proto",
  });
  const stop = async (file: string): Promise<boolean> => {
    await cdp.send("Tracing.end");
    const ended = cdp.closed.then(() => undefined);
    const result = await Promise.race([completed, ended]);
    // The next command says why.
    await copy(cdp, String(result?.["stream"]), file);
    return result?.["dataLossOccurred"] === true;
  };
  return { full, stop };
}

/** Writes a stream of the browser to a file. */
async function copy(cdp: Cdp, handle: string, path: string): Promise<void> {
  const file = await open(path, "w");
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await cdp.send("IO.read", { handle, size: BLOCK });
      const bytes = Buffer.from(String(data), base64Encoded === true ? "base64" : "utf8");
      await file.write(bytes);
      if (eof === true) break;
    }
    await cdp.send("IO.close", { handle });
  } finally {
    await file.close();
  }
}
