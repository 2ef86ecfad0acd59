import type { VerifyResult } from "./result.js";

/**
 * Reads what `JSON.stringify` wrote of one result or of several.
 *
 * @param file for errors
 * @throws {Error} that names the file, if it is no JSON or of another version
 */
export function parseResults(text: string, file: string): VerifyResult[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: is no JSON (${String(error)})`, { cause: error });
  }
  const results: unknown[] = Array.isArray(value) ? value : [value];
  if (results.length === 0) throw new Error(`${file}: holds no result`);
  for (const result of results) {
    const version = typeof result === "object" && result !== null && "version" in result;
    if (!version || result.version !== 1) {
      throw new Error(`${file}: is no result of this version of headstart verify; run it again`);
    }
  }
  return results as VerifyResult[];
}
