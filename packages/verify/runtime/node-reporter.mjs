// Reports to the records of a run what `node --test` says of each test.
import { relative } from "node:path";

const COMPLAINT_LENGTH = 2000;

const runtime = globalThis[Symbol.for("headstart.verify")];

export default async function* reporter(events) {
  /** Names of the groups that are open, by file. */
  const open = new Map();
  /** The end of what the process of a file complains of, by file. */
  const complaints = new Map();
  for await (const { type, data } of events) {
    if (type === "test:stderr") {
      const whole = (complaints.get(data.file) ?? "") + data.message;
      complaints.set(data.file, whole.slice(-COMPLAINT_LENGTH));
    } else if (type === "test:start") {
      const names = open.get(data.file) ?? [];
      open.set(data.file, [...names.slice(0, data.nesting), data.name]);
    } else if ((type === "test:pass" || type === "test:fail") && data.details?.type !== "suite") {
      report(type, data, open.get(data.file) ?? [], complaints.get(data.file) ?? "");
    } else if (type === "test:fail" && !byTests(data)) {
      report(type, data, open.get(data.file) ?? [], complaints.get(data.file) ?? "");
    }
  }
  runtime.write({ k: "done" });
  yield "";
}

/** Whether a group failed only because tests in it did. */
function byTests(data) {
  return data.details.error?.failureType === "subtestsFailed";
}

function report(type, data, names, complaint) {
  const path = [...names.slice(0, data.nesting), data.name];
  const file =
    data.file === undefined ? "" : relative(process.cwd(), data.file).replaceAll("\\", "/");
  const name = path.join(" > ");
  const error = type === "test:fail" ? data.details.error : undefined;
  const cause = error?.cause instanceof Error ? error.cause : error;
  // A file without tests is reported under its own name, and one that ends before its tests have.
  if (data.nesting === 0 && fileNamed(data.name) === file) {
    if (error !== undefined)
      runtime.write({ k: "file", file, message: endOf(error, complaint) ?? runtime.text(cause) });
    return;
  }
  const skipped = data.skip !== undefined || data.todo !== undefined;
  runtime.write({
    k: "result",
    id: `${file} > ${name}`,
    file,
    name,
    state: skipped ? "skipped" : error === undefined ? "passed" : "failed",
    ...(error === undefined ? {} : { message: runtime.text(cause) }),
  });
}

/** How the process of a file ended, where that is all that is known: its tests say the rest. */
function endOf({ exitCode, signal, failureType }, complaint) {
  if (failureType !== "testCodeFailure" || (exitCode ?? signal) == null) return undefined;
  return `its process ended with ${signal ?? `exit code ${exitCode}`}\n${complaint}`.trimEnd();
}

function fileNamed(name) {
  return relative(process.cwd(), name).replaceAll("\\", "/");
}
