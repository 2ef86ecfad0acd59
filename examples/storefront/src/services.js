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

/**
 * @typedef {object} Urls
 * @property {string} catalog
 * @property {string} prices
 * @property {string} reviews
 */

/**
 * @param {Urls} urls
 * @param {string} id
 */
export function getProduct(urls, id) {
  return getJson(`${urls.catalog}/products/${id}`);
}

/**
 * @param {Urls} urls
 * @param {string} id
 */
export function getPrice(urls, id) {
  return getJson(`${urls.prices}/prices/${id}`);
}

/**
 * @param {Urls} urls
 * @param {string} id
 */
export function getReviews(urls, id) {
  return getJson(`${urls.reviews}/reviews/${id}`);
}

/**
 * @param {Urls} urls
 * @param {string} category
 */
export function getCategory(urls, category) {
  return getJson(`${urls.catalog}/categories/${category}`);
}
