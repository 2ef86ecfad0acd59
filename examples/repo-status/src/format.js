import path from "node:path";

/**
 * Formats a report as one line.
 * @param {Awaited<ReturnType<typeof import('./report.js').collectReport>>} report
 * @param {number} now in milliseconds
 */
export function formatLine(report, now) {
  const { head, operation, workingTree: tree, stashes, remote } = report;
  const parts = [];
  if (tree?.ahead) parts.push(`ahead ${tree.ahead}`);
  if (tree?.behind) parts.push(`behind ${tree.behind}`);
  if (tree?.conflicts.length) parts.push(count(tree.conflicts.length, "conflict"));
  if (tree?.staged) parts.push(`${tree.staged} staged`);
  if (tree?.modified) parts.push(`${tree.modified} modified`);
  if (tree?.untracked) parts.push(`${tree.untracked} untracked`);
  if (tree && !tree.conflicts.length && !tree.staged && !tree.modified && !tree.untracked) {
    parts.push("clean");
  }
  const moved = report.submodules.filter((module) => module.current !== module.recorded);
  if (moved.length) parts.push(`${count(moved.length, "submodule")} out of date`);
  if (stashes.count) parts.push(count(stashes.count, "stash", "stashes"));
  if (report.project?.package?.lockInSync === false) parts.push("lock file out of date");
  if (remote.fetchedAt) parts.push(`fetched ${formatAge(now - Date.parse(remote.fetchedAt))} ago`);

  const name = report.project?.package?.name ?? path.basename(report.root ?? report.gitDir);
  const where = head.branch ?? `detached at ${head.commit.slice(0, 7)}`;
  const flags = [
    operation && formatOperation(operation),
    report.root === null && "no working tree",
    report.shallow && "shallow",
    head.commit === null && "no commits yet",
  ].filter(Boolean);
  const title = [name, where, ...flags.map((flag) => `[${flag}]`)].join(" ");
  return parts.length ? `${title}: ${parts.join(", ")}` : title;
}

/** @param {{ type: string, [key: string]: any }} operation */
export function formatOperation(operation) {
  switch (operation.type) {
    case "rebase": {
      const progress = operation.step === null ? "" : ` ${operation.step}/${operation.total}`;
      const branch = operation.branch ?? "detached HEAD";
      return `rebase${progress} of ${branch} onto ${operation.onto.slice(0, 7)}`;
    }
    case "am":
      return `am ${operation.step}/${operation.total}`;
    case "merge":
      return `merge of ${operation.heads.map((head) => head.slice(0, 7)).join(", ")}`;
    case "bisect":
      return `bisect from ${operation.start}, ${operation.good} good, ${operation.bad} bad`;
    default:
      return `${operation.type} of ${operation.commit.slice(0, 7)}`;
  }
}

/** @param {number} milliseconds */
export function formatAge(milliseconds) {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

function count(number, one, many = `${one}s`) {
  return `${number} ${number === 1 ? one : many}`;
}
