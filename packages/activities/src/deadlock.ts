import { AtomicDeadlockError } from "./errors.js";
import { state, type Task } from "./task.js";

/**
 * Whom a task waits for: those that it joins, those that its blocks contain, and where it is kept out the holder of the block
 * that does it.
 */
function waitsFor(task: Task): Task[] {
  const { blocks } = state;
  const found = [...task.joins.keys()];
  for (const block of blocks) if (block.holder === task) found.push(...block.contained);
  const innermost = blocks.at(-1);
  if (innermost !== undefined && task.waiting > 0) found.push(innermost.holder);
  if (blocks[0] !== undefined && task.stage === "delayed") found.push(blocks[0].holder);
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
  return new AtomicDeadlockError("Deadlock: each of these tasks waits for the next:", cycle);
}

/** See {@link Task.join}. */
export function joinable<T>(task: Task<T>): Promise<T> {
  const asker = state.c;
  const isOver = task.stage !== "delayed" && task.stage !== "running";
  if (isOver || asker === state.r) return task.result;
  const way = wayTo(task, asker);
  if (way !== undefined) return Promise.reject(deadlock([asker, ...way]));
  return new Promise<T>((resolve, reject) => {
    const rejects = asker.joins.get(task) ?? new Set();
    asker.joins.set(task, rejects.add(reject));
    const end = () => {
      rejects.delete(reject);
      if (rejects.size === 0) asker.joins.delete(task);
    };
    task.result.finally(end).then(resolve, reject);
  });
}

/** A task is kept out, or keeps others out: where that closes cycles of tasks that wait for one another, joins fail. */
export function closes(task: Task): void {
  let way: Task[] | undefined;
  do
    way = waitsFor(task).reduce<Task[] | undefined>(
      (found, it) => found ?? wayTo(it, task),
      undefined,
    );
  while (way !== undefined && breaks([task, ...way]));
}

/** Fails a join of a cycle, one inside of an atomic block where there is one; whether there was any. */
function breaks(cycle: readonly Task[]): boolean {
  const turns = cycle.map((_, at) => [...cycle.slice(at), ...cycle.slice(0, at)]);
  const joins = turns.filter(([asker, joined = asker]) => joined && asker?.joins.has(joined));
  const isHolder = (task?: Task) => state.blocks.some((it) => it.holder === task);
  const failing = joins.find(([asker]) => isHolder(asker)) ?? joins[0];
  const [asker, joined = asker] = failing ?? [];
  if (failing === undefined || asker === undefined || joined === undefined) return false;
  const rejects = asker.joins.get(joined) ?? [];
  asker.joins.delete(joined);
  for (const reject of rejects) reject(deadlock(failing));
  return true;
}
