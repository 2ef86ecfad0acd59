//! Operations that run only sometimes, in the middle of an expression: `test && (await read())`.

use super::{Generator, Program, call, code, function, give, operation};
use crate::tree::{Effect, Expr, Item, Piece, Stmt};

/// What stands around the operation. `v1` is what has been read before, `state` what that may change.
const AROUND: &[(&str, &str)] = &[
    ("v1.endsWith(\"1\") && (", ")"),
    ("v1.endsWith(\"1\") || (", ")"),
    ("v1.endsWith(\"1\") ? ", " : \"none\""),
    ("state.text ?? (", ")"),
    ("state.isReady && (", ")"),
    ("!state.isReady || (", ")"),
    ("state.isReady ? \"none\" : ", ""),
    ("`${v1.length > 2 && (", ")}`"),
    ("(v1.endsWith(\"1\") ? state.text : undefined) ?? (", ")"),
    ("FLAGS.one && v1.endsWith(\"1\") && (", ")"),
];

/// What is called first.
const FIRSTS: &[&str] = &[
    "async function load(path) {\n  const text = await readFile(path, \"utf8\");\n  state.isReady = text.endsWith(\"1\");\n  return text;\n}",
    "async function load(path) {\n  const text = await readFile(path, \"utf8\");\n  state.text = text.endsWith(\"1\") ? text : undefined;\n  return text;\n}",
    "async function load(path) {\n  return await readFile(path, \"utf8\");\n}",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (before, after) = AROUND[generator.below(AROUND.len())];
    let path = generator.pick(&["\"b\"", "`d/${state.isReady}`", "`d/${v1}`", "\"e\""]);
    let second = operation("readFile", Effect::Read, &[path, "\"utf8\""]);
    let pieces =
        vec![Piece::Code(before.to_owned()), Piece::Await(second), Piece::Code(after.to_owned())];
    let mut body = vec![call("v1", "load", &["\"a\""])];
    if generator.chance(25) {
        body.push(Stmt::code("state.isReady = !state.isReady"));
    }
    body.push(Stmt::constant("v2", Expr(pieces)));
    if generator.chance(30) {
        body.push(super::reads("v3", "\"c\""));
        body.push(Stmt::code("state.text = v3"));
    }
    body.push(give("[v1, v2, state.text]"));
    let items: Vec<Item> = vec![
        code("const state = { isReady: false, text: undefined };\nconst FLAGS = { one: true };"),
        code(FIRSTS[generator.below(FIRSTS.len())]),
        function("export async function main()", body),
    ];
    Program { items }
}
