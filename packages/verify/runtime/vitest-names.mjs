// How a test of vitest is named, in the process of its runner and in that of the test.
import { relative } from "node:path";

/** The file of a task, its name with its groups, and what names it among all tests. */
export function namesOf(task) {
  const path = [];
  // A file is a group too, of which it says so itself.
  for (let it = task; it !== undefined && it !== task.file; it = it.suite) path.unshift(it.name);
  const file = relative(process.cwd(), task.file.filepath).replaceAll("\\", "/");
  const project = task.file.projectName ? `[${task.file.projectName}] ` : "";
  const name = project + path.join(" > ");
  return { file, name, id: `${file} > ${name}` };
}
