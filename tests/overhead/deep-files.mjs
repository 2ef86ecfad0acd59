// Random programs of several files whose functions call one another in cycles, thousands of calls deep: in rings of few
// functions and of very many, with much on the stack and little, with functions that await nothing themselves, ordinary ones
// and callbacks in between. In async functions none of that needs any stack.
import { random } from "./generate.mjs";

/** What ends without waiting, and nobody can know that. */
const LIB = `export const asked = { count: 0 };
export async function ok(n) { asked.count += 1; if (n > 1e9) await null; return n; }
export async function each(list, f) { let sum = 0; for (const it of list) sum += await f(it); return sum % 997; }
`;

/** How functions of a number are written, called and exported: `body` of a parameter `n`. */
const FORMS = {
  declared: { text: (i, body) => `export async function f${i}(n) {${body}}`, call: (i) => `f${i}` },
  arrow: {
    text: (i, body) => `export const f${i} = async (n) => {${body}};`,
    call: (i) => `f${i}`,
  },
  method: {
    text: (i, body) => `export const f${i} = new (class { k = 1; async go${i}(n) {${body}} })();`,
    call: (i) => `f${i}.go${i}`,
  },
  same: {
    text: (i, body) => `export const f${i} = new (class { k = 2; async go(n) {${body}} })();`,
    call: (i) => `f${i}.go`,
  },
  literal: {
    text: (i, body) => `export const f${i} = { async go${i}(n) {${body}} };`,
    call: (i) => `f${i}.go${i}`,
  },
  ordinary: {
    text: (i, body, to) => `export function f${i}(n) { return ${to}(n); }`,
    call: (i) => `f${i}`,
  },
};

/** How a function goes on: `to` calls the next one. */
const STEPS = [
  (to) => `const r = await ${to}(n - 1); return (r + SUM) % 997;`,
  (to) => `return ((await ${to}(n - 1)) + SUM) % 997;`,
  (to) => `return ${to}(n - 1);`,
  (to) => `return await ${to}(n - 1);`,
  (to) => `try { return (await ${to}(n - 1)) % 991; } finally { asked.count += SUM; }`,
  (to) => `let r = SUM; for (const m of [n - 1]) r += await ${to}(m); return r % 997;`,
  (to) => `return (await ${to}(...[n - 1])) % 983;`,
  (to) => `return await each([n - 1], ${to.includes(".") ? `(m) => ${to}(m)` : to});`,
  (to) => `return await each([n - 1], async (m) => (await ${to}(m)) + SUM);`,
  (to) => `let p; [1].forEach(() => { p = ${to}(n - 1); }); return await p;`,
  (to) =>
    `let p; [2, 1].sort(() => { p ??= ${to}(n - 1); return 1; }); return ((await p) + SUM) % 997;`,
  (to, other) => `return (await (n % 3 ? ${to}(n - 1) : ${other}(n - 2))) % 997;`,
  (to, other) => `return n % 3 ? ${to}(n - 1) : ((await ${other}(n - 2)) + SUM) % 997;`,
];

/** The files of a program, by their names; `main.mjs` goes deep and prints what came of it. */
export function deepFiles(seed) {
  const { pick, chance, below } = random(seed);
  const size = pick([1, 2, 3, 5, 9, 20, 45, 64, 70]);
  const files = pick([1, 2, 2, 3, 4]);
  const usual = pick(Object.keys(FORMS));
  const wide = pick([0, 0, 3, 25]);
  // Ordinary functions break the rings that fast functions could run in.
  const isPure = chance(0.5) && usual !== "ordinary";
  const asks = chance(0.3) ? 0.6 : 0;
  const kinds = Array.from({ length: size }, (_, i) => {
    const form = isPure || chance(0.6) ? usual : pick(Object.keys(FORMS));
    // Somebody has to wait in each ring, or it goes as deep as it likes in the original, too.
    return i === 0 && form === "ordinary" ? "declared" : form;
  });
  const waits = kinds.map((form, i) => form !== "ordinary" && (i === 0 || chance(0.5)));
  // From those that wait, calls may lead back.
  const next = (i) => (waits[i] && chance(0.3) ? below(size) : (i + 1) % size);
  const called = (i) => FORMS[kinds[i]].call(i);
  const texts = Array.from({ length: files }, () => []);
  for (let i = 0; i < size; i++) {
    const names = Array.from({ length: wide }, (_, k) => `v${k}`);
    const head = [
      kinds[i] !== "ordinary" && chance(asks) ? '"perhaps async"; ' : "",
      waits[i] ? "n = await ok(n); " : "",
      "if (n <= 0) return 0; ",
      ...names.map((it, k) => `const ${it} = n * ${k + 2}; `),
    ];
    const [to, other] = [called(waits[i] ? next(i) : (i + 1) % size), called(next(i))];
    const step = pick(STEPS)(to, other).replaceAll("SUM", ["1", ...names].join(" + "));
    texts[i % files].push(FORMS[kinds[i]].text(i, `${head.join("")}${step}`, to));
  }
  return assembled(texts, size, called(0));
}

function assembled(texts, size, first) {
  const all = Array.from({ length: size }, (_, i) => i);
  const listed = (numbers) => numbers.map((i) => `f${i}`).join(", ");
  const result = { "package.json": '{ "type": "module" }\n', "lib.mjs": LIB };
  const imports = texts.map((_, file) => {
    const own = all.filter((i) => i % texts.length === file);
    return `import { ${listed(own)} } from "./part${file}.mjs";\n`;
  });
  texts.forEach((lines, file) => {
    const others = imports.filter((_, it) => it !== file).join("");
    const head = `import { asked, each, ok } from "./lib.mjs";\n${others}`;
    result[`part${file}.mjs`] = `${head}${lines.join("\n")}\n`;
  });
  result["main.mjs"] = `import { asked } from "./lib.mjs";
${imports[0]}export async function main() {
  await null;
  const log = [];
  for (const n of [0, 1, 40, 20_000]) {
    try { log.push(await ${first}(n), asked.count); } catch (error) { log.push(String(error)); }
  }
  return log.join(" ");
}
`;
  return result;
}
