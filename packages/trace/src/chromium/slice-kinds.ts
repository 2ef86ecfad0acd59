import type { TrackEvent } from "./decoded-event.js";
import type { Pass } from "./pass.js";

/** What a stretch of time of a thread is, as far as it matters here. */
export const Slice = {
  /** Nothing of the following. */
  OTHER: 0,
  /** The host calls JavaScript. */
  ENTRY: 1,
  /** A microtask checkpoint. */
  CHECKPOINT: 2,
  /** Something runs that was registered, by the number of its arrow. */
  RUN: 3,
  /** A task of the event loop. */
  TASK: 4,
  /** A message of another window, worker or port is handled. */
  MESSAGE: 5,
  /** A message of a port is handled, which has no number. */
  PORT: 6,
  /** A message of another process, or of this one, is handled. */
  RECEIPT: 7,
  /** Says what an entry inside is for. */
  CONTEXT: 8,
  /** Data is copied, to be sent. */
  COPY: 9,
  /** Something is registered. */
  SCHEDULED: 10,
  /** What was registered runs no more. */
  CANCELED: 11,
} as const;

const SLICES: Readonly<Record<string, number>> = {
  FunctionCall: Slice.ENTRY,
  EvaluateScript: Slice.ENTRY,
  "v8.evaluateModule": Slice.ENTRY,
  RunMicrotasks: Slice.CHECKPOINT,
  "ThreadControllerImpl::RunTask": Slice.TASK,
  HandlePostMessage: Slice.MESSAGE,
  "MessagePort::Accept": Slice.PORT,
  "Receive mojo message": Slice.RECEIPT,
  "Receive mojo reply": Slice.RECEIPT,
  EventDispatch: Slice.CONTEXT,
  TimerFire: Slice.CONTEXT,
  FireAnimationFrame: Slice.CONTEXT,
  FireIdleCallback: Slice.CONTEXT,
  XHRReadyStateChange: Slice.CONTEXT,
  XHRLoad: Slice.CONTEXT,
  "SerializedScriptValueFactory::create": Slice.COPY,
};

/** The kinds of slices by their names: who follows registrations is V8's debugger in one pass, Blink in the other. */
export const SLICE_KINDS: Readonly<Record<Pass, ReadonlyMap<string, number>>> = {
  timing: new Map(
    Object.entries({
      ...SLICES,
      "AsyncTask Scheduled": Slice.SCHEDULED,
      "AsyncTask Run": Slice.RUN,
    }),
  ),
  topology: new Map(
    Object.entries({
      ...SLICES,
      "v8::Debugger::AsyncTaskScheduled": Slice.SCHEDULED,
      "v8::Debugger::AsyncTaskRun": Slice.RUN,
      "v8::Debugger::AsyncTaskCanceled": Slice.CANCELED,
    }),
  ),
};

/** What an entry inside these is, in the trace; an event goes by its own type. */
const CONTEXT_TYPES: Readonly<Record<string, string>> = {
  TimerFire: "setTimeout",
  FireAnimationFrame: "requestAnimationFrame",
  FireIdleCallback: "requestIdleCallback",
  XHRReadyStateChange: "XMLHttpRequest",
  XHRLoad: "XMLHttpRequest",
  HandlePostMessage: "message",
  "MessagePort::Accept": "message",
  EvaluateScript: "script",
  "v8.evaluateModule": "script",
};

/** The type of an entry inside a slice, empty if that says nothing of it. */
export function contextType(kind: number, event: TrackEvent): string {
  if (kind === Slice.OTHER || event.name === "FunctionCall") return "";
  if (event.name !== "EventDispatch") return CONTEXT_TYPES[event.name] ?? "";
  const { data } = event.arguments();
  const type = (data as Record<string, unknown> | undefined)?.["type"];
  return typeof type === "string" ? type : "event";
}

/** The types whose names differ from those that Chromium gives them. */
const TYPES: Readonly<Record<string, string>> = {
  "XMLHttpRequest.send": "XMLHttpRequest",
  attributes: "MutationObserver",
  childList: "MutationObserver",
  characterData: "MutationObserver",
  postMessage: "message",
  PendingScript: "script",
  Image: "load",
};

/** The type of a registration by the name that Chromium has for it. */
export function typeOf(name: string): string {
  return TYPES[name] ?? name;
}

const MICROTASKS: ReadonlySet<string> = new Set(["await", "MutationObserver", "queueMicrotask"]);

/** Whether that runs in a microtask checkpoint. */
export function isMicrotask(type: string): boolean {
  return MICROTASKS.has(type) || type.startsWith("Promise.");
}

const RECURRING: ReadonlySet<string> = new Set([
  ...["setInterval", "XMLHttpRequest", "WebSocket", "MutationObserver", "ResizeObserver"],
  ...["IntersectionObserver", "PerformanceObserver", "ReportingObserver"],
]);

/** Whether that may run more than once by what it is. */
export function isRecurring(type: string): boolean {
  return RECURRING.has(type);
}

/** What a number of an arrow is the number of: no two sorts share their numbers. */
export const Sort = {
  TASK: 0,
  MESSAGE: 1,
  PORT: 2,
  RECEIPT: 3,
  SOCKET: 4,
  REQUEST: 5,
  WORKER: 6,
  /** A registration, of one thread. */
  ITEM: 7,
} as const;

/** A key for a number of a sort, of which 49 bits count. */
export function keyOf(sort: number, number: number): number {
  return (number % 2 ** 49) * 8 + sort;
}

/** A number for a text, such as the name of a request. */
export function numberOf(text: string): number {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    high = Math.imul(high ^ text.charCodeAt(at), 0x01000193);
    low = Math.imul(low ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 17 + (low >>> 15);
}

/** What something is that has been sent with this key, if nothing else says so. */
export function typeOfKey(key: number): string {
  const sort = key % 8;
  if (sort === Sort.MESSAGE || sort === Sort.PORT) return "message";
  if (sort === Sort.REQUEST) return "fetch";
  if (sort === Sort.SOCKET) return "WebSocket";
  return sort === Sort.WORKER ? "script" : "task";
}
