/** How far a verification is. */
export interface Progress {
  /** Something begins that takes so many runs. */
  phase(name: string, runs: number): void;
  /** A run has ended that took so long, in ms; one that was read from the journal took none. */
  ran(ms: number): void;
  /** Something worth knowing at once. */
  note(text: string): void;
  /** Nothing more is to come. */
  end(): void;
}

/** The part of a terminal that is needed here. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASE = "\r\u001B[2K";
const INTERVAL_MS = 200;
/** How often a line is printed where there is no terminal. */
const PLAIN_EVERY_MS = 15_000;

/** Shows progress: one line that changes on a terminal, else a line now and then. */
export class ScreenProgress implements Progress {
  readonly #screen: Screen;
  readonly #timer: NodeJS.Timeout | undefined;
  #name = "";
  #done = 0;
  #runs = 0;
  #took: number[] = [];
  #started = 0;
  #printed = 0;
  #shown = "";

  constructor(screen: Screen) {
    this.#screen = screen;
    if (screen.isTTY === true) {
      this.#timer = setInterval(() => {
        this.#draw();
      }, INTERVAL_MS);
      this.#timer.unref();
    }
  }

  phase(name: string, runs: number): void {
    [this.#name, this.#runs, this.#done, this.#took] = [name, runs, 0, []];
    this.#started = performance.now();
    if (this.#timer === undefined) this.#line(`${name} (${runs} ${runs === 1 ? "run" : "runs"})`);
    else this.#draw();
  }

  ran(ms: number): void {
    this.#done++;
    this.#took.push(ms);
    this.#started = performance.now();
    if (this.#timer === undefined && performance.now() - this.#printed > PLAIN_EVERY_MS) {
      this.#line(this.#text());
    }
  }

  note(text: string): void {
    if (this.#shown !== "") this.#screen.write(ERASE);
    this.#shown = "";
    this.#line(text);
  }

  end(): void {
    clearInterval(this.#timer);
    if (this.#shown !== "") this.#screen.write(ERASE);
    this.#shown = "";
  }

  #line(text: string): void {
    this.#printed = performance.now();
    this.#screen.write(`headstart: ${text}\n`);
  }

  #draw(): void {
    if (this.#name === "") return;
    const line = `headstart: ${this.#text()}`.slice(0, (this.#screen.columns ?? 80) - 1);
    if (line !== this.#shown) this.#screen.write(ERASE + line);
    this.#shown = line;
  }

  #text(): string {
    const run = performance.now() - this.#started;
    const left = timeLeft(this.#took, this.#runs - this.#done, run);
    return `${this.#name} ${Math.min(this.#done + 1, this.#runs)}/${this.#runs}${left}`;
  }
}

/**
 * `, 3 min left`, from what the runs so far took; nothing before the first.
 *
 * @param run How long the current run has taken, in ms.
 */
export function timeLeft(took: readonly number[], runs: number, run: number): string {
  // The first one fills caches.
  const usual = took.length > 1 ? took.slice(1) : took;
  if (usual.length === 0) return "";
  const mean = usual.reduce((sum, ms) => sum + ms, 0) / usual.length;
  const seconds = Math.max(0, mean * runs - run) / 1000;
  if (seconds < 1) return "";
  return seconds < 90
    ? `, ${Math.round(seconds)} s left`
    : `, ${Math.round(seconds / 60)} min left`;
}
