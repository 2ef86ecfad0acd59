import { createInterface } from "node:readline/promises";

import type { Interrupts } from "./interrupts.js";
import type { Finding } from "./types.js";

/** Shows a prompt and waits for a line; `undefined` when there will be no more. */
export type Ask = (prompt: string) => Promise<string | undefined>;

/**
 * Shows the findings one by one and asks which to apply.
 *
 * @returns the ids of those accepted; `q` and the end of the input leave out the rest.
 */
export async function chooseFindings(
  findings: readonly Finding[],
  ask: Ask,
  show: (text: string) => Promise<void>,
): Promise<string[]> {
  const accepted: string[] = [];
  const wholeFiles = new Set<string>();
  for (const [index, finding] of findings.entries()) {
    if (!wholeFiles.has(finding.file)) {
      await show(`${(finding.rendered ?? finding.message).trimEnd()}\n\n`);
      const answer = await askAbout(`(${index + 1}/${findings.length})`, ask);
      await show("\n");
      if (answer === "q") break;
      if (answer === "n") continue;
      if (answer === "a") wholeFiles.add(finding.file);
    }
    accepted.push(finding.id);
  }
  return accepted;
}

const ANSWERS: Readonly<Record<string, Answer>> = {
  y: "y",
  yes: "y",
  n: "n",
  no: "n",
  a: "a",
  all: "a",
  q: "q",
  quit: "q",
};

type Answer = "y" | "n" | "a" | "q";

async function askAbout(place: string, ask: Ask): Promise<Answer> {
  for (;;) {
    const line = await ask(`${place} Apply? [y]es [n]o [a]ll of this file [q]uit `);
    if (line === undefined) return "q";
    const answer = ANSWERS[line.trim().toLowerCase()];
    if (answer !== undefined) return answer;
  }
}

/** Questions on the terminal, which an interrupt ends. */
export class Terminal {
  readonly #lines = createInterface({ input: process.stdin, output: process.stdout });
  readonly #closed: Promise<undefined>;
  readonly #signal: AbortSignal;

  constructor(interrupts: Interrupts) {
    this.#signal = interrupts.signal;
    // The terminal is in raw mode here: Ctrl-C is a key and raises no signal.
    this.#lines.on("SIGINT", () => {
      interrupts.receive("SIGINT");
    });
    // A question left open when the input ends (Ctrl-D) would never be answered.
    this.#closed = new Promise((done) => {
      this.#lines.once("close", () => {
        done(undefined);
      });
    });
  }

  readonly ask: Ask = async (prompt) => {
    if (this.#signal.aborted) return undefined;
    const answer = this.#lines.question(prompt, { signal: this.#signal });
    return Promise.race([answer.catch(() => undefined), this.#closed]);
  };

  close(): void {
    this.#lines.close();
  }
}
