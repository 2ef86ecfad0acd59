import {
  type Context,
  context,
  type ContextManager,
  createContextKey,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

import { safely } from "./wrap.js";

/** An await that is under way, with that whose call it is a part of. */
export interface Frame {
  /** The number of the await, among all of the project. */
  readonly id: number;
  readonly outer: Frame | undefined;
  /** When its call began, in ms. */
  readonly start: number;
  /** When it had its result. */
  end?: number;
  /** Whether something was started in its call after that. */
  isLate?: boolean;
  /** The awaits that have begun in its call. */
  inner?: Set<number>;
  /** Whether there are more of them. */
  isFull?: boolean;
}

/** What is only there while awaits are told apart. */
export interface Part {
  begin(): void;
  end(): void;
}

/** Ends what {@link Frames.enter} has begun. */
export interface Entered {
  dispose(): void;
}

/** Milliseconds, whatever the program puts in the place of its clock. */
export const now = performance.now.bind(performance);

const KEY = createContextKey("headstart await");
/** Instrumentations leave alone what has no span around it: what is done for no await. */
const OF_AWAITS = trace.setSpanContext(ROOT_CONTEXT, {
  spanId: "1".repeat(16),
  traceFlags: TraceFlags.SAMPLED,
  traceId: "1".repeat(32),
});

/**
 * Which await something runs for. It stands in OpenTelemetry's context, which instrumentations of drivers carry along where
 * a pool of connections would lose it. (The bundle has an API of its own: that of the program is another one.)
 */
export class Frames {
  private readonly contexts = new Contexts();
  private readonly parts: Part[] = [];

  constructor() {
    context.setGlobalContextManager(this.contexts);
  }

  /** Whether awaits are told apart; what begins while they are not is nobody's. */
  get isOn(): boolean {
    return this.contexts.isOn;
  }

  set isOn(value: boolean) {
    if (value === this.contexts.isOn) return;
    if (value) this.contexts.enable();
    else this.contexts.disable();
    safely(() => {
      for (const part of this.parts) {
        if (value) part.begin();
        else part.end();
      }
    });
  }

  /** Has something be there while awaits are told apart. */
  whileOn(part: Part): void {
    this.parts.push(part);
    if (this.isOn) part.begin();
  }

  /** The await whose call runs here: whatever starts now is its. */
  current(): Frame | undefined {
    // Asked wherever anything is watched: it costs nothing while there is nothing to say.
    return this.isOn ? frameOf(this.contexts.active()) : undefined;
  }

  /** What is called until the result is disposed of is part of an await. */
  enter(frame: Frame): Entered {
    return this.contexts.attach(OF_AWAITS.setValue(KEY, frame));
  }
}

/** Contexts that can be switched off: following them costs a part of all that a server does. */
class Contexts implements ContextManager {
  isOn = true;
  private readonly manager = new AsyncLocalStorageContextManager().enable();

  active(): Context {
    return this.isOn ? this.manager.active() : ROOT_CONTEXT;
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    given: Context,
    call: F,
    self?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    if (this.isOn) return this.manager.with(given, call, self, ...args);
    return Reflect.apply<ThisParameterType<F> | undefined, A, ReturnType<F>>(call, self, args);
  }

  bind<T>(given: Context, target: T): T {
    return this.isOn ? this.manager.bind(given, target) : target;
  }

  attach(given: Context): Entered {
    const attached = this.manager.attach(given);
    return {
      dispose: () => {
        // It would switch on the following of contexts.
        if (this.isOn) attached.dispose();
      },
    };
  }

  enable(): this {
    this.isOn = true;
    this.manager.enable();
    return this;
  }

  disable(): this {
    this.isOn = false;
    this.manager.disable();
    return this;
  }
}

/** The await that a context is of. */
export function frameOf(of: Context): Frame | undefined {
  return of.getValue(KEY) as Frame | undefined;
}
