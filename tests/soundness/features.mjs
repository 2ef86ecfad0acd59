// Parts of programs that show a feature of the language. `@` is a number of its own, `$obj`, `$num`,
// `$arr`, `$fn` are random expressions and `$do` is a random statement. The
// function `f@` takes objects, as many as it has parameters.

/** @type {string[]} */
export const FEATURES = [
  `class It@ { constructor(a) { this.a = a; this.i = 0; } [Symbol.iterator]() { this.i = 0; return this; } next() { $do return { done: this.i >= 2, value: this.a[this.i++] ?? {} }; } }
const it@ = new It@($arr);
function f@(o) { for (const x of it@) x.seen = $num; return [...it@][0]; }`,
  `class Chain@ { constructor(o) { this.items = $arr; this.o = o; } *[Symbol.iterator]() { yield* this.items; yield this.o; } each(g) { for (const x of this) g(x); return this; } }
function f@(o) { new Chain@(o).each((x) => { x.c = $num; }).each($fn); const [first, ...rest] = new Chain@(o); first.d = 1; return rest.length ? rest[rest.length - 1] : o; }`,
  `const v@ = { o: $obj, toString() { $do return "x"; }, valueOf() { this.o.b = $num; return 1; }, toJSON() { this.o.j = 1; return {}; } };
function f@(o) { o[v@] = \`\${v@}\` + (v@ + 1); if (v@ > 0) JSON.stringify({ v: v@ }); return v@.o; }`,
  `function P@(o) { this.o = o; }
P@.prototype.touch = function (x) { this.o.t = x; $do return this; };
Object.defineProperty(P@.prototype, "acc", { get() { return this.o; }, set(v) { this.o.acc = v; } });
function S@(o) { P@.call(this, o); this.list = []; }
S@.prototype = Object.create(P@.prototype);
S@.prototype.more = function (x) { this.touch(x).list.push(x); S@.count = (S@.count || 0) + 1; return this.acc; };
const p@ = new S@($obj);
function f@(o, q) { const s = new S@(o); s.more(q); s.acc = $num; p@.acc.deep = 1; return p@.more(q); }`,
  `function thenable@(o) { return { then(done) { o.thened = $num; done(o); } }; }
async function f@(o) { const r = await thenable@(o); r.after = $num; return r; }`,
  `function f@(o) { Object.entries({ k: o, ...$obj }).forEach(([k, v]) => { if (v && v.a) v.mark = k; }); for (const v of Object.values({ o })) v.val = 1; return Object.fromEntries([["z", o]]).z; }`,
  `class Bus@ { #h = {}; on(n, g) { (this.#h[n] ??= []).push(g); return this; } emit(n, ...a) { for (const g of this.#h[n] ?? []) g(...a); } }
const bus@ = new Bus@().on("e", (o) => { $do o.heard = 1; });
function f@(o) { bus@.emit("e", o); return o; }`,
  `class Em@ extends EventEmitter { constructor() { super(); this.state = $obj; } send(o) { this.last = o; this.emit("m", o); } }
const em@ = new Em@();
em@.on("m", function (o) { o.heard = $num; this.count = 1; this.state.b = 3; });
function f@(o) { em@.send(o); return em@.last; }`,
  `const memo@ = ((g) => { const c = new Map(); return (o) => { if (!c.has(o)) c.set(o, g(o)); return c.get(o); }; })((o) => { o.computed = $num; $do return { a: 1, of: o }; });
function f@(o) { memo@(o).hit = 1; return memo@(o).of; }`,
  `const curry@ = (a) => (b) => (c) => { a.c1 = $num; b.c2 = c; $do return b; };
const half@ = curry@($obj);
function f@(o, q) { half@(o)(q); return curry@(q)(o)(1); }`,
  `function dec@(g, log) { return function (...args) { log.push(args.length); const r = g.apply(this, args); if (r) r.dec = 1; return r; }; }
const log@ = [];
const d@ = { o: $obj, run: dec@(function (x) { this.o.sub = x; return x; }, log@) };
function f@(o) { d@.run(o); const { run } = d@; run.call({ o }, $obj); return d@.o.sub; }`,
  `class Sing@ { static #inst = null; static get() { return (Sing@.#inst ??= new Sing@()); } data = { o: $obj }; static create(o) { const s = new this(); s.data.o = o; return s; } put(k, v) { this.data[k] = v; return this; } }
class Sub@ extends Sing@ { put(k, v) { super.put(k, v); this.data.o.w = $num; return this; } static create(o) { return super.create(o).put("z", o); } }
function f@(o) { Sing@.get().put("a", o).data.o.v = 1; return Sub@.create(o).data.z; }`,
  `class Base@ { constructor(o) { this.o = o; this.init(); } init() { this.o.base = 1; } set g(v) { v.z = $num; } get h() { return this.o; } }
class Der@ extends Base@ { init() { super.init(); this.o.der = 1; } go(q) { super.g = q; super.h.k = 1; return super.h; } }
function f@(o, q) { return new Der@(o).go(q); }`,
  `function* walk@(o, n) { if (n > 2 || !o) return; o.visited = n; const got = yield o; if (got) got.sent = 1; yield* walk@(o.sub, n + 1); }
function f@(o, q) { const it = walk@(o, 0); it.next(); it.next(q); it.next(q); return [...walk@(q, 1)][0]; }`,
  `const ring@ = { next: null, o: $obj }; ring@.next = ring@;
function f@(o) { let r = ring@; for (let i = 0; i < 3; i++) { r.o.count = i; r = r.next; } r.next.next.o = o; return ring@.o; }`,
  `function visit@(node, g, n = 0) { if (!node || n > 3) return node; g(node); visit@(node.sub, g, n + 1); return node; }
function f@(o) { const seen = new Set(); visit@(o, (x) => { seen.add(x); x.v = $num; }); seen.forEach((x) => { x.w = 1; }); return [...seen][0]; }`,
  `const tasks@ = [];
async function drain@() { while (tasks@.length) { const t = tasks@.shift(); await t(); } }
function f@(o) { tasks@.push(async () => { o.done = 1; await null; $do o.done2 = 2; }); drain@(); return o; }`,
  `async function step@(o) { await null; o.step = 1; if (o.b > 100) throw new Error("b"); return { r: o }; }
async function f@(o, q) { const [x, y] = await Promise.all([step@(o), step@(q)]); x.r.all = 1; y.r.all = $num; try { await step@(null); } catch (e) { o.caught = 1; } finally { q.fin = 1; } return x.r; }`,
  `async function* ag@(o) { yield o; o.mid = 1; await null; yield $obj; }
async function f@(o) { for await (const x of ag@(o)) { x.seen = 1; $do } return o; }`,
  `function fail@(o) { const e = new Error("x"); e.o = o; throw e; }
function f@(o) { try { fail@(o); } catch (e) { e.o.viaError = $num; } try { throw { o }; } catch ({ o: x }) { x.thrown = 1; } return o; }`,
  `function f@(o, q) { let a = o, b = q; [a, b] = [b, a]; a.sw = 1; ({ x: b.px, y: [b.py] } = { x: 1, y: [2] }); const { sub: { sub: deep = a } = {} } = b; deep.dd = $num; return deep; }`,
  `const wm@ = new WeakMap();
function data@(o) { if (!wm@.has(o)) wm@.set(o, { n: 0, o }); return wm@.get(o); }
function f@(o) { data@(o).n++; data@(o).o.weak = 1; return data@(o).o; }`,
  `const table@ = { a(o) { o.ta = 1; return o; }, b(o) { o.tb = $num; $do return $obj; }, ["c" + 1]: (o) => { o.tc = 1; return o; } };
function f@(o) { for (const k of ["a", "b", "c1"]) table@[k](o); for (const k in table@) table@[k](o).tt = 1; return Object.keys(table@).map((k) => table@[k](o))[0]; }`,
  `function mixin@(target) { return Object.assign(target, { mixed(o) { this.m = o; o.mx = 1; return this; }, get lazy() { return this.m; } }); }
const mixed@ = mixin@({});
function f@(o) { mixed@.mixed(o).lazy; mixed@.m.viaM = $num; return mixed@.m; }`,
  `let cur@ = $obj; let stack@ = [];
function withCur@(o, g) { stack@.push(cur@); cur@ = o; try { return g(); } finally { cur@ = stack@.pop(); } }
function f@(o) { return withCur@(o, () => { cur@.inCur = $num; $do return cur@; }); }`,
  `function args@() { arguments[0].arg = 1; return Array.from(arguments).concat([...arguments].slice(1)).pop(); }
function f@(o, q) { args@(o, q).popped = 1; return Reflect.apply(args@, null, [q, o]); }`,
  `function f@(o, q) { const list = [o, q]; list.sort((x, y) => { x.cmp = 1; return 0; }); list.reverse()[0].rev = 1; const [h] = list.splice(0, 1); h.spl = $num; return list.flatMap((x) => [x, x]).reduce((acc, x) => { acc.red = 1; return x; }); }`,
  `function f@(o) { "ab".replace(/a/g, () => { o.repl = $num; return ""; }); JSON.parse("[1]", (k, v) => { o.rev = 1; return v; }); Array.from({ length: 1 }, () => { o.from = 1; }); return structuredClone({ a: 1 }); }`,
];
