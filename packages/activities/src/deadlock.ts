import { AtomicDeadlockError } from "./errors.js";
import { state, type Task } from "./task.js";

/** Whom a task waits for: the tasks that it joins, and where it is kept out the holder of the innermost block. */
function waitsFor(task: Task): Task[] {
  const found = [...task.joins.keys()];
  const block = state.blocks[state.blocks.length - 1];
  const outermost = state.blocks[0];
  const isOut = state.waiters.some((it) => it.task === task);
  if (block !== undefined && isOut) found.push(block.holder);
  if (outermost !== undefined && task.stage === "delayed") found.push(outermost.holder);
  return found;
}

/** The way on which `from` waits for `goal`; none where it does not. */
function wayTo(from: Task, goal: Task, seen = new Set<Task>()): Task[] | undefined {
  if (from === goal) return [];
  if (seen.has(from)) return undefined;
  seen.add(from);
  for (const next of waitsFor(from)) {
    const way = wayTo(next, goal, seen);
    if (way !== undefined) return [from, ...way];
  }
  return undefined;
}

function deadlock(cycle: readonly Task[]): AtomicDeadlockError {
  const [first, second] = cycle;
  return new AtomicDeadlockError(
    `Deadlock: ${String(first?.name)} waits for ${String((second ?? first)?.name)} inside an atomic block, and that can only go on when the block has ended:`,
    cycle,
  );
}

/** See {@link Task.join}. */
export function joinable<T>(task: Task<T>): Promise<T> {
  const asker = state.c;
  const isOver = task.stage !== "delayed" && task.stage !== "running";
  if (isOver || asker === state.r) return task.result;
  const way = wayTo(task, asker);
  if (way !== undefined) return Promise.reject(deadlock([asker, ...way]));
  return new Promise<T>((resolve, reject) => {
    const key = task as Task;
    const rejects = asker.joins.get(key) ?? new Set();
    asker.joins.set(key, rejects.add(reject));
    const end = () => {
      rejects.delete(reject);
      if (rejects.size === 0) asker.joins.delete(key);
    };
    task.result.then(
      (value) => {
        end();
        resolve(value);
      },
      (error: unknown) => {
        end();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the body threw
        reject(error);
      },
    );
  });
}

/** A task is kept out: who holds the block may wait for it by now, and is told. */
export function closes(task: Task): void {
  const holder = state.blocks[state.blocks.length - 1]?.holder;
  if (holder === undefined) return;
  for (const [joined, rejects] of holder.joins) {
    const way = wayTo(joined, holder);
    if (!way?.includes(task)) continue;
    for (const reject of [...rejects]) reject(deadlock([holder, ...way]));
  }
}
