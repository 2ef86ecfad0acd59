import type { Copy } from "./copies.js";
import type { Journal } from "./journal.js";
import type { Lab, Outcome, Trial } from "./lab.js";
import type { Progress } from "./progress.js";
import type { Versions } from "./versions.js";

/** One run that is kept in the journal. */
export interface Step extends Trial {
  /** Names it in the journal. */
  readonly name: string;
  readonly copy: Copy;
  /** The sites that are rewritten, in the rewritten copy; all of them by default. */
  readonly only?: ReadonlySet<number>;
  /** The tests whose results are kept; all of them by default. */
  readonly keep?: ReadonlySet<string>;
}

/** All that the parts of a verification work with. */
export class Session {
  constructor(
    readonly lab: Lab,
    readonly versions: Versions,
    readonly journal: Journal,
    readonly progress: Progress,
  ) {}

  /** Makes the copy what it has to be, and runs it; what is in the journal is not run again. */
  async run(step: Step): Promise<Outcome> {
    const { name, copy, only, keep, files, tests, mode, delayMs, schedule, timeoutMs } = step;
    let took = 0;
    const outcome = await this.journal.step(name, async () => {
      await this.versions.install(copy, mode, only);
      const all = await this.lab.run(copy, {
        ...{ files, tests, mode, delayMs },
        ...(schedule === undefined ? {} : { schedule }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      took = all.ms;
      return keep === undefined
        ? all
        : { ...all, tests: all.tests.filter(({ id }) => keep.has(id)) };
    });
    this.progress.ran(took);
    return outcome;
  }
}
