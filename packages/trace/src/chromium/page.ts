import { setTimeout as sleep } from "node:timers/promises";

import { type Cdp, CdpError, type Json } from "./cdp.js";
import { type Key, keyOfName, parseKeys } from "./keys.js";

/** How long is waited for an element or a page if nothing else is said, in milliseconds. */
const TIMEOUT = 30_000;
/** How often an element is looked for, in milliseconds. */
const INTERVAL = 50;

/** A point of the window, in CSS pixels. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The domains of one page. */
class Session {
  constructor(
    readonly cdp: Cdp,
    readonly id: string,
  ) {}

  send(method: string, params: Json = {}): Promise<Json> {
    return this.cdp.send(method, params, this.id);
  }
}

/** The mouse of a page: real events, as of a person's. */
export class Mouse {
  private at: Point = { x: 0, y: 0 };

  constructor(private readonly session: Session) {}

  async move(x: number, y: number): Promise<void> {
    this.at = { x, y };
    await this.dispatch({ type: "mouseMoved" });
  }

  async down(): Promise<void> {
    await this.dispatch({ type: "mousePressed", button: "left", buttons: 1, clickCount: 1 });
  }

  async up(): Promise<void> {
    await this.dispatch({ type: "mouseReleased", button: "left", clickCount: 1 });
  }

  async wheel(deltaX: number, deltaY: number): Promise<void> {
    await this.dispatch({ type: "mouseWheel", deltaX, deltaY });
  }

  private async dispatch(params: Json): Promise<void> {
    await this.session.send("Input.dispatchMouseEvent", { ...this.at, ...params });
  }
}

/** The keyboard of a page. */
export class Keyboard {
  constructor(private readonly session: Session) {}

  /** Writes a text, one key after the other. */
  async type(text: string): Promise<void> {
    for (const character of text) {
      const name = character === "\n" ? "Enter" : character;
      const key = /^[ -~]$/.test(name) || name === "Enter" ? keyOfName(name) : undefined;
      if (key === undefined) await this.session.send("Input.insertText", { text: character });
      else await this.stroke(key, 0);
    }
  }

  /**
   * Presses and lets go of a key by its name, such as `Enter`, `a` or `Control+A`.
   *
   * @throws Error if there is no such key
   */
  async press(name: string): Promise<void> {
    const { key, modifiers } = parseKeys(name);
    await this.stroke(key, modifiers);
  }

  private async stroke({ key, code, number, text }: Key, modifiers: number): Promise<void> {
    const common = { key, code, modifiers, windowsVirtualKeyCode: number };
    // With any modifier but Shift, a key writes nothing.
    const isWriting = text !== undefined && (modifiers & ~8) === 0;
    await this.session.send("Input.dispatchKeyEvent", {
      ...common,
      type: isWriting ? "keyDown" : "rawKeyDown",
      ...(isWriting ? { text } : {}),
    });
    await this.session.send("Input.dispatchKeyEvent", { ...common, type: "keyUp" });
  }
}

/**
 * What a script drives a page with: a part of what Playwright's pages have, under the same names. Elements are looked
 * for without scripts, which would be part of what is recorded.
 */
export class Page {
  readonly mouse: Mouse;
  readonly keyboard: Keyboard;
  private readonly session: Session;

  constructor(cdp: Cdp, sessionId: string) {
    this.session = new Session(cdp, sessionId);
    this.mouse = new Mouse(this.session);
    this.keyboard = new Keyboard(this.session);
  }

  /**
   * Opens an address, and waits until it has loaded.
   *
   * @throws Error if it cannot be loaded
   */
  async goto(url: string, { timeout = TIMEOUT }: { timeout?: number } = {}): Promise<void> {
    const { cdp, id } = this.session;
    await this.session.send("Page.enable");
    let stop: (() => void) | undefined;
    const loaded = new Promise<true>((resolve) => {
      stop = cdp.listen(({ method, sessionId }) => {
        if (method === "Page.loadEventFired" && sessionId === id) resolve(true);
      });
    });
    const late = new AbortController();
    try {
      const { errorText, loaderId } = await this.session.send("Page.navigate", { url });
      if (typeof errorText === "string") throw new Error(`${url} cannot be opened: ${errorText}`);
      // Another hash of the same document: nothing is loaded.
      if (loaderId === undefined) return;
      const wait = sleep(timeout, false, { signal: late.signal, ref: false }).catch(() => false);
      const isLoaded = await Promise.race([loaded, cdp.closed.then(() => true), wait]);
      if (!isLoaded) throw new Error(`${url} has not loaded within ${timeout / 1000} s`);
    } finally {
      late.abort();
      stop?.();
    }
  }

