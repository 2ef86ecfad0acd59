//! Names that an operation gives a value, and that something in front of it looks at: a closure, which finds no value
//! there, or the one of the turn before.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::Stmt;

/// What looks at `v2` in front of its declaration: what stands at the beginning, and what gives what it has seen.
const LOOKS: &[(&str, &str)] = &[
    ("const see = () => { try { return v2; } catch { return \"none\"; } }", "see()"),
    ("const see = () => { try { return v2; } catch { return \"none\"; } }", "[1].map(see)"),
    ("const it = { get seen() { try { return v2; } catch { return 0; } } }", "it.seen"),
    ("const it = { toString() { try { return v2; } catch { return \"\"; } } }", "`${it}`"),
    ("class It { seen = (() => { try { return v2; } catch { return 0; } })() }", "new It().seen"),
    (
        "function see(seen = typeof v2) { return seen; }",
        "(() => { try { return see(); } catch { return 0; } })()",
    ),
];

pub(super) fn program(generator: &mut Generator) -> Program {
    let (declared, look) = LOOKS[generator.below(LOOKS.len())];
    let seen = Stmt::code(format!("const seen = {look}"));
    let mut body = vec![Stmt::code(declared), read("v1", "readFile", &["\"a\"", "\"utf8\""]), seen];
    if generator.chance(40) {
        // What is looked at moves along with the operation that needs it.
        body.push(Stmt::code("const v2 = \"b\" + \"\""));
        body.push(read("v3", "readFile", &["v2", "\"utf8\""]));
        body.push(give("[v1, seen, v2, v3]"));
    } else {
        body.push(read("v2", "readFile", &["\"b\"", "\"utf8\""]));
        // What starts in front of this reads another file.
        body.push(call("v3", "count", &[]));
        body.push(read("v4", "readFile", &["state.count ? \"c\" : \"d\"", "\"utf8\""]));
        body.push(give("[v1, seen, v2, v3, v4]"));
    }
    let counting = vec![
        read("text", "readFile", &["\"a\"", "\"utf8\""]),
        Stmt::code("state.count += 1"),
        give("text"),
    ];
    let items = vec![
        code("const state = { count: 0 };"),
        function("async function count()", counting),
        function("export async function main()", body),
    ];
    Program { items }
}
