import type { Readable, Writable } from "node:stream";

/** Parameters and results of commands: which they are stands in the protocol's own documentation. */
export type Json = Record<string, unknown>;

/** An event of the browser: of a session, or of the browser itself. */
export interface CdpEvent {
  readonly method: string;
  readonly params: Json;
  readonly sessionId?: string;
}

/** What arrives: an event, or the answer to a command. */
interface Message extends Partial<CdpEvent> {
  readonly id?: number;
  readonly result?: Json;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly method: string;
  readonly resolve: (result: Json) => void;
  readonly reject: (error: Error) => void;
}

/** A command that the browser refused, or that it can answer no more. The message begins with the command's name. */
export class CdpError extends Error {
  override readonly name = "CdpError";

  /** @param hasEnded whether no command will be answered any more */
  constructor(
    message: string,
    readonly hasEnded = false,
  ) {
    super(message);
  }
}

/**
 * A client of the Chrome DevTools Protocol over a pair of pipes: messages are JSON with NUL after each. Commands that
 * wait when the browser ends fail.
 */
export class Cdp {
  /** Settles when the browser has closed the pipe; never fails. */
  readonly closed: Promise<void>;
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<(event: CdpEvent) => void>();
  private parts: Buffer[] = [];
  private last = 0;
  private isClosed = false;

  /**
   * @param input what the browser reads
   * @param output what it writes
   */
  constructor(
    private readonly input: Writable,
    output: Readable,
  ) {
    output.on("data", (chunk: Buffer) => {
      this.receive(chunk);
    });
    this.closed = new Promise((resolve) => {
      const close = (): void => {
        this.close();
        resolve();
      };
      output.on("close", close).on("end", close).on("error", close);
      input.on("error", close);
    });
  }

  /**
   * Sends a command, to the browser or to one of its sessions.
   *
   * @throws CdpError if it is refused, or the browser ends before it answers
   */
  send(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    if (this.isClosed) return Promise.reject(ended(method));
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve, reject });
      this.input.write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    });
  }

  /** Calls `listener` with every event from now on; returns what ends that. */
  listen(listener: (event: CdpEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private receive(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(0, start);
      if (end < 0) break;
      this.parts.push(chunk.subarray(start, end));
      const text = Buffer.concat(this.parts).toString();
      this.parts = [];
      start = end + 1;
      this.dispatch(JSON.parse(text) as Message);
    }
    if (start < chunk.length) this.parts.push(chunk.subarray(start));
  }

  private dispatch({ id, method, params, sessionId, result, error }: Message): void {
    if (id === undefined) {
      if (method === undefined) return;
      const event = {
        method,
        params: params ?? {},
        ...(sessionId === undefined ? {} : { sessionId }),
      };
      for (const listener of this.listeners) listener(event);
      return;
    }
    const command = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) command?.resolve(result ?? {});
    else command?.reject(new CdpError(`${command.method}: ${error.message}`));
  }

  private close(): void {
    this.isClosed = true;
    for (const { method, reject } of this.waiting.values()) reject(ended(method));
    this.waiting.clear();
  }
}

function ended(method: string): CdpError {
  return new CdpError(`${method}: the browser has ended`, true);
}
