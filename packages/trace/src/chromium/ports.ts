import { keyOf, Sort } from "./slice-kinds.js";

/**
 * Follows messages of ports (`MessageChannel`, shared workers), which have no numbers. A message wakes its receiver with
 * a task, which has one; those that are sent before that runs are handled in the same task, in their order.
 */
export class Ports {
  /** The key of the task that was posted last for a message, and how many more were sent since. */
  private posted = 0;
  private more = 0;
  /** Whether data has been copied, and nothing has shown so far what for. */
  private isCopied = false;
  /** The key of the task that runs, and how many messages it has handled. */
  private task = 0;
  private handled = 0;

  /** Data is copied; returns the key of what was sent with the last copy, 0 if there is nothing to say of it. */
  copy(): number {
    const key = this.rest();
    this.isCopied = true;
    return key;
  }

  /** A task of this key is posted: for the last copy, if there was one. */
  post(key: number): void {
    if (!this.isCopied) return;
    this.isCopied = false;
    this.posted = key;
    this.more = 0;
  }

  /** The last copy was for something else. */
  drop(): void {
    this.isCopied = false;
  }

  /** What has copied ends; returns as {@link copy}. */
  rest(): number {
    if (!this.isCopied) return 0;
    this.isCopied = false;
    return this.posted === 0 ? 0 : keyOfMessage(this.posted, ++this.more);
  }

  /** A task begins. */
  begin(key: number): void {
    this.task = key;
    this.handled = 0;
  }

  /** A message is handled; returns its key. */
  handle(): number {
    return keyOfMessage(this.task, this.handled++);
  }
}

function keyOfMessage(task: number, count: number): number {
  return count === 0 ? task : keyOf(Sort.PORT, task + count * 0x9e3779b1);
}
