/** Signals that end a process which does not handle them. */
const ENDING = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** What is done before one of them ends the process. */
const wishes: (() => void)[] = [];

/** Has something done before the process ends, by itself or by a signal. A program that handles that itself decides what becomes of it. */
export function beforeEnd(last: () => void): void {
  process.on("exit", last);
  wishes.push(last);
  if (wishes.length > 1) return;
  for (const signal of ENDING) {
    const ended = (): void => {
      for (const wish of wishes) wish();
      // As it would have been without this.
      if (process.listenerCount(signal) > 1) return;
      process.removeListener(signal, ended);
      process.kill(process.pid, signal);
    };
    process.on(signal, ended);
  }
}
