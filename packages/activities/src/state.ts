import type { Block, Waiter } from "./gate.js";
import type { Task } from "./task.js";

/**
 * What all copies of this package in a process share (the one for `import`, the one for `require`): compiled code
 * reads the short names after every `await`, which is why they are fields of one object and not functions.
 */
export interface State {
  /** The task that runs now. */
  c: Task;
  /** The task of all code that belongs to no other. */
  readonly r: Task;
  /** How many reasons there are to look closer after an `await`: open blocks, and tasks to be cancelled. */
  f: number;
  /** The open blocks, the outermost first. Whom the last one lets in may run. */
  readonly blocks: Block[];
  /** Who waits at the gate, in order. */
  readonly waiters: Waiter[];
  /** Where those begin who have not been let in. */
  first: number;
  /** How many of them pass every gate, and wait to open a block. */
  freeWaiting: number;
  /** How many have been let in and have not resumed yet: nobody may open a block by then. */
  arriving: number;
  /** How many tasks there have been. */
  tasks: number;
  /** Is told of problems that nobody waits for. */
  tell: (problem: Error) => void;
}

const KEY = Symbol.for("headstart.activities.1");
const shared = globalThis as unknown as Record<symbol, State | undefined>;

/** The state of this process, made by whichever copy comes first. */
export function stateOf(makeRoot: () => Task): State {
  let state = shared[KEY];
  if (state === undefined) {
    const root = makeRoot();
    const tell = (problem: Error) => {
      console.warn(problem);
    };
    state = {
      c: root,
      r: root,
      f: 0,
      blocks: [],
      waiters: [],
      first: 0,
      freeWaiting: 0,
      arriving: 0,
      tasks: 0,
      tell,
    };
    shared[KEY] = state;
  }
  return state;
}
