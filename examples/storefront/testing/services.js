import { createServer } from "node:http";

const CATALOG = {
  "/products/lamp": { name: "Desk lamp", category: "light" },
  "/products/chair": { name: "Chair", category: "seats" },
  "/products/desk": { name: "Desk", category: "tables" },
  "/categories/light": { title: "Light", products: ["lamp"] },
  "/categories/office": { title: "Office", products: ["chair", "desk", "lamp"] },
  "/categories/empty": { title: "Empty", products: [] },
};
const PRICES = {
  "/prices/lamp": { amount: 4900 },
  "/prices/chair": { amount: 12900 },
  "/prices/desk": { amount: 29900 },
};
const REVIEWS = {
  "/reviews/lamp": [{ stars: 5 }, { stars: 4 }, { stars: 4 }],
  "/reviews/chair": [{ stars: 2 }],
  "/reviews/desk": [],
};

/**
 * Starts the three services that the shop asks, on ports of their own.
 *
 * @returns {Promise<{ urls: import("../src/services.js").Urls; close(): Promise<void> }>}
 */
export async function startServices() {
  const servers = [];
  const urls = [];
  for (const answers of [CATALOG, PRICES, REVIEWS]) {
    const server = createServer((request, response) => {
      const body = answers[request.url ?? ""];
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body ?? {}));
    });
    servers.push(server);
    urls.push(await listen(server));
  }
  const [catalog, prices, reviews] = urls;
  return { urls: { catalog, prices, reviews }, close: () => closeAll(servers) };
}

/**
 * @param {import("node:http").Server} server
 * @returns {Promise<string>}
 */
export function listen(server) {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`));
  });
}

/** @param {import("node:http").Server[]} servers */
export async function closeAll(servers) {
  for (const server of servers) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
