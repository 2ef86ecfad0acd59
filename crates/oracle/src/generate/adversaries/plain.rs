//! Functions that give a plain value on one way and a promise on another: what is started early and has a name is used as
//! a promise before it is waited for.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::Stmt;

/// What gives a value or the promise of a file, by what it is given.
const GIVING: &[&str] = &[
    "({ k: \"plain\" })[it] ?? readFile(it, \"utf8\")",
    "new Map([[\"k\", 1]]).get(it) ?? readFile(it, \"utf8\")",
    "it !== \"k\" && readFile(it, \"utf8\")",
    "it === \"k\" ? null : readFile(it, \"utf8\")",
    "it === \"k\" ? undefined : readFile(it, \"utf8\")",
    "[\"plain\"].find(() => it === \"k\") ?? readFile(it, \"utf8\")",
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let giving = GIVING[generator.below(GIVING.len())];
    let asked = ["\"k\"", "\"a\""][generator.below(2)];
    let mut body = vec![
        read("v1", "readFile", &["\"b\"", "\"utf8\""]),
        Stmt::code("console.log(\"read\")"),
        call("v2", "second", &[asked]),
        give("[v1, v2]"),
    ];
    if generator.chance(30) {
        body.remove(1);
    }
    let items = vec![
        code(format!("function second(it) {{ return {giving}; }}")),
        function("export async function main()", body),
    ];
    Program { items }
}
