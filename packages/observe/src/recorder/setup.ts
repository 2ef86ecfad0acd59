import events from "node:events";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { isPromise } from "node:util/types";

import { recordBoundary } from "./boundary.js";
import { Frames } from "./frames.js";
import { Journal, type Touched } from "./journal.js";
import { bindPool } from "./pools.js";
import { recordDrivers } from "./spans.js";

/** What `headstart observe` tells each process. */
export interface Told {
  /** Where to append what is found out. */
  readonly records: string;
  /** The folder of the program. */
  readonly project: string;
}

/** What instrumented code calls in front of a call that is awaited; what that returns gets what is awaited, and hands it on. */
type Enter = (id: number) => (value: unknown) => unknown;

/** Modules whose clients are followed: they have to be loaded by `require` once, which is what instrumentations see. */
const DRIVERS = ["http", "https", "pg", "mysql2", "redis", "@redis/client", "ioredis", "mongodb"];
const KEY = Symbol.for("headstart.observe");

const told = process.env["HEADSTART_OBSERVE"];
if (told !== undefined && !(KEY in globalThis)) {
  const { records, project } = JSON.parse(told) as Told;
  const value = start(records, project);
  for (const object of [globalThis, events]) Object.defineProperty(object, KEY, { value });
}

function start(records: string, project: string): Enter {
  const time = performance.now.bind(performance);
  const frames = new Frames();
  const journal = new Journal(records);
  const touched: Touched = (frame, operation) => {
    journal.touched(frame, operation);
  };
  recordDrivers(touched);
  recordBoundary(() => frames.current(), touched);
  loadDrivers(project);
  return (id) => {
    const frame = { id, outer: frames.current(), start: time() };
    const entered = frames.enter(frame);
    journal.begun();
    return (value) => {
      try {
        return followed(value, () => {
          journal.ended(frame, time());
        });
      } finally {
        entered.dispose();
      }
    };
  };
}

/** The same as is awaited, where `ended` is told when that is over. */
function followed(value: unknown, ended: () => void): unknown {
  if (typeof (value as { then?: unknown } | undefined | null)?.then !== "function") {
    ended();
    return value;
  }
  // What is no promise of the language may begin its work only when it is asked for its result: as part of this await.
  const promise = isPromise(value) ? value : Promise.resolve(value);
  promise.then(ended, ended);
  return promise;
}

function loadDrivers(project: string): void {
  const require = createRequire(join(project, "package.json"));
  for (const name of DRIVERS) {
    try {
      bindPool(name, require(name));
    } catch {
      // It is not installed there.
    }
  }
  syncBuiltinESMExports();
}
