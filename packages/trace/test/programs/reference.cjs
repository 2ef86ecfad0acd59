// Writes what `async_hooks` alone says: for each resource that runs, its type, its line and those of its parent.
const { createHook, executionAsyncId } = require("node:async_hooks");
const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const resources = new Map();
const ran = new Set();

function site() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack;
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  const waiting = sites.findIndex((it) => it.isAsync());
  const running = waiting < 0 ? sites : sites.slice(0, waiting);
  const frame = running.find((it) => !/^node:|^$|reference\.cjs$/.test(it.getFileName() ?? ""));
  return frame === undefined ? "" : `${frame.getLineNumber()}:${frame.getColumnNumber()}`;
}

if (isMainThread) {
  createHook({
    init(id, type) {
      resources.set(id, { type, site: site(), parent: executionAsyncId() });
    },
    before(id) {
      ran.add(id);
    },
  }).enable();
  process.on("exit", () => {
    const rows = [...ran].filter((id) => resources.has(id));
    const label = (id) => {
      const { type, site } = resources.get(id) ?? { type: "top", site: "" };
      return `${type} ${site}`.trim();
    };
    const edges = rows.map((id) => `${label(id)} < ${label(resources.get(id).parent)}`);
    writeFileSync(process.env.REFERENCE, JSON.stringify(edges));
  });
}
