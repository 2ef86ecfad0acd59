/**
 * Timings that others took, in the form of the data published with the paper
 * (`../shared/data/resynchronizer-timings`), judged as those of a verification.
 */
export { importFiles, importFolder, type ImportOptions } from "./import.js";
export { importTable } from "./table.js";
