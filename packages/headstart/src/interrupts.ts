import { loadAddon } from "./native.js";

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof EXIT_CODES;

const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/**
 * A key press reaches the whole group of processes, and npx hands it on to the command once
 * more. What follows that closely is the same Ctrl-C, not a second one.
 */
const SAME_PRESS_MS = 150;

/** How long what is under way may take to come to its end by itself, after the first interrupt. */
const GRACE_MS = 500;

/** Ends the process at once, whatever its threads do. */
export type Exit = (code: number) => void;

/**
 * Watches for SIGINT and SIGTERM: the first asks to stop, and ends the process if that takes too
 * long; a later one ends it at once.
 */
export class Interrupts {
  /** The exit code the first interrupt asks for. */
  exitCode: number | undefined;

  /** What is still to be done when the process is ended, such as to clear the terminal. */
  lastWish: (() => void) | undefined;

  readonly #controller = new AbortController();
  /** How long what is under way may take to come to its end after the first interrupt, in ms. */
  graceMs = GRACE_MS;

  readonly #exit: Exit;
  #deadline: NodeJS.Timeout | undefined;
  #since = 0;

  /** @param exit How to end the process; by the addon, where nothing else is given. */
  constructor(exit: Exit = exitNow) {
    this.#exit = exit;
    for (const name of SIGNALS) process.on(name, this.receive);
  }

  /** Aborted by the first interrupt. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether there has been an interrupt; other than a property, it may change meanwhile. */
  happened(): boolean {
    return this.exitCode !== undefined;
  }

  /** Takes an interrupt, also one that a terminal in raw mode reported as a key. */
  readonly receive = (name: Signal): void => {
    const now = performance.now();
    if (this.exitCode === undefined) {
      this.exitCode = EXIT_CODES[name];
      this.#since = now;
      this.#controller.abort();
      this.#deadline = setTimeout(() => {
        this.#die(EXIT_CODES[name]);
      }, this.graceMs);
    } else if (now - this.#since > SAME_PRESS_MS) {
      this.#die(EXIT_CODES[name]);
    }
  };

  /** No file is left half written by this: each is replaced whole, or not at all. */
  #die(code: number): void {
    this.lastWish?.();
    this.dispose();
    this.#exit(code);
  }

  /** Gives the signals back to Node: from now on, they end the process. */
  dispose(): void {
    clearTimeout(this.#deadline);
    for (const name of SIGNALS) process.off(name, this.receive);
  }
}

function exitNow(code: number): void {
  try {
    loadAddon().exitNow(code);
  } catch {
    // Without the addon, nothing is at work that this would wait for.
    process.exit(code);
  }
}
