// A request over HTTP, for what an entry has to put into a server before it is loaded.
import { request } from "node:http";

/**
 * Puts a value at an address, as JSON; an answer that is an error makes it fail.
 * @param {string} url @param {unknown} value @returns {Promise<void>}
 */
export function put(url, value) {
  return new Promise((done, failed) => {
    const options = { method: "PUT", headers: { "content-type": "application/json" } };
    const asked = request(url, options, (response) => {
      const { statusCode = 0 } = response;
      response.resume();
      if (statusCode < 400) done();
      else failed(new Error(`PUT ${url}: ${statusCode}`));
    });
    asked.on("error", failed).end(JSON.stringify(value));
  });
}
