/**
 * How many pieces of a product each warehouse has.
 *
 * @param {import("pg").Pool} pool
 * @param {string} id
 * @returns {Promise<{ warehouse: string; pieces: number }[]>}
 */
export async function readStock(pool, id) {
  const { rows } = await pool.query(
    "SELECT warehouse, pieces FROM stock WHERE product = $1 ORDER BY warehouse",
    [id],
  );
  return rows;
}

/**
 * Products that were bought together with one, the most frequent first.
 *
 * @param {import("pg").Pool} pool
 * @param {string} id
 * @returns {Promise<string[]>}
 */
export async function readBoughtTogether(pool, id) {
  const { rows } = await pool.query(
    "SELECT other FROM bought_together WHERE product = $1 ORDER BY times DESC, other LIMIT 3",
    [id],
  );
  return rows.map((row) => row.other);
}

/**
 * @param {import("pg").Pool} pool
 * @param {string} customer
 * @returns {Promise<{ product: string; pieces: number }[]>}
 */
export async function readBasket(pool, customer) {
  const { rows } = await pool.query(
    "SELECT product, pieces FROM basket WHERE customer = $1 ORDER BY product",
    [customer],
  );
  return rows;
}
