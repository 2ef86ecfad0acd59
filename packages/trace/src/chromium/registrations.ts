import type { Registration } from "./continuations.js";
import { isMicrotask, isRecurring, keyOf, Sort } from "./slice-kinds.js";

/** The registrations of one thread that may still run. */
export class Registrations {
  private readonly byFlow = new Map<number, Registration>();
  private readonly byName = new Map<string, Registration>();
  private count = 0;

  constructor(private readonly thread: number) {}

  /** The key of one; 0 of none. The numbers of arrows are used again, so that they are none. */
  keyOf(registration: Registration | undefined): number {
    if (registration === undefined) return 0;
    return keyOf(Sort.ITEM, this.thread * 2 ** 32 + registration.ordinal);
  }

  /** Adds one that runs by the number of its arrow; a number may be used again. */
  schedule(flow: number, type: string): Registration {
    const registration = this.create(type);
    this.byFlow.set(flow, registration);
    return registration;
  }

  /** Adds one that says itself when it runs. */
  mark(name: string, type: string): Registration {
    const registration = this.create(type);
    this.byName.set(name, registration);
    return registration;
  }

  of(flow: number): Registration | undefined {
    return this.byFlow.get(flow);
  }

  named(name: string): Registration | undefined {
    return this.byName.get(name);
  }

  forget(flow: number): void {
    this.byFlow.delete(flow);
  }

  private create(type: string): Registration {
    const [microtask, recurring] = [isMicrotask(type), isRecurring(type)];
    return { ordinal: this.count++, type, microtask, recurring, runs: 0 };
  }
}
