/**
 * What marks in a trace (`console.timeStamp`) begin with that are of {@link HELPER}:
 *
 * - `TYPE NAME FRAME`: what runs registers something of this type, at this line of a stack;
 * - `run NAME`: what has just begun is that;
 * - `worker NAME ADDRESS`: what runs starts a worker with this script;
 * - `port NAME`: what runs sends by this port; without a name, it could not;
 * - `channel NAME NAME`: two ports that are connected; `moved NAME`, `closed NAME`: what becomes of one;
 * - `place - FRAME`: what is registered next is registered at this line of a stack;
 * - `received NAME`: the message that is handled has come to this port.
 */
export const MARK = "headstart ";

/** The name of the function of it that listens to what the page sends. */
export const LISTENER = "headstartListener";

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
  const { isArray } = scope.Array;
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

  // Lets a function that is handed over say when it is registered, and when it runs.
  const follow = (type, values, at = 0) => {
    const callback = values[at];
    if (typeof callback !== "function") return;
    const name = own + "." + ++last;
    say("${MARK}" + type + " " + name + " " + frame());
    values[at] = function (...given) {
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
  const following = (type, indexOf) => ({
    __proto__: null,
    apply(target, that, values) {
      attempt(() => follow(type, values, indexOf(values)));
      return apply(target, that, values);
    },
  });
  replace(scope, "queueMicrotask", following("queueMicrotask", () => 0));
  for (const [type, name] of [
    ["HTMLVideoElement", "requestVideoFrameCallback"],
    ["Document", "startViewTransition"],
  ])
    replace(scope[type]?.prototype, name, following(name, () => 0));
  replace(
    scope.LockManager?.prototype,
    "request",
    following("locks.request", (values) => values.length - 1),
  );
  for (const type of ["ResizeObserver", "IntersectionObserver", "PerformanceObserver", "ReportingObserver"])
    replace(scope, type, {
      __proto__: null,
      construct(target, values, newTarget) {
        attempt(() => follow(type, values));
        return construct(target, values, asItself(target, newTarget));
      },
    });

  // Messages of ports have no numbers in a trace: what is said of ports tells those apart that are under way at once.
  const ports = new WeakMap();
  const [portOf, setPort] = [uncurry(ports.get), uncurry(ports.set)];
  const listen = uncurry(scope.EventTarget.prototype.addEventListener);
  const portsOf = scope.MessageEvent && getter(scope.MessageEvent.prototype, "ports");
  // Calls of this function are no continuations of the page.
  const hear = (target, type, name) =>
    listen(target, type, function ${LISTENER}(event) {
      attempt(() => {
        if (name !== undefined) say("${MARK}received " + name);
        const all = portsOf(event);
        for (let at = 0; at < all.length; at++) nameOf(all[at]);
      });
    });
  const nameOf = (port) => {
    let name = portOf(ports, port);
    if (name !== undefined) return name;
    name = own + "." + ++last;
    setPort(ports, port, name);
    // Before what the page does with the message. It neither starts the port nor runs anything of the page.
    hear(port, "message", name);
    return name;
  };
  // The names of ports in a list of what moves, as far as it is a plain one.
  const moving = (list) => {
    if (typeof list !== "object" || list === null) return [];
    const items = isArray(list) ? list : getOwnPropertyDescriptor(list, "transfer")?.value;
    const names = [];
    for (let at = 0; isArray(items) && at < items.length; at++) {
      const item = getOwnPropertyDescriptor(items, at)?.value;
      const name = typeof item === "object" && item !== null ? portOf(ports, item) : undefined;
      if (name !== undefined) names[names.length] = name;
    }
    return names;
  };
  const sends = (by) => ({
    __proto__: null,
    apply(target, that, values) {
      const names = attempt(() => {
        if (by === "port") say("${MARK}port " + nameOf(that));
        else if (by === "place") say("${MARK}place - " + frame());
        const names = moving(values[1]);
        return names.length > 0 ? names : moving(values[2]);
      });
      try {
        const result = apply(target, that, values);
        attempt(() => {
          for (let at = 0; at < names.length; at++) say("${MARK}moved " + names[at]);
        });
        return result;
      } catch (error) {
        if (by !== "") attempt(() => say("${MARK}" + by));
        throw error;
      }
    },
  });
  replace(scope.MessagePort?.prototype, "postMessage", sends("port"));
  replace(scope.Worker?.prototype, "postMessage", sends(""));
  // A worker sends in another way, which needs no place.
  replace(scope, "postMessage", sends(documentOf ? "place" : ""));
  replace(scope.MessagePort?.prototype, "close", {
    __proto__: null,
    apply(target, that, values) {
      attempt(() => say("${MARK}closed " + nameOf(that)));
      return apply(target, that, values);
    },
  });
  const [firstOf, secondOf] = ["port1", "port2"].map((name) =>
    getter(scope.MessageChannel?.prototype, name),
  );
  replace(scope, "MessageChannel", {
    __proto__: null,
    construct(target, values, newTarget) {
      const channel = construct(target, values, asItself(target, newTarget));
      attempt(() => say("${MARK}channel " + nameOf(firstOf(channel)) + " " + nameOf(secondOf(channel))));
      return channel;
    },
  });
  for (const type of ["message", "connect"]) attempt(() => hear(scope, type));
  const sharedPortOf = getter(scope.SharedWorker?.prototype, "port");

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
          if (type === "SharedWorker") nameOf(sharedPortOf(worker));
          else hear(worker, "message");
        });
        return worker;
      },
    });
})();
//# sourceURL=${HELPER_FILE}`;
