//! Work that a statement leaves going on between two waits, and that what stands behind the second wait looks
//! at: it has all the time that the second operation takes, and has to keep it.

use super::{Trap, call, code, function, reads};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Expr, Stmt};

/// What leaves work going on. `save`, `leave` and `Starter` belong to the program.
const STARTS: &[&str] = &[
    "save()",
    "void save()",
    "leave()",
    "new Starter()",
    "const starter = new Starter()",
    "slow().then((it) => { noted.text = it; })",
    "queueMicrotask(() => { queueMicrotask(() => { noted.text = \"saved\"; }); })",
    "setImmediate(() => { noted.text = \"saved\"; })",
];

const DECLARED: &str = "const noted = { text: \"\" };
async function slow() { await null; await null; await null; return \"slow\"; }
async function save() { await null; await null; noted.text = \"saved\"; }
function leave() { slow().then((it) => { noted.text = it; }); }
class Starter {
  constructor() { this.init(); }
  async init() { await null; await null; noted.text = \"made\"; }
}";

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let (first, second, seen) = (of.name("v"), of.name("v"), of.name("v"));
    let start = Stmt::code(of.pick(STARTS));
    let (mut items, mut body) = (vec![code(DECLARED)], Vec::new());
    if of.chance(30) {
        // What is waited for has left it.
        let text = Stmt::Return(Expr::code("text"));
        items.push(function("async function load(path)", vec![reads("text", "path"), start, text]));
        body.push(call(&first, "load", &["\"a\""]));
    } else if of.chance(20) {
        body.push(reads(&first, "\"a\""));
        // In each turn of a loop, what it has left is looked at in the next.
        let all = of.name("v");
        let turn = format!(
            "await readFile(name, \"utf8\"); {all} += noted.text; noted.text = \"\"; save();"
        );
        body.push(Stmt::code(format!("let {all} = \"\"")));
        body.push(Stmt::code(format!("for (const name of [\"a\", \"b\", \"c\"]) {{ {turn} }}")));
        scope.declare(&all, Kind::Text);
    } else {
        body.push(reads(&first, "\"a\""));
        body.push(start);
    }
    body.push(reads(&second, "\"b\""));
    body.push(Stmt::code(format!("const {seen} = noted.text")));
    for name in [&first, &second, &seen] {
        scope.declare(name, Kind::Text);
    }
    (items, body)
}
