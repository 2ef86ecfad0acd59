export type { Edit } from "./edits.js";
export { VerifyError } from "./errors.js";
export { makeFolder } from "./folder.js";
export { JOURNAL, removeIfEmpty } from "./journal.js";
export {
  RUNNERS,
  type PlannedSite,
  type RunnerName,
  type Stretch,
  type VerifyOptions,
} from "./options.js";
export { killAll } from "./process.js";
export { type Progress, ScreenProgress } from "./progress.js";
export { renderTable } from "./table.js";
export { removeTemporary } from "./scratch.js";
export { verify } from "./verify.js";
export { importFiles, importFolder, importTable } from "./import/index.js";
