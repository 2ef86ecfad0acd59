import path from "node:path";
import { readHead, readLastCommit } from "./head.js";
import { readOperation } from "./operation.js";
import { readProject } from "./project.js";
import { readRemote } from "./remote.js";
import { listBranches, openRepository, readDetails } from "./repository.js";
import { readStashes, readSubmodules, readWorkingTree } from "./working-tree.js";
import { readWorktrees } from "./worktrees.js";

/**
 * Gathers everything there is to say about the repository around a directory.
 * @param {string} directory
 */
export async function collectReport(directory) {
  const { root, gitDir, commonDir } = await openRepository(directory);
  const cwd = root ?? gitDir;

  const head = await readHead(gitDir, commonDir);
  const commit = head.commit ? await readLastCommit(cwd) : null;
  const operation = await readOperation(gitDir);
  const remote = await readRemote(cwd, gitDir, head.branch);
  const branches = await listBranches(cwd);
  const stashes = await readStashes(commonDir);
  const worktrees = await readWorktrees(commonDir);
  const details = await readDetails(commonDir);
  const location = { directory: path.resolve(directory), root, gitDir, ...details };
  const report = { ...location, head, commit, operation, remote, branches, stashes, worktrees };
  if (root === null) return { ...report, workingTree: null, submodules: [], project: null };

  const workingTree = await readWorkingTree(root);
  const submodules = await readSubmodules(root);
  const project = await readProject(root);
  return { ...report, workingTree, submodules, project };
}
