const { CATALOG_URL, PRICES_URL, REVIEWS_URL } = process.env;

/**
 * Asks a service.
 *
 * @param {string} url
 * @returns {Promise<any>}
 */
async function getJson(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** @param {string} id */
export function getProduct(id) {
  return getJson(`${CATALOG_URL}/products/${id}`);
}

/** @param {string} category */
export function getCategory(category) {
  return getJson(`${CATALOG_URL}/categories/${category}`);
}

/** @param {string} id */
export function getPrice(id) {
  return getJson(`${PRICES_URL}/prices/${id}`);
}

/** @param {string} id */
export function getReviews(id) {
  return getJson(`${REVIEWS_URL}/reviews/${id}`);
}
