import { type Context, context, createContextKey } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

/** An await that is under way, with that whose call it is a part of. */
export interface Frame {
  /** The number of the await, among all of the project. */
  readonly id: number;
  readonly outer: Frame | undefined;
  /** When its call began, in ms. */
  readonly start: number;
  /** When it had its result. */
  end?: number;
}

/** Ends what {@link Frames.enter} has begun. */
export interface Entered {
  dispose(): void;
}

/** Milliseconds, whatever the program puts in the place of its clock. */
export const now = performance.now.bind(performance);

const KEY = createContextKey("headstart await");

/**
 * Which await something runs for. It stands in OpenTelemetry's context, which instrumentations of drivers carry along where
 * a pool of connections would lose it.
 */
export class Frames {
  private readonly manager = new AsyncLocalStorageContextManager().enable();

  constructor() {
    context.setGlobalContextManager(this.manager);
  }

  /** The await whose call runs here: whatever starts now is its. */
  current(): Frame | undefined {
    return frameOf(context.active());
  }

  /** What is called until the result is disposed of is part of an await. */
  enter(frame: Frame): Entered {
    return this.manager.attach(context.active().setValue(KEY, frame));
  }
}

/** The await that a context is of. */
export function frameOf(of: Context): Frame | undefined {
  return of.getValue(KEY) as Frame | undefined;
}
