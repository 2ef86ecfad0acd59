const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

type Signal = keyof typeof EXIT_CODES;

const SIGNALS = Object.keys(EXIT_CODES) as Signal[];

/**
 * A key press reaches the whole group of processes, and npx hands it on to the command once
 * more. What follows that closely is the same Ctrl-C, not a second one.
 */
const SAME_PRESS_MS = 150;

/** Watches for SIGINT and SIGTERM: the first asks to stop, a later one ends the process. */
export class Interrupts {
  /** The exit code the first interrupt asks for. */
  exitCode: number | undefined;

  /** What a second interrupt still has to do, such as to clear the terminal. */
  lastWish: (() => void) | undefined;

  readonly #controller = new AbortController();
  #since = 0;

  constructor() {
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
    } else if (now - this.#since > SAME_PRESS_MS) {
      this.#die(name);
    }
  };

  /**
   * Dies of the signal itself. `process.exit` would wait for the threads that are at work,
   * which is what somebody who presses Ctrl-C twice has had enough of.
   */
  #die(name: Signal): void {
    this.lastWish?.();
    this.dispose();
    process.kill(process.pid, name);
    process.exit(EXIT_CODES[name]);
  }

  /** Gives the signals back to Node. */
  dispose(): void {
    for (const name of SIGNALS) process.off(name, this.receive);
  }
}
