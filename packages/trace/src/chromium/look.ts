import type { TrackEvent } from "./decoded-event.js";
import { Phase } from "./decoded-event.js";
import { Facts } from "./facts.js";
import { Links } from "./links.js";
import { readPackets } from "./packet-file.js";
import type { Pass } from "./pass.js";
import { Profile } from "./profile.js";
import { keyOf, Sort } from "./slice-kinds.js";
import { ThreadFollower } from "./thread-follower.js";
import { type Thread, TrackEvents, type TrackListener } from "./track-events.js";

/** Threads that run scripts of pages. */
const SCRIPTED = /^CrRendererMain$|Worker thread$|Worklet/;
/** Threads that draw: each frame is caused by the last, and so it would link all to all. */
const DRAWING = /Compositor|Viz|Gpu/;
/** Pages of the browser itself, those that say that one cannot be shown, and what extends it. */
const OWN = /^(?:chrome|chrome-[a-z]+|devtools):/;

/** What is known of a thread that runs scripts. */
export interface KnownThread {
  readonly thread: Thread;
  readonly facts: Facts;
  /** The address of its last page; empty if it is none's, as with workers. */
  readonly address: string;
  /** Places where events are missing. */
  readonly lost: number;
}

/** What passes things on in the browser's own processes, when it begins, and what they pass on. */
const PASSING: ReadonlyMap<string, number> = new Map([
  ["Receive mojo message", Sort.RECEIPT],
  ["Receive mojo reply", Sort.RECEIPT],
  ["Send mojo message", Sort.RECEIPT],
  ["ThreadControllerImpl::RunTask", Sort.TASK],
  ["ThreadPool_RunTask", Sort.TASK],
  ["SequenceManager PostTask", Sort.TASK],
  ["ThreadPool_PostTask", Sort.TASK],
]);

interface Known extends KnownThread {
  readonly follower: ThreadFollower;
  address: string;
  lost: number;
}

/** Whether scripts may run in a thread. */
export function isScripted({ name }: Thread): boolean {
  return SCRIPTED.test(name);
}

/**
 * The first look at a recording: what is known of registrations only after they have run. Returns the threads of the
 * page by their sequences.
 *
 * @throws Error if the file cannot be read
 */
export async function look(
  raw: string,
  pass: Pass,
): Promise<{ links: Links; threads: Map<number, KnownThread> }> {
  const looker = new Looker(pass);
  await readPackets(raw, (packet) => {
    looker.events.packet(packet);
  });
  looker.links.join();
  for (const { facts } of looker.threads.values()) facts.align();
  const ofPage = [...looker.threads].filter(([, { facts, address }]) => {
    const own = address || facts.address;
    return facts.begun > 0 && own !== "" && !OWN.test(own);
  });
  return { links: looker.links, threads: new Map(ofPage) };
}

class Looker implements TrackListener {
  readonly events = new TrackEvents(this);
  readonly links = new Links();
  readonly threads = new Map<number, Known>();
  private readonly profiles = new Map<string, Profile>();
  /** What slices of other threads receive, innermost last. */
  private readonly passing = new Map<number, number[]>();

  constructor(private readonly pass: Pass) {}

  event(thread: Thread, event: TrackEvent): void {
    if (event.name === "Profile" || event.name === "ProfileChunk") {
      this.profile(thread, event);
    } else if (isScripted(thread)) {
      const known = this.known(thread);
      known.address = addressOf(event) ?? known.address;
      known.follower.event(event);
    } else {
      this.passOn(thread, event);
    }
  }

  lost(thread: Thread): void {
    const known = this.threads.get(thread.sequence);
    if (known === undefined) return;
    known.lost++;
    known.follower.lost(0);
  }

  private known(thread: Thread): Known {
    let known = this.threads.get(thread.sequence);
    if (known === undefined) {
      const facts = new Facts(thread.sequence, this.links);
      const follower = new ThreadFollower(this.pass, thread.sequence, facts);
      known = { thread, facts, follower, address: "", lost: 0 };
      this.threads.set(thread.sequence, known);
    }
    return known;
  }

  /** Profiles begin in the thread that they are of; a thread of their own has the rest. */
  private profile(thread: Thread, event: TrackEvent): void {
    const key = `${thread.pid}:${event.id}`;
    const profile = this.profiles.get(key) ?? new Profile();
    this.profiles.set(key, profile);
    if (event.name === "ProfileChunk") {
      profile.chunk(event.arguments());
    } else {
      profile.begin(event.arguments());
      if (isScripted(thread)) this.known(thread).facts.profile = profile;
    }
  }

  /** Follows messages and tasks through threads that run no scripts. */
  private passOn({ sequence, name }: Thread, event: TrackEvent): void {
    if (DRAWING.test(name)) return;
    let stack = this.passing.get(sequence);
    if (stack === undefined) this.passing.set(sequence, (stack = []));
    const around = stack.at(-1) ?? 0;
    const sort = PASSING.get(event.name);
    const key = sort === undefined ? 0 : keyOf(sort, event.flows[0] ?? event.ends[0] ?? 0);
    if (event.phase === Phase.BEGIN) stack.push(key || around);
    else if (event.phase === Phase.END) stack.pop();
    else if (key !== 0 && around !== 0 && around !== key) this.links.passedOn(key, around);
  }
}

/** The address of the page that a thread shows from here on. */
function addressOf(event: TrackEvent): string | undefined {
  if (event.name !== "CommitLoad") return undefined;
  const { data } = event.arguments();
  const { isOutermostMainFrame, url } = (data ?? {}) as Record<string, unknown>;
  if (isOutermostMainFrame !== true || typeof url !== "string") return undefined;
  return url === "" || OWN.test(url) ? undefined : url;
}
