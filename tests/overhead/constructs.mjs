// What random functions are made of beside the statements and operators that nearly every program has.
// Each maker gets the generator; what it makes may use any variable in scope.

/** Text that awaits within a function of its own; variables are shared with the one around. */
function inner(g, parameter) {
  return g.nested(() => {
    g.scope.push(parameter === undefined ? [] : [parameter]);
    const text = `${g.statements(3)}return ${g.expression(2)};`;
    g.scope.pop();
    return text;
  });
}

const ASKS = '"perhaps async";';

const asks = (g) => (g.random.chance(0.7) ? ASKS : "");

/** What is awaited is a function, which is used at once. */
const used = [
  (g, f) => `(${f})()`,
  (g, f) => `((${f}))()`,
  (g, f) => `((${f})())`,
  (g, f) => `(${f})(${g.simple()})`,
  (g, f) => `(${f})?.()`,
  (g, f) => `new (${f})()`,
  (g, f) => `(${f})\`x\``,
  (g, f) => `(${f}).called()`,
  (g, f) => `((${f}).called)()`,
  (g, f) => `(0, (${f}).called)()`,
  (g, f) => `(0, (${f}))()`,
  (g, f) => `((${f}), $.fn)()`,
  (g, f) => `((${f}), $.bag["method"])?.()`,
  (g, f) => `((${f}), $.obj.method)\`x\``,
  (g, f) => `(${g.simple()} ? (${f}).called : $.fn)()`,
];

/** A variable that closures change and that is called: what it holds must not get anything as `this`. */
function changingFunction(g) {
  const name = g.fresh("v");
  g.constants.add(name);
  const made = g.random.pick(["$.fn", "$.called"]);
  const text = `let ${name} = ${made}; $.keep(() => (${name} = ${made})); ${g.awaited()};`;
  g.add(name);
  const call = g.random.pick(["()", "?.()", "`x`", `(${g.expression(2)})`]);
  return `${text} ${g.random.pick([name, `(${name})`, `((${name}))`, `(0, ${name})`])}${call};`;
}

/** What is awaited, where it matters whether that is the name of something. */
const referred = [
  (g, f) => `(delete (${f}))`,
  (g, f) => `(delete (${f}).field)`,
  (g, f) => `(delete ((${f}), $.bag.field))`,
  (g, f) => `(delete ((${g.simple()} ? ${f} : 1)))`,
  (g, f) => `(typeof (${f}))`,
  (g, f) => `(typeof ((${f}), nowhere))`,
];

/** A use of a function that is awaited. */
function use(g) {
  return g.random.pick([...used, ...used, ...referred])(g, `await $.act(${g.sites++})`);
}

/** A call of a method that is no usual function: its `call` is another, or it has none, or it cannot be called. */
function oddCall(g, next) {
  const name = g.random.pick(["own", "own", "bare", "bare", "proxy", "proxy", "call", "missing"]);
  const member = g.random.pick([`.${name}`, `["${name}"]`, `[(${g.simple()}, "${name}")]`]);
  const spread = g.random.chance(0.3) ? `, ...[${next()}], ...$.iterable(${next()})` : "";
  return `$.odd${member}(${next()}, ${next()}${spread})`;
}

/** Functions and classes that must not get the name of what they are put into. */
export const UNNAMED = [
  "function () {}",
  "(() => {})",
  "(async () => {})",
  "class { static own = this.name; }",
];

