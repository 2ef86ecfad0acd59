import { createServer } from "node:http";

import { basketPage, categoryPage, productPage } from "./pages.js";

const ROUTES = [
  { path: /^\/products\/([\w-]+)$/, page: productPage },
  { path: /^\/categories\/([\w-]+)$/, page: categoryPage },
  { path: /^\/baskets\/([\w-]+)$/, page: basketPage },
];

/**
 * The HTTP server of the shop. It answers with JSON: 404 where nothing is known of what is asked for,
 * 502 where a service or the database cannot say.
 *
 * @param {import("pg").Pool} pool
 */
export function createStorefront(pool) {
  return createServer((request, response) => {
    answer(pool, request.url ?? "/").then(({ status, body }) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
  });
}

async function answer(pool, url) {
  for (const { path, page } of ROUTES) {
    const match = path.exec(url);
    if (match === null) continue;
    try {
      return { status: 200, body: await page(pool, match[1]) };
    } catch (error) {
      return { status: 502, body: { error: error.message } };
    }
  }
  return { status: 404, body: { error: "there is no such page" } };
}