  /**
   * Waits until there is such an element, and it shows.
   *
   * @throws Error if there is none in time
   */
  async waitForSelector(selector: string, options: { timeout?: number } = {}): Promise<void> {
    await this.find(selector, options.timeout ?? TIMEOUT);
  }

  /**
   * Clicks into the middle of an element, as soon as it is there.
   *
   * @throws Error if there is none in time
   */
  async click(selector: string, options: { timeout?: number } = {}): Promise<void> {
    const { x, y } = await this.find(selector, options.timeout ?? TIMEOUT);
    await this.mouse.move(x, y);
    await this.mouse.down();
    await this.mouse.up();
  }

  /**
   * Evaluates an expression in the page, or calls a function there with values that JSON can tell, and returns what it,
   * or its promise, comes to. The function sees nothing of what stands around it in the script.
   *
   * @throws Error if it throws
   */
  async evaluate(
    code: string | ((...values: never[]) => unknown),
    ...values: unknown[]
  ): Promise<unknown> {
    const expression = typeof code === "string" ? code : callOf(code, values);
    const params = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.session.send("Runtime.evaluate", params);
    if (exceptionDetails !== undefined) {
      const { exception, text } = exceptionDetails as {
        exception?: { description?: string };
        text?: string;
      };
      throw new Error(exception?.description ?? text ?? "the page has thrown something");
    }
    return (result as Json)["value"];
  }

  /** Waits for so many milliseconds. */
  async waitForTimeout(milliseconds: number): Promise<void> {
    await sleep(milliseconds);
  }

  /** The middle of an element that shows, scrolled into view. */
  private async find(selector: string, timeout: number): Promise<Point> {
    const deadline = performance.now() + timeout;
    for (;;) {
      const point = await this.look(selector);
      if (point !== undefined) return point;
      if (performance.now() > deadline) {
        throw new Error(`no element shows for ${selector} within ${timeout / 1000} s`);
      }
      await sleep(INTERVAL);
    }
  }

  private async look(selector: string): Promise<Point | undefined> {
    try {
      const { root } = await this.session.send("DOM.getDocument", { depth: 0 });
      const params = { nodeId: (root as { nodeId: number }).nodeId, selector };
      const { nodeId } = await this.session.send("DOM.querySelector", params);
      if (nodeId === 0) return undefined;
      await this.session.send("DOM.scrollIntoViewIfNeeded", { nodeId });
      const { quads } = await this.session.send("DOM.getContentQuads", { nodeId });
      const [quad] = quads as number[][];
      if (quad === undefined) return undefined;
      const middle = (from: number): number =>
        quad.filter((_, at) => at % 2 === from).reduce((sum, value) => sum + value / 4, 0);
      return { x: middle(0), y: middle(1) };
    } catch (error) {
      // The element has gone meanwhile, or does not show; a browser that has ended stays so.
      if (!(error instanceof CdpError) || error.hasEnded) throw error;
      if (/not a valid selector|DOM Error/i.test(error.message)) {
        throw new Error(`${selector} is not a valid selector`, { cause: error });
      }
      return undefined;
    }
  }
}

/** An expression that calls a function with these values. */
function callOf(code: (...values: never[]) => unknown, values: readonly unknown[]): string {
  const text = String(code);
  const isExpression = /^(async\b\s*)?(function\b|\(|[\w$]+\s*=>)/.test(text);
  // A method stands without the word.
  const whole = isExpression ? text : text.replace(/^(async\s+)?/, "$1function ");
  const given = values.map((value) => (JSON.stringify(value) as string | undefined) ?? "undefined");
  return `(${whole})(${given.join(", ")})`;
}
