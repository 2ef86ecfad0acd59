/**
 * What the times of a verification say. Design note: `../shared/design/verify.md`; the figures of
 * the paper are those of its section 5.4.
 */
export { clockStep } from "./clock.js";
export { analyse, testStatistics } from "./tests.js";
export { summarise } from "./summary.js";
