//! Operations that give something to close: where one fails, the others may not have been started, or
//! nobody closes what they give.

use super::{Trap, awaited, reads, waits};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Function, Item, Stmt};

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let mut items = Vec::new();
    if of.chance(40) {
        items.push(Item::Function(source(of)));
    }
    let has_source = !items.is_empty();
    let mut body = Vec::new();
    if of.chance(60) {
        let name = of.name("v");
        body.push(reads(&name, "\"a\""));
        scope.declare(&name, Kind::Text);
    }
    let count = 1 + of.below(2) + usize::from(body.is_empty());
    let mut handles = Vec::new();
    for index in 0..count {
        let (name, path) = (of.name("h"), format!("\"x/{index}\""));
        let (callee, args): (&str, &[&str]) = match of.below(5) {
            0 => ("open", &[&path, "\"r\""]),
            1 => ("opendir", &[&path]),
            2 if has_source => ("source", &[&path]),
            3 if has_source => ("source", &["\"x/s\""]),
            _ => ("open", &[&path]),
        };
        body.push(Stmt::constant(name.as_str(), awaited(callee, Effect::Read, args)));
        handles.push(name);
    }
    for handle in handles {
        body.push(waits(&format!("{handle}.close"), Effect::Write, &[]));
    }
    (items, body)
}

/// A function that gives what it has opened.
fn source(of: &mut Generator) -> Function {
    let opened = awaited("open", Effect::Read, &["path"]);
    let body = match of.below(3) {
        0 => vec![Stmt::Return(opened)],
        1 => vec![
            Stmt::constant("file", opened),
            waits("stat", Effect::Read, &["\"b\""]),
            Stmt::Return(Expr::code("file")),
        ],
        _ => vec![
            Stmt::constant("file", opened),
            Stmt::Return(Expr::code("{ file, close: () => file.close() }")),
        ],
    };
    Function { head: "async function source(path)".to_owned(), body }
}
