// What a user does, said with the few functions of a page that the corpus relies on.

/**
 * The part of Playwright's Page that an entry may use.
 * @typedef {{
 *   goto(url: string): Promise<unknown>,
 *   waitForSelector(selector: string, options?: { timeout?: number }): Promise<unknown>,
 *   click(selector: string): Promise<unknown>,
 *   keyboard: { type(text: string): Promise<unknown>, press(key: string): Promise<unknown> },
 *   mouse: {
 *     move(x: number, y: number): Promise<unknown>,
 *     down(): Promise<unknown>,
 *     up(): Promise<unknown>,
 *     wheel(dx: number, dy: number): Promise<unknown>,
 *   },
 *   evaluate(expression: string): Promise<any>,
 *   waitForTimeout(ms: number): Promise<unknown>,
 * }} Page
 * @typedef {{ x: number, y: number }} Point
 */

/**
 * Waits until an expression is true in the page: how an entry checks that the application reacted.
 * @param {Page} page @param {string} expression @param {string} what @param {number} [seconds]
 */
export async function until(page, expression, what, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  while (!(await page.evaluate(`Boolean(${expression})`))) {
    if (Date.now() > end) throw new Error(`the page does not show: ${what}`);
    await page.waitForTimeout(200);
  }
}

/** Types word by word, as a person does. @param {Page} page @param {string} text */
export async function typeWords(page, text) {
  for (const word of text.split(/(?<= )/)) {
    await page.keyboard.type(word);
    await page.waitForTimeout(150);
  }
}

/** Presses a key again and again. @param {Page} page @param {string} key @param {number} times */
export async function pressTimes(page, key, times) {
  for (let i = 0; i < times; i++) {
    await page.keyboard.press(key);
    await page.waitForTimeout(120);
  }
}

/**
 * A point inside what a selector finds, by default its middle.
 * @param {Page} page @param {string} selector @param {number} [right] @param {number} [down]
 * @returns {Promise<Point>}
 */
export async function pointOf(page, selector, right = 0.5, down = 0.5) {
  await page.waitForSelector(selector, { timeout: 20_000 });
  const quoted = JSON.stringify(selector);
  const box = await page.evaluate(
    `(({ x, y, width, height }) => ({ x, y, width, height }))` +
      `(document.querySelector(${quoted}).getBoundingClientRect())`,
  );
  return { x: box.x + box.width * right, y: box.y + box.height * down };
}

/** @param {Page} page @param {Point} point */
export async function clickAt(page, { x, y }) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForTimeout(100);
}

/**
 * Drags through the points in small steps.
 * @param {Page} page @param {Point[]} points
 */
export async function drag(page, points) {
  const [start, ...rest] = points;
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  let from = start;
  for (const to of rest) {
    for (let i = 1; i <= 8; i++) {
      const part = i / 8;
      await page.mouse.move(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part);
      await page.waitForTimeout(20);
    }
    from = to;
  }
  await page.mouse.up();
  await page.waitForTimeout(100);
}

/** Turns the wheel in steps over a point. @param {Page} page @param {Point} at @param {number} dy @param {number} times */
export async function scroll(page, at, dy, times) {
  await page.mouse.move(at.x, at.y);
  for (let i = 0; i < times; i++) {
    await page.mouse.wheel(0, dy);
    await page.waitForTimeout(120);
  }
}
