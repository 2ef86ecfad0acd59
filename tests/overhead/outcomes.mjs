// What can be seen of the functions in `constructs/`.

const STEPS = 300;

/** Whether the value that is waited for at a step is a promise. */
export const WAYS = {
  "no promise": () => false,
  "promises only": () => true,
  "the third a promise": (step) => step === 3,
  "every other a promise": (step) => step % 2 === 0,
  "thenables only": () => "thenable",
};

function show(value) {
  return JSON.stringify(value, (_, it) => {
    if (typeof it === "function") return "function";
    if (typeof it === "bigint" || it === undefined) return String(it);
    return it instanceof Error ? `${it.name}: ${it.message}` : it;
  });
}

/** All that can be seen of a case: what it waits for, in order, and how it ends. */
export async function observe({ args, make }, way) {
  const log = [];
  const W = (...values) => {
    if (log.length === STEPS) throw new RangeError("too many steps");
    log.push(show(values));
    const [value] = values;
    const pending = WAYS[way](log.length);
    if (pending === "thenable") return { then: (resolve) => resolve(value) };
    return pending ? Promise.resolve(value) : value;
  };
  try {
    log.push(`returned ${show(await make(W).call({ k: 5 }, ...args()))}`);
  } catch (error) {
    log.push(`rejected ${show(error)}`);
  }
  return log;
}

/** What a file of `constructs/` exports; `require` is for what the compiler writes. */
export function load(text, require) {
  const module = { exports: {} };
  new Function("module", "require", text)(module, require);
  return module.exports;
}
