#!/usr/bin/env node
import pg from "pg";

import { createStorefront } from "../src/server.js";

const NEEDED = ["CATALOG_URL", "PRICES_URL", "REVIEWS_URL", "DATABASE_URL"];
const missing = NEEDED.filter((name) => process.env[name] === undefined);
if (missing.length > 0) {
  console.error(`storefront: set ${missing.join(", ")} in the environment`);
  process.exit(2);
}

const { DATABASE_URL, PORT = "8080" } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL });
createStorefront(pool).listen(Number(PORT), "127.0.0.1", () => {
  console.log(`storefront listens on http://127.0.0.1:${PORT}`);
});
