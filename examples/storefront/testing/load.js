// Visits the shop for some seconds, as its customers do, four at a time.
import { startShop } from "./shop.js";
import { provider } from "./telemetry.js";

const PATHS = ["/products/lamp", "/products/chair", "/categories/office", "/baskets/ada"];
const SECONDS = Number(process.env.LOAD_SECONDS ?? 5);

const shop = await startShop();
const end = Date.now() + 1000 * SECONDS;
let visits = 0;
const customer = async () => {
  while (Date.now() < end) {
    const path = PATHS[visits++ % PATHS.length];
    await (await fetch(shop.url + path)).text();
  }
};
await Promise.all([customer(), customer(), customer(), customer()]);
await provider.forceFlush();
await shop.close();
console.log(`${visits} visits in ${SECONDS} s`);
