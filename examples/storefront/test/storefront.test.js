import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";

import { startShop } from "../testing/shop.js";

const { DATABASE_URL } = process.env;
const skip =
  DATABASE_URL === undefined
    ? "no PostgreSQL: scripts/with-postgres.sh starts one, or set DATABASE_URL"
    : false;

describe("storefront", { skip }, () => {
  let shop;

  before(async () => {
    shop = await startShop();
    // The first answer of a server is its slowest: what is connected and compiled then, is so from there on.
    await get("/products/lamp");
  });

  after(() => shop.close());

  const get = async (path) => {
    const response = await fetch(shop.url + path);
    return { status: response.status, body: await response.json() };
  };

  it("puts the page of a product together", async () => {
    assert.deepEqual(await get("/products/lamp"), {
      status: 200,
      body: {
        name: "Desk lamp",
        category: "light",
        price: 4900,
        stars: 4.3,
        reviews: 3,
        available: true,
        warehouses: ["Bremen"],
        boughtTogether: ["chair", "desk", "rug"],
      },
    });
  });

  it("knows a product that is sold out and was never reviewed", async () => {
    const { body } = await get("/products/desk");
    assert.equal(body.available, false);
    assert.equal(body.stars, null);
    assert.deepEqual(body.boughtTogether, ["chair", "lamp", "rug"]);
  });

  it("says which service does not know a product", async () => {
    const { status, body } = await get("/products/unicorn");
    assert.equal(status, 502);
    assert.match(body.error, /\/unicorn answered 404$/);
  });

  it("lists a category in its order", async () => {
    const { body } = await get("/categories/office");
    assert.deepEqual(body, {
      title: "Office",
      products: [
        { id: "chair", name: "Chair", price: 12900 },
        { id: "desk", name: "Desk", price: 29900 },
        { id: "lamp", name: "Desk lamp", price: 4900 },
      ],
    });
  });

  it("lists an empty category", async () => {
    assert.deepEqual((await get("/categories/empty")).body, { title: "Empty", products: [] });
  });

  it("adds a basket up", async () => {
    const { body } = await get("/baskets/ada");
    assert.equal(body.total, 2 * 4900 + 12900);
    assert.deepEqual(
      body.lines.map(({ product }) => product),
      ["chair", "lamp"],
    );
  });

  it("has no other pages", async () => {
    assert.equal((await get("/")).status, 404);
  });
});
