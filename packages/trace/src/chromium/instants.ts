import type { Place } from "./continuations.js";
import type { TrackEvent } from "./decoded-event.js";
import { MARK } from "./helper.js";
import { placeOfData } from "./places.js";
import { keyOf, numberOf, Sort } from "./slice-kinds.js";

/** Who is told what happens between begins and ends. */
export interface InstantListener {
  /** What runs may be the cause of what has this key; at this place, if that is said. */
  sends(key: number, time: number, place?: Place): void;
  /** What runs posts a task. */
  posts(key: number, time: number): void;
  /** What the task does from here on was caused by what has this key. */
  receives(key: number): void;
  /** What is registered next is a timer or a frame that this says more of. */
  announces(timer: Announced): void;
  /** The page's helper says something. */
  mark(mark: Mark, time: number): void;
}

/** What is said of the next registration. */
export interface Announced {
  readonly isInterval: boolean;
  readonly place: Place | undefined;
}

/** What the page's helper says. */
export interface Mark {
  /** `run`, `worker`, `port`, or the type of what is registered. */
  readonly what: string;
  readonly name: string;
  /** The address of a worker's script, or the frame that registers. */
  readonly text: string;
}

type Handler = (listener: InstantListener, event: TrackEvent) => void;

const dataOf = (event: TrackEvent): Record<string, unknown> => {
  const { data } = event.arguments();
  return (data ?? {}) as Record<string, unknown>;
};

const request = ({ requestId }: Record<string, unknown>): number =>
  keyOf(Sort.REQUEST, numberOf(String(requestId)));
/** The innermost place of a stack. */
const placeIn = ({ stackTrace }: Record<string, unknown>): Place | undefined => {
  return Array.isArray(stackTrace) ? placeOfData((stackTrace as unknown[])[0]) : undefined;
};
const socket = (event: TrackEvent): number => {
  return keyOf(Sort.SOCKET, Number(dataOf(event)["identifier"]) + 1);
};
const answers: Handler = (listener, event) => {
  listener.receives(request(dataOf(event)));
};
const arrives: Handler = (listener, event) => {
  listener.receives(socket(event));
};

const announces: Handler = (listener, event) => {
  const data = dataOf(event);
  listener.announces({ isInterval: data["singleShot"] === false, place: placeIn(data) });
};

const posts: Handler = (listener, event) => {
  listener.posts(keyOf(Sort.TASK, event.flows[0] ?? 0), event.time);
};

const HANDLERS: Readonly<Record<string, Handler>> = {
  "SequenceManager PostTask": posts,
  ThreadPool_PostTask: posts,
  "Send mojo message": (listener, event) => {
    listener.sends(keyOf(Sort.RECEIPT, event.flows[0] ?? 0), event.time);
  },
  SchedulePostMessage: (listener, event) => {
    listener.sends(keyOf(Sort.MESSAGE, event.flows[0] ?? 0), event.time);
  },
  TimerInstall: announces,
  RequestAnimationFrame: announces,
  TimeStamp: (listener, event) => {
    const data = dataOf(event);
    const text = String(data["message"] ?? data["name"]);
    if (!text.startsWith(MARK)) return;
    const [what = "", name = "", ...rest] = text.slice(MARK.length).split(" ");
    listener.mark({ what, name, text: rest.join(" ") }, event.time);
  },
  ResourceSendRequest: (listener, event) => {
    const data = dataOf(event);
    listener.sends(request(data), event.time, placeIn(data));
  },
  ResourceReceiveResponse: answers,
  ResourceReceivedData: answers,
  ResourceFinish: answers,
  WebSocketCreate: (listener, event) => {
    listener.sends(socket(event), event.time);
  },
  WebSocketReceiveHandshakeResponse: arrives,
  WebSocketReceive: arrives,
  WebSocketDestroy: arrives,
};

const INSTANTS: ReadonlyMap<string, Handler> = new Map(Object.entries(HANDLERS));

/** Tells the listener of an event without a duration, if that matters. */
export function handleInstant(listener: InstantListener, event: TrackEvent): void {
  INSTANTS.get(event.name)?.(listener, event);
}

/** The number of the sample that belongs to an event, from what is said of that. */
export function sampleOf(data: unknown): number | undefined {
  const sample = (data as Record<string, unknown> | undefined)?.["sampleTraceId"];
  return typeof sample === "number" && sample !== 0 ? sample : undefined;
}
