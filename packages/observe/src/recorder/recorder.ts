import events from "node:events";
import { isPromise } from "node:util/types";

import { recordBoundary } from "./boundary.js";
import { bindCallbacks } from "./callbacks.js";
import { watchFetch } from "./fetch.js";
import { type Entered, type Frame, Frames, now } from "./frames.js";
import { watchHttp } from "./http.js";
import { type Entries, Journal, type Touched } from "./journal.js";
import { followLoading } from "./loading.js";
import { recordDrivers } from "./spans.js";
import { Turns } from "./turns.js";
import { watchUnreported } from "./unreported.js";
import { safely } from "./wrap.js";

/** What instrumented code calls in front of a call that is awaited; what that returns gets what is awaited, and hands it on. Nothing where it is not recorded. */
export type Enter = (id: number) => ((value: unknown) => unknown) | undefined;

/** Under what instrumented code finds it. */
const KEY = Symbol.for("headstart.observe");

/** Whether something records in this process already. */
export function isRecording(): boolean {
  return KEY in globalThis;
}

/** Has instrumented code find what it calls, also where a runner gives tests a global object of their own. */
export function publish(value: Enter): void {
  for (const object of [globalThis, events]) Object.defineProperty(object, KEY, { value });
}

/** What to record, and where to. */
export interface RecorderOptions {
  /** The folder of the program. */
  readonly project: string;
  /** The share of the time in which awaits are recorded that begin then, with all that is awaited in their calls. */
  readonly share: number;
  /** Is told what awaits have done, from time to time. */
  readonly write: (entries: Entries) => void;
}

/** Begins to record what awaits touch. */
export function startRecorder({ project, share, write }: RecorderOptions): Enter {
  const frames = new Frames();
  const journal = new Journal(write);
  const touched: Touched = (frame, operation, since = now()) => {
    journal.touched(frame, operation, since);
  };
  const current = (): Frame | undefined => frames.current();
  watchHttp(current, touched);
  watchFetch(frames, touched);
  const watch = recordBoundary(project, current, touched);
  recordDrivers(frames, touched, (name, exported) => {
    bindCallbacks(name, exported, frames);
    watchUnreported(name, exported, watch);
  });
  followLoading(frames);
  const turns = new Turns(share, frames, journal);
  const begun = (id: number): Begun | undefined => {
    let outer = frames.current();
    for (; outer?.end !== undefined; outer = outer.outer) journal.late(outer);
    if (!turns.isOpen && outer === undefined) return undefined;
    const frame: Frame = { id, outer, start: now() };
    journal.begun(frame);
    const end = (): void => {
      journal.ended(frame, now());
    };
    return { end, entered: frames.enter(frame) };
  };
  return entering(begun, frames);
}

/** What instrumented code calls: whatever fails in here, the program goes on as it would. */
function entering(begin: (id: number) => Begun | undefined, frames: Frames): Enter {
  return (id) => {
    if (!frames.isOn) return undefined;
    const begun = safely(() => begin(id));
    if (begun === undefined) return undefined;
    return (value) => {
      try {
        return followed(value, () => {
          safely(begun.end);
        });
      } finally {
        safely(() => {
          begun.entered.dispose();
        });
      }
    };
  };
}

/** An await whose call has begun. */
interface Begun {
  readonly entered: Entered;
  /** Is told when it is over. */
  readonly end: () => void;
}

const resolved = Promise.resolve.bind(Promise);

/** The same as is awaited, where `ended` is told when that is over. */
function followed(value: unknown, ended: () => void): unknown {
  const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
  // It is asked for once, as by `await`.
  const then = isObject ? (value as { readonly then?: unknown }).then : undefined;
  if (typeof then !== "function") {
    ended();
    return value;
  }
  // What is no promise of the language may begin its work only when it is asked for its result: as part of this await.
  const promise = isPromise(value)
    ? value
    : resolved({ then: (...told: unknown[]) => void Reflect.apply(then, value, told) });
  promise.then(ended, ended);
  return promise;
}
