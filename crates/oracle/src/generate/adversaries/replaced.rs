//! Globals that the program replaces: what is called by their names is its own code.

use super::{Generator, Program, code, function, give, read, write};
use crate::tree::{Expr, Item, Stmt};

/// How `fetch` becomes `own`.
const WAYS: &[&str] = &[
    "globalThis.fetch = own",
    "Object.assign(globalThis, { fetch: own })",
    "Object.defineProperty(globalThis, \"fetch\", { value: own, configurable: true })",
    "Object.defineProperties(globalThis, { fetch: { value: own, configurable: true } })",
    "Reflect.set(globalThis, \"fetch\", own)",
    "Reflect.defineProperty(globalThis, \"fetch\", { value: own, configurable: true })",
    "window.fetch = own",
    "self.fetch = own",
    "global.fetch = own",
    "globalThis.window.fetch = own",
    "globalThis[\"fetch\"] = own",
    "globalThis[[\"fe\", \"tch\"].join(\"\")] = own",
    "const g1 = globalThis;\ng1.fetch = own",
    "const { self: g1 } = globalThis;\ng1.fetch = own",
    "({ own: globalThis.fetch } = { own })",
    "[globalThis.fetch] = [own]",
    "globalThis.fetch &&= own",
    "((scope) => {\n  scope.fetch = own;\n})(globalThis)",
    "for (const [key, value] of Object.entries({ fetch: own })) globalThis[key] = value",
];

/// What the function that replaces `fetch` does.
const REPLACEMENTS: &[&str] = &[
    "async function own(url, options) {\n  await writeFile(\"a\", String(url));\n  return await original(url, options);\n}",
    "async function own(url) {\n  const answer = await original(`${url}/${token}`);\n  token = answer.url;\n  return answer;\n}",
    "function own(url) {\n  token += 1;\n  return original(`${url}/${token}`);\n}",
    "async function own(url) {\n  return await original(url, { method: \"PUT\" });\n}",
    "async function own(url) {\n  const seen = await readFile(\"a\", \"utf8\");\n  await writeFile(\"a\", `${seen}+`);\n  return await original(`${url}/${seen}`);\n}",
];

/// How putting promises together becomes something that is seen.
const PROMISES: &[&str] = &[
    "const all = Promise.all;\nPromise.all = function (list) {\n  token += 1;\n  return all.call(this, list);\n}",
    "const all = Promise.all;\nObject.assign(Promise, {\n  all(list) {\n    token += 1;\n    return all.call(this, list);\n  },\n})",
    "const all = Promise.all;\nReflect.set(Promise, \"all\", function (list) {\n  token += 1;\n  return all.call(this, list);\n})",
    "const before = Promise;\nglobalThis.Promise = class extends before {\n  static all(list) {\n    token += 1;\n    return before.all(list);\n  }\n}",
    "const { Promise: P1 } = globalThis;\nconst all = P1.all;\nP1.all = (list) => {\n  token += 1;\n  return all.call(P1, list);\n}",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let token = code("let token = 0;");
    if generator.chance(25) {
        let way = generator.pick(PROMISES);
        let mut body: Vec<Stmt> = Vec::new();
        for (name, path) in [("v1", "\"a\""), ("v2", "\"b\""), ("v3", "\"c\"")] {
            body.push(read(name, "readFile", &[path, "\"utf8\""]));
        }
        body.push(give("[v1, v2, v3, token]"));
        return placed(generator, vec![token], way, body);
    }
    let way = generator.pick(WAYS);
    let items = vec![token, code("const original = fetch;"), code(generator.pick(REPLACEMENTS))];
    let mut body = Vec::new();
    for index in 1..=2 + generator.below(2) {
        let name = format!("v{index}");
        if generator.chance(15) {
            body.push(read(&name, "readFile", &["\"a\"", "\"utf8\""]));
            continue;
        }
        if generator.chance(10) {
            body.push(write("writeFile", &["\"b\"", "\"w\""]));
        }
        let host = generator.pick(&["one.example", "two.example"]);
        let url = format!("\"https://{host}/{}\"", generator.letter());
        body.push(read(&name, "fetch", &[&url]));
    }
    let names: Vec<String> = body.iter().filter_map(bound).collect();
    body.push(give(&format!("[token, {}]", names.join(", "))));
    placed(generator, items, way, body)
}

fn bound(stmt: &Stmt) -> Option<String> {
    match stmt {
        Stmt::Declare { pattern, .. } => Some(pattern.clone()),
        _ => None,
    }
}

/// The replacement stands at the top of the module, in `main`, or in a function that `main` calls.
fn placed(generator: &mut Generator, mut items: Vec<Item>, way: &str, body: Vec<Stmt>) -> Program {
    let mut main = Vec::new();
    match generator.below(4) {
        0 => main.push(Stmt::Expr(Expr::code(way))),
        1 => {
            items.push(function("function install()", vec![Stmt::Expr(Expr::code(way))]));
            main.push(Stmt::Expr(Expr::code("install()")));
        }
        _ => items.push(code(format!("{way};"))),
    }
    main.extend(body);
    items.push(function("export async function main()", main));
    Program { items }
}
