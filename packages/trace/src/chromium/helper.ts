/**
 * What marks in a trace (`console.timeStamp`) begin with that are of {@link HELPER}:
 *
 * - `TYPE NAME FRAME`: what runs registers something of this type, at this line of a stack;
 * - `run NAME`: what has just begun is that;
 * - `worker NAME ADDRESS`: what runs starts a worker with this script;
 * - `port NAME`: what runs sends by this port; without a name, it could not.
 */
export const MARK = "headstart ";

/** The name of the file that the helper seems to stand in: no place of the program. */
export const HELPER_FILE = "headstart:helper";

/**
 * What the topology pass runs in each page and worker before their own scripts. Chromium has no events for some
 * registrations, so that functions that make these have to say it themselves.
 *
 * The page may replace all that is global, and patch all prototypes: what is used later is kept at the start, methods
 * are called as functions, and objects that the language itself looks into have no prototype. What goes wrong in here
 * must not reach the page, whose call happens as without it.
 */
export const HELPER = `(() => {
  "use strict";
  const scope = globalThis;
  const { apply, construct, defineProperty, deleteProperty } = Reflect;
  const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Reflect;
  const { Error, Proxy, String, URL } = scope;
  const { toPrimitive } = scope.Symbol;
  const { captureStackTrace } = Error;
  const uncurry = (method) => (that, ...values) => apply(method, that, values);
  const getter = (object, name) => {
    const get = object && getOwnPropertyDescriptor(object, name)?.get;
    return get && uncurry(get);
  };
  const say = console.timeStamp.bind(console);
  const indexOf = uncurry(String.prototype.indexOf);
  const slice = uncurry(String.prototype.slice);
  const trim = uncurry(String.prototype.trim);
  const hrefOf = getter(URL.prototype, "href");
  const documentOf = getter(scope, "document");
  const baseOf = scope.Node && getter(scope.Node.prototype, "baseURI");
  // A worker has no address before its script begins: to ask for it so early would crash Chromium.
  const locationOf = scope.WorkerGlobalScope && getter(scope.WorkerGlobalScope.prototype, "location");
  const addressOf = scope.WorkerLocation && getter(scope.WorkerLocation.prototype, "href");
  const trusted = scope.TrustedScriptURL && uncurry(scope.TrustedScriptURL.prototype.toString);
  const natives = new WeakMap();
  const nativeOf = uncurry(natives.get);
  // Frames that share a thread must not use the same names.
  const own = String(Math.random()).slice(2);
  let last = 0;
  const attempt = (action) => {
    try {
      return action();
    } catch {}
  };

  // The page may have a function of its own that writes stacks: it is set aside.
  const stackOf = () => {
    const before = getOwnPropertyDescriptor(Error, "prepareStackTrace");
    const none = { __proto__: null, value: undefined, configurable: true, writable: true };
    if (!defineProperty(Error, "prepareStackTrace", none)) return "";
    try {
      const holder = { __proto__: null };
      captureStackTrace(holder);
      return holder.stack;
    } finally {
      if (before) defineProperty(Error, "prepareStackTrace", setPrototypeOf(before, null) && before);
      else deleteProperty(Error, "prepareStackTrace");
    }
  };
  const frame = () => {
    const stack = stackOf();
    if (typeof stack !== "string") return "";
    for (let start = 0, end; start < stack.length; start = end + 1) {
      end = indexOf(stack, "\\n", start);
      if (end < 0) end = stack.length;
      const line = trim(slice(stack, start, end));
      const isOurs = indexOf(line, "${HELPER_FILE}") >= 0;
      if (indexOf(line, "at ") === 0 && !isOurs && indexOf(line, ":") >= 0) return line;
    }
    return "";
  };

  // Lets the function that comes first say when it is registered, and when it runs.
  const follow = (type, values) => {
    const callback = values[0];
    if (typeof callback !== "function") return;
    const name = own + "." + ++last;
    say("${MARK}" + type + " " + name + " " + frame());
    values[0] = function (...given) {
      attempt(() => say("${MARK}run " + name));
      return apply(callback, this, given);
    };
  };
  const replace = (object, name, handler) => {
    let holder = object;
    while (holder && !getOwnPropertyDescriptor(holder, name)) holder = getPrototypeOf(holder);
    const descriptor = holder && getOwnPropertyDescriptor(holder, name);
    const before = descriptor?.value;
    if (typeof before !== "function") return;
    const after = new Proxy(before, handler);
    natives.set(after, before);
    if (before.prototype) before.prototype.constructor = after;
    defineProperty(holder, name, { ...descriptor, value: after });
  };
  const asItself = (target, newTarget) => (nativeOf(natives, newTarget) === target ? target : newTarget);
  replace(Function.prototype, "toString", {
    __proto__: null,
    apply: (target, that, values) => apply(target, nativeOf(natives, that) ?? that, values),
  });
  replace(scope, "queueMicrotask", {
    __proto__: null,
    apply(target, that, values) {
      attempt(() => follow("queueMicrotask", values));
      return apply(target, that, values);
    },
  });
  for (const type of ["ResizeObserver", "IntersectionObserver", "PerformanceObserver", "ReportingObserver"])
    replace(scope, type, {
      __proto__: null,
      construct(target, values, newTarget) {
        attempt(() => follow(type, values));
        return construct(target, values, asItself(target, newTarget));
      },
    });

  // Messages of ports have no numbers in a trace: whose they are tells those apart that are under way at once.
  const ports = new WeakMap();
  const [portOf, setPort] = [uncurry(ports.get), uncurry(ports.set)];
  replace(scope.MessagePort?.prototype, "postMessage", {
    __proto__: null,
    apply(target, that, values) {
      attempt(() => {
        if (portOf(ports, that) === undefined) setPort(ports, that, own + "." + ++last);
        say("${MARK}port " + portOf(ports, that));
      });
      try {
        return apply(target, that, values);
      } catch (error) {
        attempt(() => say("${MARK}port"));
        throw error;
      }
    },
  });

  // Returns what tells the address that is given: what the page gives may be converted only once.
  const overhear = (values) => {
    const given = values[0];
    const isObject = (typeof given === "object" && given !== null) || typeof given === "function";
    if (!isObject) return () => String(given);
    const text = trusted && attempt(() => trusted(given));
    if (text !== undefined) return () => text;
    let heard;
    values[0] = { __proto__: null, [toPrimitive]: () => (heard = String(given)) };
    return () => heard;
  };
  for (const type of ["Worker", "SharedWorker"])
    replace(scope, type, {
      __proto__: null,
      construct(target, values, newTarget) {
        const heard = values.length > 0 ? attempt(() => overhear(values)) : undefined;
        const worker = construct(target, values, asItself(target, newTarget));
        attempt(() => {
          const base = documentOf && baseOf ? baseOf(documentOf(scope)) : addressOf(locationOf(scope));
          const href = hrefOf(new URL(heard(), base));
          say("${MARK}worker " + own + "." + ++last + " " + href);
        });
        return worker;
      },
    });
})();
//# sourceURL=${HELPER_FILE}`;
