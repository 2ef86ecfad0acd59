//! Writes that nobody waits for yet, before a read of the same: only the order in which they start keeps
//! it right.

use super::{Trap, awaited, reads, waits};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Function, Item, Stmt};

/// What writes later, as a statement. `save` and `leave` are functions of the program.
const STARTS: &[&str] = &[
    "unlink(\"u/b\").catch(() => {})",
    "writeFile(\"u/b\", \"w\").then(() => {}, () => {})",
    "Promise.resolve().then(() => writeFile(\"u/b\", \"w\")).catch(() => {})",
    "setImmediate(() => { unlink(\"u/b\").catch(() => {}); })",
    "createWriteStream(\"u/b\").end(\"w\")",
    "save(\"u/b\").catch(() => {})",
    "leave(\"u/b\")",
    "await kept(\"u/b\")",
    "await Promise.all([\"u/b\"].map((path) => unlink(path)))",
    "await Promise.all([\"u/b\"].map(function (path) { return unlink(path); }))",
    "await Promise.allSettled([\"u/b\"].map((path) => leave(path)))",
];

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let (mut items, mut body) = (Vec::new(), Vec::new());
    if of.chance(50) {
        // What comes behind the write could start in front of it: then nothing gives the write its time.
        let before = of.name("v");
        body.push(reads(&before, "\"e\""));
        scope.declare(&before, Kind::Text);
    }
    let is_named = of.chance(25);
    if is_named {
        body.push(Stmt::code("const p0 = unlink(\"u/b\")"));
        body.push(Stmt::code("p0.catch(() => {})"));
    } else {
        let start = of.pick(STARTS);
        let helpers = [
            ("save(", "async function save(path)", "await access(\"u/z\"), await unlink(path)"),
            ("leave(", "function leave(path)", "unlink(path).catch(() => {})"),
            ("kept(", "async function kept(path)", "void unlink(path).catch(() => {})"),
        ];
        for (name, head, code) in helpers.iter().filter(|it| start.contains(it.0)) {
            debug_assert!(head.contains(name), "the function that is called");
            let body = vec![Stmt::code(*code)];
            items.push(Item::Function(Function { head: (*head).to_owned(), body }));
        }
        body.push(Stmt::code(start));
    }
    let first = of.name("v");
    body.push(reads(&first, "\"a\""));
    scope.declare(&first, Kind::Text);
    if is_named {
        body.push(Stmt::code("await p0.catch(() => {})"));
    }
    let second = of.name("v");
    if of.chance(30) {
        // Whoever calls it has left the write under way.
        let inner = vec![
            reads("one", "\"c\""),
            reads("two", "\"u/b\""),
            Stmt::Return(Expr::code("one + two")),
        ];
        let head = "async function both()".to_owned();
        items.push(Item::Function(Function { head, body: inner }));
        body.push(Stmt::constant(second.as_str(), awaited("both", Effect::Call, &[])));
    } else {
        body.push(reads(&second, "\"u/b\""));
    }
    scope.declare(&second, Kind::Text);
    if of.chance(30) {
        body.push(waits("access", Effect::Read, &["\"d\""]));
    }
    (items, body)
}