/** Expressions; `next` makes operands. */
export const expressions = [
  use,
  oddCall,
  oddCall,
  (g, next) => `$.bag?.method(${next()}, ${next()})`,
  (g, next) => `(${next()})?.k?.[${next()}]`,
  (g, next) => `$.nothing?.[${next()}].k(${next()})`,
  (g, next) => `(${next()} in $.bag)`,
  (g, next) => `(delete $.bag[${next()}])`,
  (g, next) => `($.bag[${next()}] += ${next()})`,
  (g, next) => `($.bag[${next()}] ||= ${next()})`,
  (g, next) => `($.bag[${next()}] = ${next()})`,
  (g, next) => `$.bag[${next()}]++`,
  (g, next) => `($.obj[${g.simple()}, "field"] = ${next()})`,
  (g, next) => `(typeof [${g.simple()}, ${next()}][${next()}])`,
  (g, next) => `(${g.random.chance(0.5) ? "void" : "delete"} [${next()}][${next()}])`,
  (g, next) => `new ($.same($.Box))(${next()}, ${next()}).sum`,
  (g, next) => `(($.log(${next()})) in [${next()}])`,
  (g, next) => `([${next()}] instanceof ($.log(${next()}), $.Box))`,
  (g, next) => `$.bag[${next()}, "method"](${next()})`,
  (g, next) => `(${g.assignable()} ??= ${next()})`,
  (g, next) => `(${g.assignable()} &&= ${next()})`,
  (g, next) => `(${g.assignable()}++ + ${next()})`,
  (g, next) => `(this.k ??= ${next()})`,
  (g, next) => `$.tag\`a\${${next()}}b\${${next()}}\``,
  (g) => `$.tag\`a\${${g.simple()}}b\${(${g.simple()}, ${g.simple()})}\\unicode\``,
  (g) => `((tag) => tag\`a\${${g.simple()}}\`)($.tag)`,
  (g, next) => `([${g.assignable()}, ${g.assignable()} = ${next()}] = [${next()}]).length`,
  (g, next) => `({ k: ${g.assignable()} = ${next()}, ...$.bag.rest } = $.wrap(${next()})).k`,
  (g, next) => `({ [${next()}]: ${next()}, m() { return ${g.variable()}; } }).m()`,
  (g, next) => `({ get g() { return ${g.variable()}; }, k: ${next()} }).g`,
  (g, next) => `$.log(...[${next()}], ...$.iterable(${next()}))`,
  (g, next) => `[...(function* () { yield ${g.simple()}; })(), ${next()}].length`,
  (g, next) => `$.fn(${next()})`,
  (g, next) => `(0, $.bag.method)(${next()})`,
  (g, next) => `(void ${next()})`,
  (g, next) => `(arguments.length + ${next()})`,
  (g, next) => `[() => 1, class {}, ${next()}].map((it) => it.name).join()`,
  (g, next) => `(await ${g.random.pick(UNNAMED)}).name + ${next()}`,
  (g, next) => `((${g.random.pick(UNNAMED)}) || ${next()}).name`,
  (g, next) => `$.named(${next()} ? () => 1 : ${next()})`,
  (g) => `(await (async () => { ${asks(g)} ${inner(g)} })())`,
  (g, next) => `(await (async (z) => { ${asks(g)} ${inner(g, "z")} })(${next()}))`,
  (g, next) =>
    `(await ({ __proto__: $.base, async run(z) { ${asks(g)} return super.m(${next()}, z) + super.own(z, ${next()}) + super.bare(${next()}); } }).run(${g.simple()}))`,
  (g, next) => `(await new (${classText(g, next)})().run())`,
];

/** A derived class with what a class may have; `run` awaits. */
function classText(g, next) {
  const key = g.random.chance(0.2) ? `[${next()}]` : "other";
  return `class extends $.Base {
    #p = ${g.simple()};
    #own = $.odd.own;
    static s = ${g.variable()};
    field = async (z) => { ${asks(g)} return (await z) + this.#p; };
    constructor() { const early = () => this.k; super(${g.simple()}); this.early = early; }
    ${key}() { return ${g.variable()}; }
    get a() { return this.#p; }
    async run() { ${asks(g)} this.#p += await $.op(${g.sites++}); return [await super.m(1), this.#own(await $.op(${g.sites++})), await this.field(this.a), this.early(), #p in this].length; }
  }`;
}

