/** Data that was copied, maybe for a message. */
export interface Copy {
  readonly key: number;
  readonly thread: number;
  readonly time: number;
  /** The port that it is sent by; empty if nobody has said so. */
  readonly port: string;
  /** The task that was posted after it, or 0. */
  wake: number;
  isUsed: boolean;
}

/** A message that was handled. */
export interface Receipt {
  readonly key: number;
  readonly task: number;
  /** The port that has it; empty if nobody has said so. */
  port: string;
  /** When its port has looked how many more there are. */
  time: number;
  /** Tasks that were posted then: one for each that is left, as far as there was none before. */
  readonly reads: number[];
}

/** Messages that a port has handled one after the other without a pause. */
export interface Chain {
  readonly head: Receipt;
  /** The message that has woken the port, if one has. */
  readonly waking: Copy | undefined;
  /** What the port has found after each, and whether that was the head. */
  readonly found: readonly { readonly after: Receipt; readonly receipts: readonly Receipt[] }[];
}

/** Joins messages with what they were copied by, in order. */
export type Join = (receipts: readonly Receipt[], copies: readonly Copy[]) => void;
