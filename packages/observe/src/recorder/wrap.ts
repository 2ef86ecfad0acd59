/** An object or a class's prototype, with what it has by name. */
export type Methods = Record<string | symbol, unknown>;
/** What is called in the place of a method, with that. */
export type Apply = NonNullable<ProxyHandler<(...values: never[]) => unknown>["apply"]>;

/** Puts something in the place of a method, where there is one. */
export function wrap(methods: Methods, key: string | symbol, apply: Apply): void {
  const before = methods[key];
  if (typeof before === "function") methods[key] = new Proxy(before as () => unknown, { apply });
}

/** Where in a chain of prototypes a method is. */
export function holderOf(from: Methods | undefined, name: string): Methods | undefined {
  let holder: Methods | null | undefined = from;
  while (holder && !Object.hasOwn(holder, name)) {
    holder = Object.getPrototypeOf(holder) as Methods | null;
  }
  return holder ?? undefined;
}