/** Statements. */
export const statements = [
  (g) => `${use(g)};`,
  (g) => `if (${g.expression(2)}) ${use(g)}; else try { ${use(g)}; } finally { ${use(g)}; }`,
  changingFunction,
  (g) => `for (let z = 0; z < 2; z++) { ${g.awaited()}; $.tag\`z\${z}\`; }`,
  shadowing,
  (g) => shadowing(g),
  (g) => `var ${redeclared(g)} = ${g.expression(1)};`,
  (g) => `var ${redeclared(g)};`,
  (g) => `var [${redeclared(g)} = ${g.simple()}] = [${g.expression(1)}];`,
  redeclaringLoop,
  sharedSwitch,
  closedLoop,
  closedLoop,
  headClosures,
  assigningLoop,
  changingClosures,
  (g) => `${destructured(g)}`,
  (g) => classDeclaration(g),
  (g) => `for (var ${g.hoist(g.fresh("w"))} in { a: ${g.expression(2)} }) ${g.loopBody()}`,
  (g) =>
    `for await (const z of (async function* () { yield ${g.simple()}; })()) ${g.loopBody("z", true)}`,
  (g) => catching(g),
  patternInCatch,
  patternInHead,
  lastReturn,
  listed,
  listed,
  returning,
  ownInitializer,
  declaredLater,
  (g) => `if (${g.expression(1)}) ${g.expression()}; else ${g.awaited()};`,
];

/** A block that has a name again that is known around it. */
function shadowing(g) {
  const name = g.random.pick(g.scope.flat().filter((it) => !/^[wz]/.test(it)));
  if (g.constants.has(name) || g.loops.length > 2) return g.declaration();
  const value = g.without(name, () => g.expression(1));
  return g.block(() => {
    g.add(name);
    return `let ${name} = ${value};\n`;
  });
}

/** The name of a `var`; of a parameter only where all are plain, since functions with others stay as they are. */
function redeclared(g) {
  const inner = g.scope.slice(1).flat();
  const known = g.params === "p, q" ? /^[wpq]/ : /^w/;
  const names = g.scope[0].filter((it) => known.test(it) && !inner.includes(it));
  return names.length > 0 ? g.random.pick(names) : g.hoist(g.fresh("w"));
}

/** A loop whose head declares a parameter or a `var` again, and may be of a kind that awaits nothing. */
function redeclaringLoop(g) {
  const name = redeclared(g);
  const body = g.random.chance(0.5) ? g.loopBody() : `{ $.log("round", ${name}); }`;
  return g.random.pick([
    () => `for (var ${name} = 0; ${name} < 3 && $.turn(); ${name}++) ${body}`,
    () => `for (var ${name} of [1, ${g.expression(2)}]) ${body}`,
    () => `for (var [${name}] of [[1], [${g.expression(2)}]]) ${body}`,
    () => `for (var ${name} in { a: 1, b: ${g.expression(2)} }) ${body}`,
    () => `if (${g.expression(1)}) var ${name} = ${g.expression(1)}; else $.log("other");`,
  ])();
}

/** A `switch` whose cases share what one of them declares. */
function sharedSwitch(g) {
  const name = g.fresh("v");
  g.scope.push([]);
  const first = `let ${name} = ${g.expression(1)};`;
  g.add(name);
  const text = `switch (${g.expression(1)}) { case 0: ${first} ${g.statements(2)} default: ${name} = 1; ${g.statements(2)} }`;
  g.scope.pop();
  return text;
}

/** A loop over an iterator that may fail wherever an iterator may. */
function closedLoop(g) {
  const name = g.fresh("i");
  const failure = g.random.pick([
    ...["none", "next", "return", "value", "primitive", "noreturn"],
    ...["odd", "odd"],
  ]);
  return `for (const ${name} of $.failing("${failure}", ${g.expression(2)})) ${g.loopBody(name, true)}`;
}

