import { AtomicDeadlockError } from "./errors.js";
import { state, type Task } from "./task.js";

/**
 * Whom a task waits for: those that it joins, those that its blocks contain, and where it is kept out the holder of the block
 * that does it.
 */
function waitsFor(task: Task): Task[] {
  const { blocks, waiters } = state;
  const found = [...task.joins.keys()];
  for (const block of blocks) if (block.holder === task) found.push(...block.contained);
  const innermost = blocks[blocks.length - 1];
  if (innermost !== undefined && waiters.some((it) => it.task === task))
    found.push(innermost.holder);
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

/** A task is kept out, or keeps others out: where that closes cycles of tasks that wait for one another, their joins fail. */
export function closes(task: Task): void {
  let isOpen = true;
  while (isOpen) {
    const ways = waitsFor(task).map((it) => wayTo(it, task));
    const way = ways.find((it) => it !== undefined);
    isOpen = way !== undefined && breaks([task, ...way]);
  }
}

/** Fails the joins of a cycle, those inside of atomic blocks where there are some; whether there were any. */
function breaks(cycle: readonly Task[]): boolean {
  const joins = cycle.flatMap((asker, index) => {
    const joined = cycle[(index + 1) % cycle.length];
    const rejects = joined === undefined ? undefined : asker.joins.get(joined);
    return joined === undefined || rejects === undefined ? [] : [{ asker, index, joined, rejects }];
  });
  const inside = joins.filter(({ asker }) => state.blocks.some((it) => it.holder === asker));
  const failing = inside.length > 0 ? inside : joins;
  for (const { asker, index, joined, rejects } of failing) {
    asker.joins.delete(joined);
    const turned = [...cycle.slice(index), ...cycle.slice(0, index)];
    for (const reject of rejects) reject(deadlock(turned));
  }
  return failing.length > 0;
}
