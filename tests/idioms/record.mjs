// What a server has been asked, in the order in which it saw it, and when it answered.

/** Longer than any machine takes to send a second request that does not wait for the first. */
const SLOW_MS = 90;
const QUICK_MS = 30;

/**
 * @typedef {object} Request
 * @property {string} text the query, or method and address
 * @property {number} delay milliseconds for which its answer is held back
 * @property {number} seen a place in the order of all that happened
 * @property {number} answered such a place; infinite until the first byte of the answer is let through
 */

/** The requests of one run. The first one is answered late, so that a second error would overtake it. */
export class Recorder {
  #clock = 0;
  #slow = "";
  /** @type {Request[]} */
  requests = [];

  /** @param {string} slow a part of the text of the request that is answered late */
  restart(slow) {
    this.#slow = slow;
    this.requests = [];
  }

  /** @param {string} text @returns {Request} */
  see(text) {
    const isSlow =
      text.includes(this.#slow) && !this.requests.some(({ delay }) => delay === SLOW_MS);
    const delay = isSlow ? SLOW_MS : QUICK_MS;
    const request = { text, delay, seen: ++this.#clock, answered: Infinity };
    this.requests.push(request);
    return request;
  }

  /** @param {Request} request */
  answer(request) {
    if (request.answered === Infinity) request.answered = ++this.#clock;
  }
}

/**
 * Whether the second request was sent without an answer to the first; undefined without such requests.
 *
 * @param {Request[]} requests @param {string} first @param {string} second parts of their texts
 */
export function overlap(requests, first, second) {
  const a = requests.find(({ text }) => text.includes(first));
  const b = requests.find((request) => request !== a && request.text.includes(second));
  return a && b ? b.seen < a.answered : undefined;
}
