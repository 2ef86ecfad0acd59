/**
 * What compiled code calls: see "What the compiler writes" in `docs/atomic.md`. No part of the public interface; its
 * version is that of the compiler.
 */
import { arrive, isBlocked, mustWait, wait } from "./gate.js";
import { delegate, iterate } from "./iterate.js";
import { enter, leave } from "./run.js";
import { state } from "./task.js";
import { thenable } from "./thenable.js";

export {
  arrive as a,
  delegate as d,
  enter as e,
  isBlocked as g,
  thenable as h,
  iterate as i,
  leave as l,
  mustWait as n,
  state as s,
  wait as w,
};
