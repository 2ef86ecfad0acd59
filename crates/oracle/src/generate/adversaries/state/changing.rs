//! Ways by which a program comes to the object that it changes: what it hands to whom, and who hands it on.

/// What is declared beside it, and the statement that changes it. In both, `kept` is the object and `$S` the
/// change of what is called `it` there.
pub(super) const CHANGING: &[(&str, &str)] = &[
    // Functions that get it, by every way to call one.
    ("function change(it) { $S; }", "change(kept)"),
    ("function change(it) { $S; }", "change.call(null, kept)"),
    ("function change(it) { $S; }", "change.apply(null, [kept])"),
    ("function change(it) { $S; }", "Reflect.apply(change, null, [kept])"),
    ("function change(it) { $S; }", "change.bind(null, kept)()"),
    ("function change(it) { $S; }", "change(...[kept])"),
    ("function change() { const it = arguments[0]; $S; }", "change(kept)"),
    ("function change() { const it = this.it; $S; }", "change.call({ it: kept })"),
    ("function change() { const it = this.it; $S; }", "change.bind({ it: kept })()"),
    ("function change(...all) { const [it] = all; $S; }", "change(kept)"),
    ("function change({ it }) { $S; }", "change({ it: kept })"),
    ("function change({ held: { it } = {} }) { $S; }", "change({ held: { it: kept } })"),
    ("function change(parts, it) { $S; }", "change`${kept}`"),
    ("const give = (it) => () => it;", "{ const it = give(kept)(); $S; }"),
    ("const twice = (run, it) => run(run, it);", "twice((run, it) => { $S; }, kept)"),
    // Methods, by name, by a name that is worked out, and taken out of where they were.
    ("const tools = { change(it) { $S; } };", "tools.change(kept)"),
    ("const tools = { change(it) { $S; } };", "tools[[\"cha\", \"nge\"].join(\"\")](kept)"),
    ("const tools = { change(it) { $S; } };", "tools?.[\"change\"]?.(kept)"),
    ("const tools = { change(it) { $S; } };", "{ const { change } = tools; change(kept); }"),
    ("const tools = { change(it) { $S; } };", "Object.values(tools)[0](kept)"),
    ("const tools = { change(it) { $S; } };", "Reflect.get(tools, \"change\")(kept)"),
    ("const tools = new Map([[\"change\", (it) => { $S; }]]);", "tools.get(\"change\")(kept)"),
    ("const tools = [(it) => { $S; }];", "tools[0](kept)"),
    ("const tools = [(it) => { $S; }];", "for (const change of tools) change(kept)"),
    ("const tools = { get change() { return (it) => { $S; }; } };", "tools.change(kept)"),
    ("const tools = { set it(it) { $S; } };", "tools.it = kept"),
    ("const tools = { set it(it) { $S; } };", "Object.assign(tools, { it: kept })"),
    ("const tools = { set it(it) { $S; } };", "Reflect.set(tools, \"it\", kept)"),
    ("const tools = { set it(it) { $S; } };", "Reflect.set(Object.create(tools), \"it\", kept)"),
    ("const tools = { set it(it) { $S; } };", "({ it: tools.it } = { it: kept })"),
    ("const tools = { set it(it) { $S; } };", "for (tools.it of [kept]) void 0"),
    (
        "const tools = { [Symbol.for(\"change\")](it) { $S; } };",
        "tools[Symbol.for(\"change\")](kept)",
    ),
    // Classes.
    ("class Tool { constructor(it) { $S; } }", "new Tool(kept)"),
    ("class Tool { constructor(it) { $S; } }", "Reflect.construct(Tool, [kept])"),
    ("class Tool { constructor(it) { return it; } }", "{ const it = new Tool(kept); $S; }"),
    (
        "class Tool { constructor(it) { return it; } } class Heir extends Tool {}",
        "{ const it = new Heir(kept); $S; }",
    ),
    ("function Tool(it) { return it; }", "{ const it = new Tool(kept); $S; }"),
    (
        "class Tool { #it; constructor(it) { this.#it = it; } get it() { return this.#it; } }",
        "{ const { it } = new Tool(kept); $S; }",
    ),
    ("class Tool { static change(it) { $S; } } class Heir extends Tool {}", "Heir.change(kept)"),
    (
        "class Tool { change(it) { $S; } } class Heir extends Tool { change(it) { super.change(it); } }",
        "new Heir().change(kept)",
    ),
    (
        "class Tool { take(it) { this.it = it; return this; } change() { const { it } = this; $S; } }",
        "new Tool().take(kept).change()",
    ),
    ("class Tool { take = (it) => { $S; }; }", "new Tool().take(kept)"),
    ("class Tool {} Tool.prototype.change = function (it) { $S; };", "new Tool().change(kept)"),
    (
        "function Tool() {} Object.assign(Tool.prototype, { change(it) { $S; } });",
        "new Tool().change(kept)",
    ),
    ("class Tool { static { this.change = (it) => { $S; }; } }", "Tool.change(kept)"),
    ("class Tool extends Array {}", "{ const [it] = Tool.of(kept); $S; }"),
    ("class Tool extends Map {}", "{ const it = new Tool([[\"k\", kept]]).get(\"k\"); $S; }"),
    // Things that it is put into and taken out of.
    ("", "{ const it = [kept].find(() => true); $S; }"),
    ("", "{ const it = [[kept]].flat(Infinity).pop(); $S; }"),
    ("", "{ const it = [kept].concat([]).reverse()[0]; $S; }"),
    ("", "{ const [[, it]] = [kept].entries(); $S; }"),
    ("", "{ const it = [...[kept].entries()].find(([at]) => at === 0)[1]; $S; }"),
    ("", "[...[kept].entries()].forEach(([at, it]) => { $S; })"),
    ("", "for (const [at, it] of [kept].entries()) { $S; }"),
    ("", "{ const it = new Map([[\"k\", kept]]).entries().next().value[1]; $S; }"),
    ("", "for (const [key, it] of new Map([[\"k\", kept]])) { $S; }"),
    ("", "for (const it of new Set([kept])) { $S; }"),
    ("", "new Map([[\"k\", kept]]).forEach((it) => { $S; })"),
    ("", "[kept].forEach((it) => { $S; })"),
    ("", "[kept].map((it) => { $S; })"),
    ("", "[kept].reduce((sum, it) => { $S; return sum; }, 0)"),
    ("", "[kept, kept].reduce((it) => { $S; return it; })"),
    ("", "[kept].some((it) => { $S; return true; })"),
    ("", "[1, 2].sort(() => { const it = kept; $S; return 0; })"),
    ("", "Array.from([kept], (it) => { $S; })"),
    ("", "Array.from({ length: 1 }, () => { const it = kept; $S; })"),
    ("", "{ const it = Object.values({ kept })[0]; $S; }"),
    ("", "{ const it = Object.fromEntries([[\"k\", kept]]).k; $S; }"),
    ("", "{ const { it } = { ...{ it: kept } }; $S; }"),
    ("", "{ const { ...rest } = { it: kept }; const { it } = rest; $S; }"),
    ("", "{ const it = Object.create({ held: kept }).held; $S; }"),
    ("", "{ const it = Object.freeze([kept])[0]; $S; }"),
    ("", "{ const it = Object.getOwnPropertyDescriptor({ kept }, \"kept\").value; $S; }"),
    (
        "",
        "{ const box = {}; Object.defineProperty(box, \"it\", { get: () => kept }); const { it } = box; $S; }",
    ),
    (
        "const boxes = new WeakMap();",
        "{ boxes.set(boxes, kept); const it = boxes.get(boxes); $S; }",
    ),
    ("let box;", "{ box = kept; const it = box; $S; }"),
    ("const box = {};", "{ box.held = kept; const it = box.held; $S; }"),
    ("const box = {};", "{ box[[\"he\", \"ld\"].join(\"\")] = kept; const it = box.held; $S; }"),
    ("const box = [];", "{ box.push(kept); const it = box[0]; $S; }"),
    ("const box = [];", "{ box.splice(0, 0, kept); const it = box.shift(); $S; }"),
    // What the language calls by itself.
    ("", "void `${{ toString() { const it = kept; $S; return \"\"; } }}`"),
    ("", "void +{ valueOf() { const it = kept; $S; return 0; } }"),
    ("", "void ({ [{ toString() { const it = kept; $S; return \"\"; } }]: 1 })"),
    ("", "JSON.stringify({ toJSON() { const it = kept; $S; return 1; } })"),
    (
        "",
        "JSON.stringify([1], (key, value) => { const it = kept; if (key === \"\") { $S; } return value; })",
    ),
    ("", "\"k\".replace(\"k\", () => { const it = kept; $S; return \"\"; })"),
    ("", "void (kept instanceof { [Symbol.hasInstance](it) { $S; return true; } })"),
    ("", "{ const [done] = { *[Symbol.iterator]() { const it = kept; $S; yield 1; } }; }"),
    (
        "",
        "void [...{ [Symbol.iterator]() { const it = kept; $S; return { next: () => ({ done: true }) }; } }]",
    ),
    ("", "{ const { it = kept } = {}; $S; }"),
    ("", "{ const { done = (() => { const it = kept; $S; })() } = {}; }"),
    ("", "try { throw kept; } catch (it) { $S; }"),
    ("", "try { throw { it: kept }; } catch ({ it }) { $S; }"),
    ("", "try { void 0; } finally { const it = kept; $S; }"),
    ("", "{ const it = kept && kept; $S; }"),
    ("", "{ const it = (0, kept); $S; }"),
    ("", "switch (1) { default: { const it = kept; $S; } }"),
    ("", "{ const it = [kept][0] ?? {}; $S; }"),
    // A Proxy and its traps.
    ("", "{ const it = new Proxy({ held: kept }, {}).held; $S; }"),
    ("", "{ const it = new Proxy({}, { get: () => kept }).held; $S; }"),
    ("", "void (\"k\" in new Proxy({}, { has() { const it = kept; $S; return true; } }))"),
    ("", "new Proxy({}, { set(of, name, it) { $S; return true; } }).held = kept"),
    ("", "new Proxy(() => 0, { apply(of, self, [it]) { $S; } })(kept)"),
    ("", "Object.keys(new Proxy({}, { ownKeys() { const it = kept; $S; return []; } }))"),
    // Generators.
    ("function* values(it) { $S; yield 1; }", "values(kept).next()"),
    ("function* values(it) { $S; yield 1; }", "void [...values(kept)]"),
    ("function* values(it) { yield it; }", "{ const [it] = values(kept); $S; }"),
    ("function* values(it) { yield* [it]; }", "{ const [it] = values(kept); $S; }"),
    (
        "function* values(it) { yield it; } function* all(it) { yield* values(it); }",
        "for (const it of all(kept)) { $S; }",
    ),
    ("function* values(it) { return it; }", "{ const it = values(kept).next().value; $S; }"),
    (
        "function* values(it) { return it; } function* all(given) { const it = yield* values(given); $S; }",
        "all(kept).next()",
    ),
    (
        "function* values() { const it = yield; $S; }",
        "{ const them = values(); them.next(); them.next(kept); }",
    ),
    ("function* values() { yield 1; }", "{ const it = values().return(kept).value; $S; }"),
    (
        "function* values() { try { yield 1; } catch (it) { $S; } }",
        "{ const them = values(); them.next(); them.throw(kept); }",
    ),
    (
        "function* values(it) { try { yield 1; } finally { $S; } }",
        "{ const them = values(kept); them.next(); them.return(); }",
    ),
    (
        "function* values(it) { try { yield 1; } finally { $S; } }",
        "for (const one of values(kept)) break",
    ),
    // Methods that an heir has a field of the same name for, which is not there yet, or never.
    (
        "class Base { constructor(it) { this.change(it); } change(it) { $S; } } class Heir extends Base { change = () => {}; }",
        "new Heir(kept)",
    ),
    (
        "class Base { change(it) { $S; } } class Heir extends Base { constructor(quiet) { super(); if (quiet) this.change = () => {}; } }",
        "new Heir(false).change(kept)",
    ),
    (
        "class Base { change(it) { $S; } } class Heir extends Base { constructor(it) { super(); this.change(it); this.change = () => {}; } }",
        "new Heir(kept)",
    ),
    (
        "class Base { constructor() { this.all; } get all() { const it = kept; $S; return 1; } } class Heir extends Base { all = 1; }",
        "new Heir()",
    ),
    // What the language converts, and asks, without a word.
    (
        "class Amount { valueOf() { const it = kept; $S; return 1; } } const amount = new Amount();",
        "[3, 1].sort(() => amount)",
    ),
    (
        "class Amount { valueOf() { const it = kept; $S; return 1; } } const amount = new Amount();",
        "new Float64Array(2)[0] = amount",
    ),
    (
        "class Amount { valueOf() { const it = kept; $S; return 1; } } const amount = new Amount();",
        "[1, 2].splice(amount)",
    ),
    (
        "class Name { toString() { const it = kept; $S; return \"k\"; } } const named = new Name();",
        "\"x\".replace(\"x\", () => named)",
    ),
    (
        "class Name { toString() { const it = kept; $S; return \"k\"; } } const named = new Name();",
        "{ const error = new Error(); error.message = named; `${error}`; }",
    ),
    (
        "const like = { size: 1, has() { const it = kept; $S; return true; }, keys() { return [].values(); } };",
        "new Set([1]).isSubsetOf?.(like) ?? like.has()",
    ),
    (
        "class Names extends Array { join() { const it = kept; $S; return \"\"; } } const names = new Names();",
        "String(names)",
    ),
    (
        "class Day extends Date { toISOString() { const it = kept; $S; return \"\"; } } const day = new Day(0);",
        "JSON.stringify({ day })",
    ),
    (
        "const list = [1]; Object.defineProperty(list, 0, { get() { const it = kept; $S; return 1; } });",
        "[...list]",
    ),
    // Methods that store it and give it, and arguments that are spread.
    ("", "{ const [it] = new Array(1).fill(kept); $S; }"),
    ("", "{ const it = [0].fill(kept)[0]; $S; }"),
    ("", "{ const boxes = [kept]; const [it] = boxes.splice(0); $S; }"),
    ("", "{ const [it] = new Set().add(kept); $S; }"),
    ("", "{ const it = new Map().set(\"k\", kept).get(\"k\"); $S; }"),
    ("const boxes = [];", "{ boxes[0] = [kept]; const it = [].concat(...boxes)[0]; $S; }"),
    (
        "const boxes = [];",
        "{ boxes[0] = [kept]; const it = Array.prototype.concat.apply([], boxes)[0]; $S; }",
    ),
    ("", "{ const boxes = [kept]; const it = Array.of(...boxes)[0]; $S; }"),
    ("", "{ const boxes = [0, kept]; const it = new Array(...boxes)[1]; $S; }"),
    (
        "",
        "{ const boxes = [{ held: kept }]; const { held: it } = Object.assign({}, ...boxes); $S; }",
    ),
    ("", "{ const boxes = [\"k\", kept]; const it = new Map().set(...boxes).get(\"k\"); $S; }"),
    ("", "{ const boxes = [[0, kept]]; const it = Math.max(...[1]) && boxes[0][1]; $S; }"),
    // Events, and what runs a little later.
    (
        "import { EventEmitter } from \"node:events\"; const events = new EventEmitter();",
        "{ events.on(\"k\", (it) => { $S; }); events.emit(\"k\", kept); }",
    ),
    (
        "import { EventEmitter } from \"node:events\"; class Events extends EventEmitter {} const events = new Events();",
        "{ events.once(\"k\", (it) => { $S; }); events.emit(\"k\", kept); }",
    ),
    (
        "import { EventEmitter, once } from \"node:events\"; const events = new EventEmitter();",
        "{ once(events, \"k\").then(([it]) => { $S; }); events.emit(\"k\", kept); }",
    ),
    (
        "const events = new EventTarget();",
        "{ events.addEventListener(\"k\", () => { const it = kept; $S; }); events.dispatchEvent(new Event(\"k\")); }",
    ),
    ("", "queueMicrotask(() => { const it = kept; $S; })"),
    ("", "Promise.resolve(kept).then((it) => { $S; })"),
    ("", "Promise.reject(kept).catch((it) => { $S; })"),
    ("", "Promise.all([kept]).then(([it]) => { $S; })"),
    ("", "new Promise((settle) => settle(kept)).then((it) => { $S; })"),
    ("", "new Promise(() => { const it = kept; $S; })"),
    ("async function change(it) { $S; }", "void change(kept)"),
    ("async function change(it) { await null; $S; }", "void change(kept)"),
    // What natives give that ask their argument for a method or a mark, and what they make of a text.
    ("", "{ const it = \"a\".replace({ [Symbol.replace]: () => kept }, \"\"); $S; }"),
    ("", "{ const it = \"a\".split({ [Symbol.split]: () => kept }); $S; }"),
    (
        "",
        "{ const it = [].concat({ length: 1, 0: kept, [Symbol.isConcatSpreadable]: true })[0]; $S; }",
    ),
    ("", "{ const { it } = Object.assign(\"x\", { it: kept }); $S; }"),
    ("", "{ const it = Function.prototype.bind.apply((it) => it, [null, kept])(); $S; }"),
    // One key, written in two ways.
    ("const list = [];", "{ list[-1] = kept; const it = list[\"-1\"]; $S; }"),
    (
        "class Same extends (class { constructor(it) { return it; } }) {}",
        "{ const it = new Same(kept); $S; }",
    ),
    // What the program puts on what is not its own.
    (
        "",
        "{ const held = JSON.parse(\"[{}]\"); for (const each of held) each.it = kept; let it; for (const each of held) it = each.it; $S; }",
    ),
    ("", "{ const held = /(?<x>b)/.exec(\"b\"); held.it = kept; const { it } = { ...held }; $S; }"),
    (
        "",
        "{ const { groups } = /(?<x>b)/.exec(\"b\"); Object.assign(groups, { it: kept }); const { it } = Object.assign({}, groups); $S; }",
    ),
    (
        "",
        "{ const held = [...\"x\".matchAll(/x/g)][0]; held.it = kept; const it = Reflect.get(held, \"it\"); $S; }",
    ),
    (
        "",
        "{ const held = \"x y\".split(\" \"); held.it = kept; const it = Object.entries(held).at(-1)[1]; $S; }",
    ),
    (
        "",
        "{ const held = new Uint8Array(1); held.it = kept; const it = Object.values(held).at(-1); $S; }",
    ),
    (
        "",
        "{ const held = (function () { return arguments; })(1); Object.defineProperty(held, \"it\", { get: () => kept, enumerable: true }); const it = Object.values(held).at(-1); $S; }",
    ),
    (
        "",
        "{ const held = []; held.it = kept; const first = () => { for (const key in held) return held[key]; }; const it = first(); $S; }",
    ),
    ("", "{ class Held { static it = kept; } const it = Reflect.get(Held, \"it\"); $S; }"),
    (
        "",
        "{ class Held { get it() { return kept; } at(name) { return Reflect.get(this, name); } } const it = new Held().at(\"it\"); $S; }",
    ),
];
