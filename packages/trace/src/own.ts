// What the recorder uses of the language and of Node while the program runs, from before that: a program may replace all
// of it, as tests do, and would see that it is called.
/* eslint-disable @typescript-eslint/unbound-method -- what they are called on is their first argument */
import { fstatSync, writeSync } from "node:fs";
import { performance as clock } from "node:perf_hooks";

/** A method that is called as a function, with what it is called on as the first argument. */
function uncurried<T, A extends readonly unknown[], R>(
  method: (this: T, ...values: A) => R,
): (that: T, ...values: A) => R {
  return Function.prototype.call.bind(method) as (that: T, ...values: A) => R;
}

export const { floor, max, min, round } = Math;
export const { defineProperty, getOwnPropertyDescriptor } = Object;
export const { deleteProperty } = Reflect;
export const { isArray } = Array;
/** The constructor that V8 itself asks for `prepareStackTrace`. */
export const OwnError = Error;
export const bytesOf: (text: string) => Uint8Array = Buffer.from.bind(Buffer);
export const setBytes = uncurried(Uint8Array.prototype.set);
export const subarray = uncurried(Uint8Array.prototype.subarray);
export const slice = uncurried(String.prototype.slice);
export const startsWith = uncurried(String.prototype.startsWith);
export const now = clock.now.bind(clock);
export const utilization = clock.eventLoopUtilization.bind(clock);
/** What the loop's start is read from. */
export const { nodeTiming } = clock;
export const stat = fstatSync;
export const write = writeSync;
export const refresh = uncurried(refreshOfTimers());

function refreshOfTimers(): (this: NodeJS.Timeout) => unknown {
  const timer = setTimeout(() => undefined, 1);
  clearTimeout(timer);
  return timer.refresh;
}

/** Numbers from 0 up to 1 that have nothing to do with those of the program (xorshift32). */
export function randomSource(): () => number {
  let state = (process.pid ^ Date.now()) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
