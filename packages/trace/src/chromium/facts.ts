import type { Cause, Listener, Place, Registration } from "./continuations.js";
import type { Links } from "./links.js";
import type { Profile } from "./profile.js";
import { WORKER_STARTS } from "./thread-follower.js";

/** What is known of a registration when all has been read. */
export interface RegistrationFacts {
  /** What runs it, if its own type says nothing. */
  type: string;
  /** Where it stands, or what it runs. */
  place: Place | undefined;
}

/** What the first look at a thread finds out: what the second has to know of a registration before it runs. */
export class Facts implements Listener {
  /** The profile of the thread, in the topology pass. */
  profile: Profile | undefined;
  /** The address of the first script. */
  address = "";
  /** Continuations that have begun. */
  begun = 0;
  /** When the first one began, in nanoseconds. */
  first = Infinity;
  /** What each unclear microtask has registered first; of clear ones, nothing is to be found out. */
  private readonly unclear: (number | undefined)[] = [];
  /** What runs: the place in `unclear`, or -1. */
  private readonly stack: number[] = [];
  private readonly known = new Map<number, RegistrationFacts>();
  /** Where registrations stand, by what a stack says. */
  private readonly places = new Map<number, Place>();
  /** The sample and the time of each registration. */
  private readonly samples: number[] = [];
  private readonly times: number[] = [];
  /** Registrations that the host has run without a call into JavaScript so far. */
  private readonly registrations = new Map<number, Registration>();

  constructor(
    private readonly thread: number,
    private readonly links: Links,
  ) {}

  register(registration: Registration, time: number, sample = 0, place?: Place): void {
    const { ordinal, microtask } = registration;
    this.samples[ordinal] = sample;
    this.times[ordinal] = time;
    if (place !== undefined) this.places.set(ordinal, place);
    if (!microtask) this.registrations.set(ordinal, registration);
    const running = this.stack.at(-1) ?? -1;
    if (running >= 0) this.unclear[running] ??= ordinal;
  }

  cancel(): void {
    // The second look writes that.
  }

  send(key: number): void {
    this.links.sent(key, this.thread);
  }

  pass(key: number, of: number): void {
    this.links.passedOn(key, of);
  }

  arrive(key: number, task: number): void {
    this.links.arrived(key, task);
  }

  copy(key: number, time: number, port: string): void {
    this.links.sent(key, this.thread);
    this.links.ports.copied(key, this.thread, time, port);
  }

  drop(key: number): void {
    this.links.ports.dropped(key);
  }

  wake(key: number, task: number): void {
    this.links.ports.woke(key, task);
  }

  accept(key: number, task: number, time: number): void {
    this.links.ports.accepts(key, task, time);
  }

  receivedBy(key: number, port: string): void {
    this.links.ports.receivedBy(key, port);
  }

  port(what: string, port: string, other: string): void {
    this.links.ports.told(what, port, other);
  }

  read(key: number, task: number): void {
    this.links.ports.read(key, task);
  }

  accepted(key: number, time: number): void {
    this.links.ports.accepted(key, time);
  }

  startWorker(key: number, address: string, time: number): void {
    this.links.createsWorker(key, this.thread, address, time);
  }

  begin(cause: Cause, time: number, place: Place | undefined): void {
    const { type, registration, keys, unclear = false } = cause;
    this.stack.push(unclear ? this.unclear.push(undefined) - 1 : -1);
    this.begun++;
    this.first = Math.min(this.first, time);
    if (this.address === "" && place !== undefined) this.address = place.file;
    if (registration !== undefined) {
      this.runs(registration, type, place);
    } else if (keys !== undefined) {
      if (this.begun === 1 && keys.includes(WORKER_STARTS)) {
        const others = keys.filter((key) => key !== WORKER_STARTS);
        this.links.startsWorker(-this.thread, this.address, time, others);
      }
      this.links.used(ownKeys(keys, this.thread), this.thread, type, place);
    }
  }

  recall(registration: Registration): void {
    this.runs(registration, registration.type, undefined);
  }

  end(): void {
    this.stack.pop();
  }

  drain(): void {
    // Nothing is to be known of it.
  }

  task(): void {
    // Nothing is to be known of it.
  }

  /** To be called when the whole profile has been read, before any place is asked for. */
  align(): void {
    this.profile?.align(this.samples, this.times);
  }

  /** What is known of the registration with this number; `undefined` if the host has run it without JavaScript. */
  of(registration: Registration): RegistrationFacts | undefined {
    const { ordinal } = registration;
    const known = this.known.get(ordinal);
    if (known === undefined && (this.registrations.get(ordinal)?.runs ?? 0) > 0) return undefined;
    const sample = this.samples[ordinal] ?? 0;
    // A stack says it for certain, a sample nearly always, and what runs says at least something.
    const place = this.places.get(ordinal) ?? this.profile?.placeOf(sample) ?? known?.place;
    return { type: known?.type ?? "", place };
  }

  /** Where the code of the n-th unclear microtask stands, as far as it has registered something. */
  placeOfUnclear(index: number): Place | undefined {
    const ordinal = this.unclear[index];
    if (ordinal === undefined) return undefined;
    return this.profile?.entryOf(this.samples[ordinal] ?? 0);
  }

  private runs({ ordinal }: Registration, type: string, place: Place | undefined): void {
    const facts = this.factsOf(ordinal);
    facts.type ||= type;
    facts.place ??= place;
  }

  private factsOf(ordinal: number): RegistrationFacts {
    let facts = this.known.get(ordinal);
    if (facts === undefined) {
      facts = { type: "", place: undefined };
      this.known.set(ordinal, facts);
    }
    return facts;
  }
}

/** Keys in which the start of a worker is that of this thread. */
export function ownKeys(keys: readonly number[], thread: number): readonly number[] {
  return keys.map((key) => (key === WORKER_STARTS ? -thread : key));
}
