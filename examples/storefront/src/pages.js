import { getCategory, getPrice, getProduct, getReviews } from "./services.js";
import { readBasket, readBoughtTogether, readStock } from "./stock.js";

/**
 * Everything on the page of one product.
 *
 * @param {import("pg").Pool} pool
 * @param {string} id
 */
export async function productPage(pool, id) {
  const product = await getProduct(id);
  const price = await getPrice(id);
  const reviews = await getReviews(id);
  const stock = await readStock(pool, id);
  const boughtTogether = await readBoughtTogether(pool, id);
  const pieces = stock.reduce((sum, row) => sum + row.pieces, 0);
  return {
    name: product.name,
    category: product.category,
    price: price.amount,
    stars: average(reviews.map((review) => review.stars)),
    reviews: reviews.length,
    available: pieces > 0,
    warehouses: stock.filter((row) => row.pieces > 0).map((row) => row.warehouse),
    boughtTogether,
  };
}

/**
 * The products of a category, with their prices.
 *
 * @param {import("pg").Pool} _pool
 * @param {string} name
 */
export async function categoryPage(_pool, name) {
  const category = await getCategory(name);
  const products = [];
  for (const id of category.products) {
    const product = await getProduct(id);
    const price = await getPrice(id);
    products.push({ id, name: product.name, price: price.amount });
  }
  return { title: category.title, products };
}

/**
 * What a customer has put into the basket, and what it costs.
 *
 * @param {import("pg").Pool} pool
 * @param {string} customer
 */
export async function basketPage(pool, customer) {
  const basket = await readBasket(pool, customer);
  let total = 0;
  const lines = [];
  for (const { product, pieces } of basket) {
    const price = await getPrice(product);
    total += price.amount * pieces;
    lines.push({ product, pieces, amount: price.amount * pieces });
  }
  return { lines, total };
}

/**
 * A number with one digit behind the point, `null` where there is nothing to count.
 *
 * @param {number[]} numbers
 */
function average(numbers) {
  if (numbers.length === 0) return null;
  return Math.round((10 * numbers.reduce((sum, it) => sum + it, 0)) / numbers.length) / 10;
}
