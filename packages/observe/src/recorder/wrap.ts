/** An object or a class's prototype, with what it has by name. */
export type Methods = Record<string | symbol, unknown>;
/** What is called in the place of a method, with that. */
export type Apply = NonNullable<ProxyHandler<(...values: never[]) => unknown>["apply"]>;

/** Puts something in the place of a method, where there is one. */
export function wrap(methods: Methods, key: string | symbol, apply: Apply): void {
  const before = methods[key];
  if (typeof before === "function") methods[key] = intoProxy(before as () => unknown, apply);
}

/** A function as it was, but for what is called in its place. */
export function intoProxy<T extends (...values: never[]) => unknown>(before: T, apply: Apply): T {
  return new Proxy(before, { apply: apply as NonNullable<ProxyHandler<T>["apply"]> });
}

/** Where in a chain of prototypes a method is. */
export function holderOf(from: Methods | undefined, name: string): Methods | undefined {
  let holder: Methods | null | undefined = from;
  while (holder && !Object.hasOwn(holder, name)) {
    holder = Object.getPrototypeOf(holder) as Methods | null;
  }
  return holder ?? undefined;
}

/** Does something for the recording, which must not change what the program does: what fails is missing there. */
export function safely<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
