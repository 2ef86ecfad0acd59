import { keyOf, Sort } from "./slice-kinds.js";

/** Who is told of messages of ports; what is optional, only the first look has to know. */
export interface PortListener {
  /** What runs copies data, maybe for a message of this key; by this port, if that is known. */
  copy(key: number, time: number, port: string): void;
  /** After the copy of this key, that task is posted: maybe since the message wakes its receiver. */
  wake?(key: number, task: number): void;
  /** The copy of this key was for no message of a port. */
  drop?(key: number): void;
  /** In that task, a message is handled, which this key stands for. */
  accept?(key: number, task: number, time: number): void;
  /** The port of this name has it. */
  receivedBy?(key: number, port: string): void;
  /** What the page's helper says of ports: `channel`, `moved` or `closed`, and their names. */
  port?(what: string, port: string, other: string): void;
  /** After that, that task is posted: maybe to handle the next one. */
  read?(key: number, task: number): void;
  /** The task has ended in which that was handled. */
  accepted?(key: number, time: number): void;
}

/**
 * Follows messages of ports (`MessageChannel`, shared workers) in one thread. They have no numbers: `PortMessages` finds
 * out which is which.
 */
export class Ports {
  private count = 0;
  /** The last copy, if nothing has shown so far what for. */
  private copied = 0;
  /** The task that runs, and the last message that it has handled. */
  private task = 0;
  private handled = 0;
  /** The port by which the next message is sent, if anybody has said so. */
  private port = "";

  constructor(
    private readonly thread: number,
    private readonly listener: PortListener,
  ) {}

  /** What runs begins to copy data; returns the key of that. */
  copy(time: number): number {
    const key = this.nextKey();
    this.listener.copy(key, time, this.port);
    this.port = "";
    return key;
  }

  /** The copy of this key is made; others may have been made meanwhile. */
  hasCopied(key: number): void {
    this.copied = key;
  }

  /** Takes what the page's helper says, if that is of ports; returns whether it is. */
  mark(what: string, name: string, other: string): boolean {
    if (what === "received") {
      if (this.handled !== 0) this.listener.receivedBy?.(this.handled, name);
    } else if (what === "channel" || what === "moved" || what === "closed") {
      this.listener.port?.(what, name, other);
    } else if (what === "port") {
      // What could not be sent may have been copied as far as it went.
      if (name === "") this.drop();
      this.port = name;
    } else {
      return false;
    }
    return true;
  }

  /** A task of this key is posted by what runs. */
  post(task: number): void {
    if (this.copied !== 0) this.listener.wake?.(this.copied, task);
    this.copied = 0;
  }

  /** A task of this key is posted while nothing runs. */
  postIdle(task: number): void {
    if (this.handled !== 0) this.listener.read?.(this.handled, task);
  }

  /** The last copy was for something else. */
  drop(): void {
    if (this.copied !== 0) this.listener.drop?.(this.copied);
    this.copied = 0;
  }

  /** The next task is not for the last copy. */
  rest(): void {
    this.copied = 0;
  }

  /** A task begins. */
  begin(task: number): void {
    this.task = task;
    this.handled = 0;
    this.copied = 0;
    this.port = "";
  }

  /** A message is handled; returns its key. */
  handle(time: number): number {
    this.handled = this.nextKey();
    this.listener.accept?.(this.handled, this.task, time);
    return this.handled;
  }

  /** The slice of the message of this key has ended, and all that its port does after that. */
  end(time: number): void {
    if (this.handled !== 0) this.listener.accepted?.(this.handled, time);
    this.handled = 0;
  }

  private nextKey(): number {
    return keyOf(Sort.PORT, this.thread * 2 ** 32 + ++this.count);
  }
}
