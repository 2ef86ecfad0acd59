import type { Values } from "./commands.js";
import { TRACE_FORMATS } from "./levels.js";
import type { TraceAction } from "./trace-command.js";
import { UsageError } from "./usage-error.js";

/** An invocation of `trace`. */
export interface TraceInvocation {
  readonly kind: "trace";
  readonly action: TraceAction;
  /** The traces to report, the one to export, or the address to record. */
  readonly files: readonly string[];
  readonly values: Values<"trace">;
  /** The words behind `--`, if there are any. */
  readonly command: readonly string[] | null;
}

/** What the words after `trace` ask for; the first of them is one of the actions. */
export function traceInvocation(
  [given = "", ...files]: readonly string[],
  values: Values<"trace">,
  command: readonly string[] | null,
): TraceInvocation {
  const action = given as TraceAction;
  if (action === "record") checkSubject(files, command);
  if (action !== "record" && (files.length === 0 || command !== null)) {
    throw new UsageError(
      `trace ${action} needs a file, as in "headstart trace ${action} headstart.trace"`,
    );
  }
  if (action === "export" && files.length > 1) {
    throw new UsageError(`trace export takes one file; "${files[1] ?? ""}" is too many`);
  }
  checkOptions(action, files.length > 0, values);
  checkTraceFormat(action, values.format);
  return { kind: "trace", action, files, values, command };
}

/** What is recorded is either a command or a page. */
function checkSubject(urls: readonly string[], command: readonly string[] | null): void {
  const [url, second] = urls;
  const isPage = url !== undefined && command === null;
  if (isPage && second === undefined && /^(https?|file):/.test(url)) return;
  if (url === undefined && command !== null && command.length > 0) return;
  throw new UsageError(
    'trace record needs a command behind "--", as in "headstart trace record -- node server.js", ' +
      'or one address, as in "headstart trace record http://localhost:3000"',
  );
}

/** What would do nothing is refused: whoever gives an option expects it to do something. */
function checkOptions(action: TraceAction, hasFiles: boolean, values: Values<"trace">): void {
  const isPage = action === "record" && hasFiles;
  const isCommand = action === "record" && !hasFiles;
  const does = {
    seconds: [action === "record", "trace record"],
    script: [isPage, "trace record of a page"],
    sites: [isCommand, "trace record of a command"],
    project: [action === "report" && values.format !== "json", "the tables of trace report"],
  } as const;
  for (const name of ["seconds", "script", "sites", "project"] as const) {
    const [isUsed, where] = does[name];
    if (values[name] === undefined || isUsed) continue;
    throw new UsageError(`--${name} is for ${where}; leave it out here`);
  }
}

/** Each action has formats of its own. */
function checkTraceFormat(action: TraceAction, format: Values<"trace">["format"]): void {
  const [forReport, forExport] = [TRACE_FORMATS.slice(0, 2), TRACE_FORMATS.slice(2)];
  const fitting: readonly string[] = { record: [], report: forReport, export: forExport }[action];
  if (format === undefined || fitting.includes(format)) return;
  const remedy =
    fitting.length === 0 ? "which has no formats" : `which has ${fitting.join(" and ")}`;
  throw new UsageError(`"${format}" is not a format of trace ${action}, ${remedy}`);
}
