import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import pg from "pg";

/**
 * Starts the shop, with the services that it asks in a process of their own, and the database that
 * DATABASE_URL names.
 *
 * @returns {Promise<{ url: string; close(): Promise<void> }>}
 */
export async function startShop() {
  const services = fork(fileURLToPath(new URL("services.js", import.meta.url)), { execArgv: [] });
  const [urls] = await once(services, "message");
  // The shop reads where its services are when it is loaded.
  Object.assign(process.env, urls);
  const { createStorefront } = await import("../src/server.js");
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
  const server = createStorefront(pool);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await pool.end();
      services.disconnect();
    },
  };
}
