//! Work that a statement leaves going on between two waits, and that what stands behind the second wait looks
//! at: it has all the time that the second operation takes, and has to keep it.

use super::{Trap, code, reads};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::Stmt;

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
    let mut body = vec![reads(&first, "\"a\"")];
    if of.chance(20) {
        // In each turn of a loop, what it has left is looked at in the next.
        let all = of.name("v");
        let turn = format!(
            "await readFile(name, \"utf8\"); {all} += noted.text; noted.text = \"\"; save();"
        );
        body.push(Stmt::code(format!("let {all} = \"\"")));
        body.push(Stmt::code(format!("for (const name of [\"a\", \"b\", \"c\"]) {{ {turn} }}")));
        scope.declare(&all, Kind::Text);
    } else {
        body.push(start);
    }
    body.push(reads(&second, "\"b\""));
    body.push(Stmt::code(format!("const {seen} = noted.text")));
    for name in [&first, &second, &seen] {
        scope.declare(name, Kind::Text);
    }
    (vec![code(DECLARED)], body)
}
