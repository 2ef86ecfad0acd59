import type { Frames } from "./frames.js";
import type { Journal } from "./journal.js";

/** Milliseconds of a turn in which new awaits are recorded. */
const TURN = 500;
/** Milliseconds after that in which those that are under way are followed, and between two looks at that. */
const [MOST_REST, LOOK] = [5000, 20];

/**
 * Turns in which is recorded, so that a server has the cost of it for a share of its time only: to follow what runs for what
 * costs about the same whether little or much is recorded.
 */
export class Turns {
  /** Whether awaits that begin now, in no other, are recorded. */
  isOpen = true;

  constructor(
    private readonly share: number,
    private readonly frames: Pick<Frames, "isOn">,
    private readonly journal: Pick<Journal, "cutOff" | "isActive">,
  ) {
    if (share < 1) this.later(TURN, this.close);
  }

  private readonly open = (): void => {
    this.frames.isOn = true;
    this.isOpen = true;
    this.later(TURN, this.close);
  };

  private readonly close = (): void => {
    this.isOpen = false;
    this.rest(MOST_REST);
  };

  /** Waits for those that are under way, for so many milliseconds at most. */
  private rest(left: number): void {
    if (this.journal.isActive && left > 0) {
      this.later(LOOK, () => {
        this.rest(left - LOOK);
      });
      return;
    }
    this.journal.cutOff();
    this.frames.isOn = false;
    this.later(TURN / this.share - TURN, this.open);
  }

  private later(ms: number, call: () => void): void {
    setTimeout(call, ms).unref();
  }
}
