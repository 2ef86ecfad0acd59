#!/usr/bin/env node
import pg from "pg";

import { createStorefront } from "../src/server.js";

const { CATALOG_URL, PRICES_URL, REVIEWS_URL, DATABASE_URL, PORT = "8080" } = process.env;

const missing = Object.entries({ CATALOG_URL, PRICES_URL, REVIEWS_URL, DATABASE_URL })
  .filter(([, value]) => value === undefined)
  .map(([name]) => name);
if (missing.length > 0) {
  console.error(`storefront: set ${missing.join(", ")} in the environment`);
  process.exit(2);
}

const urls = { catalog: CATALOG_URL, prices: PRICES_URL, reviews: REVIEWS_URL };
const pool = new pg.Pool({ connectionString: DATABASE_URL });
createStorefront({ urls, pool }).listen(Number(PORT), "127.0.0.1", () => {
  console.log(`storefront listens on http://127.0.0.1:${PORT}`);
});
