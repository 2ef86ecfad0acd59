// Loads a server with requests over HTTP.
import { createRequire } from "node:module";
import { join } from "node:path";
import { entryFolder } from "./cache.mjs";
import { installNpm } from "./install.mjs";

/**
 * One request of the mix: each connection sends them in turn. A `{id}` in a path or a body becomes
 * a number that is new each time.
 * @typedef {{
 *   path: string,
 *   method?: string,
 *   headers?: Record<string, string>,
 *   body?: unknown,
 * }} Ask
 */

/** So many requests are under way at once. */
const CONNECTIONS = 16;

/** The load generator, in a folder that all servers share. */
async function generator() {
  const folder = entryFolder("load");
  await installNpm(folder, { dependencies: { autocannon: "9.0.0" } });
  return createRequire(join(folder, "package.json"))("autocannon");
}

/** @param {Ask} ask @param {() => number} next */
function asAutocannon({ path, method = "GET", headers = {}, body }, next) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const json = text === undefined ? {} : { "content-type": "application/json" };
  const setupRequest = (/** @type {any} */ request) => {
    const id = String(next());
    return {
      ...request,
      path: path.replaceAll("{id}", id),
      ...(text === undefined ? {} : { body: text.replaceAll("{id}", id) }),
    };
  };
  return { method, path, headers: { ...json, ...headers }, setupRequest };
}

/**
 * Sends the requests again and again; answers that are errors make it fail.
 * @param {number} port @param {number} seconds @param {Ask[]} asks
 */
export async function loadHttp(port, seconds, asks) {
  const autocannon = await generator();
  let last = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    requests: asks.map((ask) => asAutocannon(ask, () => ++last)),
  });
  const { errors, timeouts, non2xx, requests } = result;
  if (errors + timeouts + non2xx > 0 || requests.total === 0) {
    const codes = JSON.stringify(result.statusCodeStats);
    throw new Error(`${errors} errors, ${timeouts} timeouts, answers: ${codes}`);
  }
  return { requests: /** @type {number} */ (requests.total) };
}
