// Random expressions. Values have kinds, so that programs seldom throw: `obj` is a record with the
// numbers a and b, an object sub and a list; `arr` an array of those, `map` a map to them, `set` a set
// of numbers, `inst` an instance of a class, `fn` a function that takes an `obj`.

/** @param {number} seed */
export function random(seed) {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4294967296;
  };
}

/** @typedef {"num" | "obj" | "arr" | "map" | "set" | "inst" | "fn"} Kind */
/** @typedef {{ vars: [string, Kind][], async: boolean, generator: boolean, self: boolean, depth: number }} Env */
/** @typedef {{ name: string, kinds: Kind[], call: string, async: boolean, generator: boolean, returns: Kind }} Callable */

/** @type {Kind[]} */
export const KINDS = ["num", "obj", "obj", "obj", "arr", "arr", "map", "set", "inst", "fn"];

export class Values {
  /** @param {number} seed */
  constructor(seed) {
    this.rand = random(seed + 7919);
    for (let i = 0; i < 5; i++) this.rand();
    this.unique = 0;
    /** @type {Callable[]} */
    this.callables = [];
    /** @type {[string, Kind][]} */
    this.globals = [];
    this.classes = 0;
    this.esm = this.chance(0.4);
  }

  /** Statements, which are made elsewhere. @param {Env} env @param {number} count @returns {string} */
  block(env, count) {
    throw new Error(`no ${count} statements in depth ${env.depth}`);
  }

  /** @param {number} p */
  chance(p) {
    return this.rand() < p;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  pick(list) {
    return list[Math.floor(this.rand() * list.length)];
  }

  /** @param {string} prefix */
  name(prefix) {
    return `${prefix}${this.unique++}`;
  }

  /** @param {Env} env @param {Kind} kind @returns {string} */
  value(env, kind, depth = 0) {
    const known = [...env.vars, ...this.globals].filter(([, k]) => k === kind);
    if (known.length > 0 && this.chance(0.65)) return this.pick(known)[0];
    if (depth < 2 && this.chance(0.35)) {
      const derived = this.derived(env, kind, depth + 1);
      if (derived) return derived;
    }
    return this.fresh(env, kind, depth + 1);
  }

  /** @param {Env} env @param {Kind} kind @param {number} depth @returns {string} */
  fresh(env, kind, depth) {
    switch (kind) {
      case "num":
        return String(Math.floor(this.rand() * 9));
      case "obj": {
        const sub =
          depth < 2 && this.chance(0.5) ? this.value(env, "obj", depth) : "{ a: 1, b: 2 }";
        const spread =
          depth < 2 && this.chance(0.25) ? `...${this.value(env, "obj", depth)}, ` : "";
        return `({ ${spread}a: ${this.value(env, "num", 2)}, b: 2, sub: ${sub}, list: [1] })`;
      }
      case "arr": {
        const first = depth < 3 ? this.value(env, "obj", depth) : "{ a: 1, b: 1 }";
        const rest = depth < 2 && this.chance(0.3) ? `, ...${this.value(env, "arr", depth)}` : "";
        return `[${first}${rest}]`;
      }
      case "map":
        return depth < 2 ? `new Map([["k0", ${this.value(env, "obj", depth)}]])` : "new Map()";
      case "set":
        return "new Set([1, 2])";
      case "inst":
        if (this.classes === 0) return "({ v: 1, o: { a: 1, b: 2 }, list: [], m0() {}, m1() {} })";
        return `new C${Math.floor(this.rand() * this.classes)}(${this.value(env, "obj", depth)})`;
      case "fn": {
        if (depth > 2) return "((o) => o)";
        const param = this.name("q");
        /** @type {Env} */
        const inner = {
          ...env,
          async: false,
          generator: false,
          depth: env.depth + 1,
          vars: [...env.vars, [param, "obj"]],
        };
        const body = this.block(inner, 1 + Math.floor(this.rand() * 2));
        return `((${param}) => { ${body} return ${this.value(inner, "obj", 2)}; })`;
      }
    }
  }

  /** An expression that gets at something inside something. @param {Env} env @param {Kind} kind @param {number} depth @returns {string | undefined} */
  derived(env, kind, depth) {
    const obj = () => this.value(env, "obj", depth);
    switch (kind) {
      case "num":
        return this.pick([
          () => `${obj()}.a`,
          () => `${obj()}["b"]`,
          () => `${obj()}.sub?.a`,
          () => `${this.value(env, "arr", depth)}.length`,
          () => `${this.value(env, "inst", depth)}.v`,
          () => `${this.value(env, "inst", depth)}.total`,
          () => `(${obj()}.list ?? []).reduce((x, y) => x + y, 0)`,
          () => `Object.keys(${obj()}).length`,
        ])();
      case "obj":
        return this.pick([
          () => `(${obj()}.sub ?? ${this.value(env, "obj", 2)})`,
          () => `${this.value(env, "arr", depth)}[0]`,
          () => `(${this.value(env, "map", depth)}.get("k0") ?? ${this.value(env, "obj", 2)})`,
          () =>
            `(${this.value(env, "arr", depth)}.find((e) => e.a > 0) ?? ${this.value(env, "obj", 2)})`,
          () => `(${this.value(env, "fn", depth)}(${obj()}) ?? {})`,
          () => `Object.assign({}, ${obj()})`,
          () => `(${this.value(env, "inst", depth)}.o ?? {})`,
          () => `(${this.chance(0.5) ? obj() : "null"} || ${obj()})`,
        ])();
      case "arr":
        return this.pick([
          () => `${this.value(env, "arr", depth)}.filter((e) => e.b)`,
          () => `${this.value(env, "arr", depth)}.map((e) => e.sub ?? e)`,
          () => `[...${this.value(env, "map", depth)}.values()]`,
          () => `${this.value(env, "arr", depth)}.slice(0, 2)`,
          () => `[${obj()}].concat(${this.value(env, "arr", depth)})`,
        ])();
      case "fn":
        return this.pick([
          () => `${this.value(env, "inst", depth)}.m0.bind(${this.value(env, "inst", depth)})`,
          () => `((o) => ${this.value(env, "fn", 2)}(o))`,
        ])();
      default:
        return undefined;
    }
  }
}