/** Closures in the head of a loop. */
function headClosures(g) {
  const name = g.fresh("i");
  return g.random.pick([
    () =>
      `for (let ${name} = 0, f = () => ${name}; ${name} < 2 && $.turn(); $.keep(() => $.log("up", ${name})), ${name}++) ${g.loopBody(name)}`,
    () =>
      `for (let ${name} = 0; $.keep(() => $.log("test", ${name})), ${name} < 2 && $.turn(); ${name}++) ${g.loopBody(name)}`,
    () =>
      `for (let ${name} = 0; ${name} < 2 && $.turn(); $.keep(() => $.log("up", ${name})), ${name} += (${g.expression(1)}, 1)) ${g.loopBody(name)}`,
    () =>
      `for (let ${name} = 0; ${name} < 3 && $.turn(); $.keep(() => $.log("up", ${name}++)), ${g.awaited()}, ${name}++) ${g.loopBody(name)}`,
    () =>
      `for (let ${name} = 0; $.keep(() => $.log("test", ${name})), ${g.awaited()}, ${name}++ < 2 && $.turn();) ${g.loopBody(name)}`,
  ])();
}

function assigningLoop(g) {
  const target = g.random.pick([
    () => g.assignable(),
    () => "this.k",
    () => "$.bag.field",
    () => `[${g.assignable()}, ${g.assignable()} = 1]`,
    () => `{ k: ${g.assignable()} = 2 }`,
    () => `var ${g.hoist(g.fresh("w"))}`,
    () => `const [q, z = ${g.variable()}]`,
  ])();
  const known = target.startsWith("const");
  const items = /[[{]/.test(target) ? "[[1], [2, 3]]" : `[1, ${g.expression(2)}]`;
  if (!known) return `for (${target} of ${items}) ${g.loopBody()}`;
  g.scope.push(["q"]);
  const body = g.loopBody("z", true);
  g.scope.pop();
  return `for (${target} of ${items}) ${body}`;
}

/** Variables that closures change, called at once and later. */
function changingClosures(g) {
  const name = g.declaredFresh(false);
  g.add(name);
  const call = g.fresh("local");
  return `let ${name} = ${g.expression(1)}; const ${call} = () => ${name}++; $.keep(${call}); ${g.awaited()}; ${call}();`;
}

/** Of functions only one that has a name: a variable in a box gives none (docs/optimize.md). */
function destructured(g) {
  const [a, b, c] = [g.declaredFresh(false), g.declaredFresh(false), g.declaredFresh(false)];
  const text = `let { k: { deep: [${a} = ${g.simple()}] = [] } = {}, ...${b} } = $.wrap(${g.expression(1)}), [, ${c} = $.fn] = [1];`;
  for (const name of [a, b, c]) g.add(name);
  return `${text} $.log(typeof ${c});`;
}

function classDeclaration(g) {
  const name = g.fresh("C");
  g.constants.add(name);
  const text = `class ${name} { static s = ${g.simple()}; static m() { return ${name}.s; } static { $.log("static", this === ${name}); } }`;
  return `${text} $.log(${name}.m()); ${g.awaited()}; $.log(${name}.m());`;
}

/** Errors whose names are those of variables around. */
function catching(g) {
  const name = g.random.pick(["p", "q", "e"]);
  const handler = g.block(() => {
    g.add(name);
    return "";
  });
  const last = g.random.chance(0.4) ? `finally ${g.block()}` : "";
  g.tries += 1;
  const block = g.statementsInBlock();
  g.tries -= 1;
  return `try { ${block} throw ${g.expression(2)}; } catch (${name}) ${handler} ${last}`;
}

/** Errors that are taken apart with awaits, and awaits in patterns of a loop's head. */
function patternInCatch(g) {
  const [a, b] = [g.fresh("e"), g.fresh("e")];
  const pattern = g.random.pick([
    () => `{ k: ${a}, z: ${b} = ${g.expression(1)} }`,
    () => `{ [${g.expression(2)}]: ${a} = 1, ...${b} }`,
    () => `{ k: [${a} = ${g.awaited()}] = [], z: ${b} = ${a} }`,
  ])();
  g.tries += 1;
  const block = g.statementsInBlock();
  g.tries -= 1;
  const handler = g.block(() => (g.add(a), g.add(b), ""));
  return `try { ${block} throw $.wrap(${g.expression(2)}); } catch (${pattern}) ${handler}`;
}

function patternInHead(g) {
  const name = g.fresh("i");
  const keyword = g.random.pick(["let", "var"]);
  const pattern = g.random.pick([
    () => `{ x: ${name} = ${g.awaited()} } = {}`,
    () => `[${name} = ${g.expression(1)}] = []`,
    () => `{ [${g.awaited()}]: ${name} = 0 } = {}`,
    () => `[${name} = ${g.expression(1)}, ${name}b = 1] = $.iterable(${g.simple()})`,
    () => `{ k: ${name}, ...${name}b } = $.wrap(${g.expression(1)})`,
  ])();
  if (keyword === "var") g.hoist(name);
  return `for (${keyword} ${pattern}; ${name} < 2 && $.turn(); ${name}++) ${g.loopBody(name)}`;
}

/** A `finally` that decides what the function gives back. */
function lastReturn(g) {
  const value = g.random.pick([() => g.site(), () => g.variable(), () => g.expression(1)])();
  const condition = g.random.chance(0.5) ? `if (${g.simple()}) ` : "";
  return `try ${g.block()} finally { ${g.random.chance(0.5) ? `$.log(${g.names++});` : ""} ${condition}return ${value}; }`;
}

/** Several expressions where one may stand, without parentheses around them. */
function listed(g) {
  const list = `${g.simple()}, ${g.random.chance(0.5) ? g.simple() : g.expression(1)}`;
  return g.random.pick([
    () => `if (${g.simple()}) return ${list};`,
    () => `try { return ${list}; } finally { ${g.awaited()}; }`,
    () => `try { throw ${list}; } catch { ${g.awaited()}; }`,
    () => `if (${list}) ${g.block()}`,
    () => `switch (${list}) { case ${list}: ${g.awaited()}; }`,
    () => `do ${g.loopBody()} while ($.more() && $.turn(), ${list} && $.more());`,
    () => `for (${list}; $.turn(), $.more(); ${list}) ${g.loopBody()}`,
  ])();
}

/** A `return` where code of the function is still to run, of what need not begin with a letter. */
function returning(g) {
  const value = g.random.pick([
    () => `(${g.simple()}, ${g.simple()})`,
    () => `[${g.simple()}].at(0)`,
    () => `"text".at(${g.simple()})`,
    () => `($.same($.fn))(${g.simple()})`,
    () => `\`\${${g.simple()}}\`.at(0)`,
    () => g.simple(),
  ])();
  return g.random.pick([
    () => `if (${g.simple()}) for (const z of [1]) return ${value};`,
    () => `try { if (${g.simple()}) return ${value}; } catch { ${g.awaited()}; }`,
    () => `try { if (${g.simple()}) throw ${value}; } catch { ${g.awaited()}; }`,
    () => `try { if (${g.expression(1)}) return ${value}; } finally { $.run(); }`,
  ])();
}

/** Variables whose initial values assign to them, or read them. */
function ownInitializer(g) {
  const keyword = g.random.pick(["let", "let", "var"]);
  const [a, b] = [g.declaredFresh(false), g.declaredFresh(false)];
  // What a `let` holds is there only once it is declared: closures that run before see that.
  const early = g.random.chance(0.2);
  const own = keyword === "var" || early ? [a, b] : [];
  const value = (names) => {
    g.scope.push(names);
    const name = names.length > 0 ? g.random.pick(names) : g.assignable();
    const text = g.random.pick([
      () => `(${name} = ${g.expression(1)})`,
      () => `await (${name} = ${g.site()})`,
      () => `await $.op(${g.sites++}, ${name} = ${g.expression(1)})`,
      () => `await $.op(${g.sites++}, (${name} = ${g.awaited()}))`,
      () => `(${name} = ${g.expression(2)}, ${g.awaited()})`,
      () => `[${name}, (${name} = ${g.awaited()}), ${name}].length`,
      () => `(${name} += ${g.expression(1)})`,
      () => `(${name} ??= ${g.awaited()})`,
      () => `(() => (${name} = ${g.simple()}))() + (${g.awaited()})`,
      () => `(await $.same(() => (${name} = ${g.simple()}))(), ${g.awaited()})`,
    ])();
    g.scope.pop();
    return text;
  };
  const [text, names] = g.random.pick([
    () => [`${keyword} ${a} = ${value(own)}, ${b} = ${value([a])};`, [a, b]],
    () => [
      `${keyword} { ${a} = ${g.simple()}, k: ${b} = (${a} = 1) } = $.wrap(${value(own)});`,
      [a, b],
    ],
    () => [`${keyword} ${a} = ${value(own)}, [${b} = (${a} = ${g.simple()})] = [];`, [a, b]],
    () => [
      `for (${keyword} ${a} = ${value(own)}; ${a} < 2 && $.turn(); ${a}++) ${g.loopBody(a)}`,
      [],
    ],
    () => [`for (${keyword} ${a} of [${value(own)}, 1]) ${g.loopBody(a)}`, []],
  ])();
  names.forEach((it) => g.add(it));
  return text;
}

/** A function that is called before and after something is declared that it reads in front of an `await`. */
function declaredLater(g) {
  const [late, call] = [g.fresh("v"), g.fresh("early")];
  const read = g.random.pick([
    () => `[${late}, ${g.awaited()}].length`,
    () => `$.log(${late}, ${g.awaited()})`,
    () => `${late}(${g.awaited()})`,
    () => `new ${late}(${g.awaited()}).k`,
    () => `(${late}.k = ${g.awaited()})`,
    () => `${late}[${g.awaited()}]`,
    () => `({ ${late}, k: ${g.awaited()} }).k`,
  ]);
  const text = g.nested(read);
  const isArrow = text.includes("super") || g.random.chance(0.5);
  const made = isArrow
    ? `const ${call} = async () => { ${asks(g)} return ${text}; };`
    : `async function ${call}() { ${asks(g)} return ${text}; }`;
  const value = g.random.pick([
    `const ${late} = $.Box;`,
    `let ${late} = $.fn;`,
    `class ${late} {}`,
  ]);
  const early = `try { await ${call}(); } catch (error) { $.log(error.name); }`;
  const first = isArrow || g.random.chance(0.5) ? `${made} ${early}` : `${early} ${made}`;
  return `{ ${first} ${value} try { await ${call}(); } catch { $.log("called"); } }`;
}

/**
 * The body of a function has a variable of its own with the name of one around it, which defaults of parameters
 * may mean.
 */
export function hiding(g) {
  const name = "around";
  const { text, constant } = g.random.pick([
    () => ({ text: `var ${name} = ${g.awaited()};` }),
    () => ({ text: `for (var ${name} of [1]) ${g.awaited()};` }),
    () => ({ text: `let ${name} = ${g.awaited()};` }),
    () => ({ text: `const { ${name} = 5 } = $.wrap(${g.awaited()});`, constant: true }),
    () => ({ text: `class ${name} { static s = ${g.simple()}; }`, constant: true }),
    () => ({ text: `function ${name}() { return 5; }`, constant: true }),
  ])();
  if (constant) g.constants.add(name);
  g.scope[0].push(name);
  return text;
}

/** Declarations of functions at the start of a function, async ones that share its variables too. */
export const hoisted = [
  (g) => `function hoisted() { $.log("hoisted", ${g.random.pick(["p", "q"])}); }\n$.keep(hoisted);`,
  (g) =>
    `async function again(n) { ${ASKS} if (n > 0 && $.turn()) await again(n - 1); p += await $.op(${g.sites++}); return p; }\nawait again(2);`,
];
