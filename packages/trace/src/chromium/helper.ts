/**
 * What marks in a trace (`console.timeStamp`) begin with that are of {@link HELPER}:
 *
 * - `TYPE NAME FRAME`: what runs registers something of this type, at this line of a stack;
 * - `run NAME`: what has just begun is that;
 * - `worker NAME ADDRESS`: what runs starts a worker with this script.
 */
export const MARK = "headstart ";

/** The name of the file that the helper seems to stand in: no place of the program. */
export const HELPER_FILE = "headstart:helper";

/**
 * What the topology pass runs in each page and worker before their own scripts. Chromium has no events for some
 * registrations, so that functions that make these have to say it themselves.
 */
export const HELPER = `(() => {
  const say = console.timeStamp.bind(console);
  const { apply, construct } = Reflect;
  // Frames that share a thread must not use the same names.
  const own = String(Math.random()).slice(2);
  let last = 0;
  const frame = () => {
    const { stack } = new Error();
    if (typeof stack !== "string") return "";
    const frames = stack.split("\\n").map((line) => line.trim());
    return frames.find((line) => line.startsWith("at ") && !line.includes("${HELPER_FILE}") && line.includes(":")) ?? "";
  };
  const register = (type, callback) => {
    const name = own + "." + ++last;
    say("${MARK}" + type + " " + name + " " + frame());
    return function (...values) {
      say("${MARK}run " + name);
      return apply(callback, this, values);
    };
  };
  const first = (type, values) =>
    typeof values[0] === "function" ? [register(type, values[0]), ...values.slice(1)] : values;
  const replace = (name, handler) => {
    const before = globalThis[name];
    if (typeof before !== "function") return;
    const after = new Proxy(before, handler);
    if (before.prototype) before.prototype.constructor = after;
    Object.defineProperty(globalThis, name, { value: after, writable: true, configurable: true });
  };
  replace("queueMicrotask", {
    apply: (target, that, values) => apply(target, that, first("queueMicrotask", values)),
  });
  for (const type of ["ResizeObserver", "IntersectionObserver", "PerformanceObserver", "ReportingObserver"])
    replace(type, {
      construct: (target, values, newTarget) => construct(target, first(type, values), newTarget),
    });
  for (const type of ["Worker", "SharedWorker"])
    replace(type, {
      construct(target, values, newTarget) {
        const worker = construct(target, values, newTarget);
        const { href } = new URL(values[0], globalThis.document?.baseURI ?? location);
        say("${MARK}worker " + own + "." + ++last + " " + href);
        return worker;
      },
    });
})();
//# sourceURL=${HELPER_FILE}`;
