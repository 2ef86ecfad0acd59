// The three services that the shop asks, in a process of their own, as in production. It prints their
// addresses, and ends when whoever started it does.
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
 * What each service needs for an answer, in ms: queries of its own and the way there and back within a
 * data centre. Now and then an answer takes longer than usual, as answers do.
 */
const SERVICES = [
  { name: "CATALOG_URL", answers: CATALOG, usual: 60 },
  { name: "PRICES_URL", answers: PRICES, usual: 45 },
  { name: "REVIEWS_URL", answers: REVIEWS, usual: 80 },
];

/** Exponential around a floor: most answers are near the usual time, a few take much longer. */
function latency(usual) {
  return 0.8 * usual - 0.2 * usual * Math.log(1 - Math.random());
}

const urls = {};
for (const { name, answers, usual } of SERVICES) {
  const server = createServer((request, response) => {
    const body = answers[request.url ?? ""];
    setTimeout(() => {
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body ?? {}));
    }, latency(usual));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  urls[name] = `http://127.0.0.1:${server.address().port}`;
}
process.send(urls);
process.on("disconnect", () => process.exit());
