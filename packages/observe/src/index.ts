export type { Evidence, Observation, Operation } from "./evidence.js";
export { observe, type Observed, type ObserveOptions } from "./observe.js";
export { Interrupted } from "./signals.js";
