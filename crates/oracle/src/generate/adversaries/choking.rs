//! Functions that give a promise and throw before they return one, because of what a value is: what has started before
//! is rejected then, and nobody waits for it.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::Stmt;

/// What a path is made of, and a value for which that throws.
const VALUES: &[(&str, &str)] = &[
    ("String(it + 1)", "1n"),
    ("String(+it)", "1n"),
    ("String(Math.round(it))", "1n"),
    ("String(it() ?? 1)", "1"),
    ("String(it() ?? 1)", "class {}"),
    ("String(new it())", "() => 1"),
    ("`${it}`", "Symbol(\"k\")"),
    ("[it, \"k\"].join()", "Symbol(\"k\")"),
    ("`${it}`", "Object.create(null)"),
    ("String(\"k\".startsWith(it))", "/k/"),
    ("`${{ k: 1 }[it]}`", "Object.create(null)"),
    ("String([...it])", "1"),
    ("String([...it])", "{}"),
    ("String((() => { const early = late; const late = it; return early; })())", "1"),
    ("String(Map(it))", "[]"),
    ("String((function own() { own = it; })())", "1"),
    ("String(it.map())", "[1]"),
    ("String((() => { const get = it.get; return get(1); })())", "new Map()"),
    ("\"k\".concat(it)", "Symbol(\"k\")"),
    ("String(it + Symbol.iterator)", "\"k\""),
    ("(it + \".txt\")", "{ __proto__: null }"),
    ("String(new (class extends Map { constructor(n) { if (n > 5) super(); } })(it))", "1"),
    ("String((class { #m = 1; static has(o) { return #m in o; } }).has(it))", "1"),
    ("({ b: () => \"f1.txt\" })[it]()", "\"k\""),
    ("[() => \"f1.txt\"].find((get) => get === it)()", "1"),
    ("(it === \"b\" ? () => \"f1.txt\" : undefined)()", "\"k\""),
    ("(() => { let get; if (it === \"b\") get = () => \"f1.txt\"; return get(); })()", "1"),
    ("new ({ b: class { path = \"f1.txt\"; } }[it])().path", "\"k\""),
    ("({ get path() { return { b: { path: \"f1.txt\" } }[it].path; } }).path", "\"k\""),
    ("new URLSearchParams(it).toString()", "[[\"a\"]]"),
    ("(() => { if (it !== \"b\") throw new RangeError(it); return \"f1.txt\"; })()", "\"k\""),
    ("checked(it)", "\"k\""),
    ("checked(it)", "\"f1.txt\""),
    ("[\"b\"].map((name) => { if (name !== it) throw new Error(it); return name; })[0]", "\"k\""),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (path, value) = VALUES[generator.below(VALUES.len())];
    // Which of the two fails first.
    let first = ["\"missing\"", "\"f1.txt\""][generator.below(2)];
    // The same where nobody stands between the two.
    let second = match generator.below(3) {
        0 => read("v2", "readFile", &[path, "\"utf8\""]),
        _ => call("v2", "second", &["it"]),
    };
    let mut body = vec![read("v1", "readFile", &[first, "\"utf8\""]), second, give("[v1, v2]")];
    if generator.below(2) == 0 {
        body.swap(0, 1);
    }
    let items = vec![
        code(
            "function checked(it) {\n  if (it === \"k\") throw new RangeError(it);\n  return it;\n}",
        ),
        code(format!("function second(it) {{ return readFile({path}, \"utf8\"); }}")),
        function("async function load(it)", body),
        function(
            "export async function main()",
            vec![
                Stmt::code(format!("const it = [{value}, {value}][0]")),
                Stmt::code("try { return await load(it); } catch (e) { return e.name; }"),
            ],
        ),
    ];
    Program { items }
}
