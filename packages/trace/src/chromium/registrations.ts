import type { Registration } from "./continuations.js";
import { isMicrotask, isRecurring } from "./slice-kinds.js";

/** The registrations of one thread that may still run. */
export class Registrations {
  private readonly byFlow = new Map<number, Registration>();
  private readonly byName = new Map<string, Registration>();
  private count = 0;

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
