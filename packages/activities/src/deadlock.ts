import { AtomicDeadlockError } from "./errors.js";
import { state, type Task } from "./task.js";

/**
 * Whom a task waits for: those that it joins, those that its blocks contain, and where it is kept out the holder of the block
 * that does it.
 */
function waitsFor(task: Task): Task[] {
  const { blocks } = state;
  const found = Array.from(task.joins, (it) => it.task);
  for (const block of blocks) if (block.holder === task) found.push(...block.contained);
  const innermost = blocks.at(-1);
  if (innermost !== undefined && task.waiting > 0) found.push(innermost.holder);
  if (blocks[0] !== undefined && task.stage === "delayed") found.push(blocks[0].holder);
  return found;
}

/** Whether anybody may wait for a task; else it is on no cycle. */
function isAwaited(task: Task): boolean {
  return task.joined > 0 || task.within !== undefined || isHolder(task);
}

/** The way on which `from` waits for `goal`; none where it does not. */
function wayTo(from: Task, goal: Task): Task[] | undefined {
  const before = new Map<Task, Task | undefined>([[from, undefined]]);
  // What is added meanwhile is gone over, too.
  for (const task of before.keys()) {
    for (const next of waitsFor(task)) if (!before.has(next)) before.set(next, task);
  }
  if (!before.has(goal)) return undefined;
  const way: Task[] = [];
  for (let at = before.get(goal); at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}

function deadlock(cycle: readonly Task[]): AtomicDeadlockError {
  return new AtomicDeadlockError("Deadlock: each of these tasks waits for the next:", cycle);
}

/** See {@link Task.join}. */
export function joinable<T>(task: Task<T>): Promise<T> {
  const asker = state.c;
  const isOver = task.stage !== "delayed" && task.stage !== "running";
  if (isOver || asker === state.r) return task.result;
  const way = isAwaited(asker) ? wayTo(task, asker) : undefined;
  if (way !== undefined) return Promise.reject(deadlock([asker, ...way]));
  return new Promise<T>((resolve, reject) => {
    const join = { task, reject };
    asker.joins.add(join);
    task.joined += 1;
    const end = () => {
      asker.joins.delete(join);
      task.joined -= 1;
    };
    task.result.finally(end).then(resolve, reject);
  });
}

/** A task is kept out, or keeps others out: where that closes cycles of tasks that wait for one another, joins fail. */
export function closes(task: Task): void {
  if (!isAwaited(task)) return;
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
  const of = (asker: Task, at: number) =>
    Array.from(asker.joins, (join) => ({ asker, at, join })).filter(
      (it) => it.join.task === (cycle[at + 1] ?? cycle[0]),
    );
  const joins = cycle.flatMap(of);
  const found = joins.find((it) => isHolder(it.asker)) ?? joins[0];
  if (found === undefined) return false;
  found.asker.joins.delete(found.join);
  found.join.reject(deadlock([...cycle.slice(found.at), ...cycle.slice(0, found.at)]));
  return true;
}

const isHolder = (task: Task): boolean => state.blocks.some((it) => it.holder === task);
