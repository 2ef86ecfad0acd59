//! Inputs that reading consumes, or that change by themselves: standard input, `/proc`, the position of
//! an open file, a path that the program is told.

use super::{Trap, awaited, reads};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Function, Item, Stmt};

/// Ways to write the path of standard input.
const STDIN: &[&str] = &[
    "given()",
    "given.path",
    "given.paths[0]",
    "new URL(\"file:///dev/stdin\")",
    "Buffer.from(\"/dev/stdin\")",
    "\"/tmp/../dev/stdin\"",
    "\"../../../../../../../../dev/stdin\"",
    "\"/dev/stdin\"",
    "\"/dev/fd/0\"",
    "`/dev/stdin`",
    "`/dev/${\"stdin\"}`",
    "`/dev/fd/${0}`",
    "\"/dev/\" + \"stdin\"",
    "join(\"/dev\", \"stdin\")",
    "join(\"/\", \"dev\", \"stdin\")",
    "process.argv[9] ?? \"/dev/stdin\"",
];

/// Ways to write the path of what is another one whenever it is read.
const SAMPLED: &[&str] = &[
    "\"/proc/self/io\"",
    "`/proc/${\"self\"}/io`",
    "`/proc/self/${\"io\"}`",
    "join(\"/proc\", \"self\", \"io\")",
    "join(`/proc/${\"self\"}`, \"io\")",
    "\"/proc/\" + \"self/io\"",
];

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let (first, second) = (of.name("v"), of.name("v"));
    let (mut items, mut body) = (Vec::new(), Vec::new());
    let in_callee = of.chance(40);
    let helper = || {
        let text = awaited("readFile", Effect::Read, &["file", "\"utf8\""]);
        let name = Stmt::constant("text", text);
        let body = vec![name, Stmt::Return(Expr::code("text"))];
        Item::Function(Function { head: "async function take(file)".to_owned(), body })
    };
    let taken = |name: &str, path: &str| match in_callee {
        true => Stmt::constant(name, awaited("take", Effect::Call, &[path])),
        false => reads(name, path),
    };
    if in_callee {
        items.push(helper());
    }
    match of.below(5) {
        // What comes in is read to its end by the first of them.
        0 => {
            let path = of.pick(STDIN);
            if path.starts_with("given") {
                let given = "const given = Object.assign(() => \"/dev/stdin\", { path: \"/dev/stdin\", paths: [\"/dev/stdin\"] });";
                items.push(Item::Code(given.to_owned()));
            }
            body.extend([taken(&first, path), taken(&second, path)]);
        }
        // If the first one fails, nothing has been taken.
        1 => body.extend([reads(&first, "\"a\""), taken(&second, "\"/dev/stdin\"")]),
        // What is between two samples is measured by them.
        2 => {
            let between = of.name("v");
            let path = of.pick(SAMPLED);
            body.push(taken(&first, path));
            body.push(reads(&between, "\"a\""));
            body.push(taken(&second, path));
            scope.declare(&between, Kind::Text);
        }
        3 => {
            items.push(Item::Code("const input = `${process.argv[2]}`;".to_owned()));
            body.extend([taken(&first, "input"), taken(&second, "input")]);
        }
        _ => {
            let handle = of.name("h");
            body.push(Stmt::constant(handle.as_str(), awaited("open", Effect::Read, &["\"a\""])));
            let names = of.name("n");
            let held = of.pick(&[
                "{ one: @, other: @ }",
                "{ get one() { return @; }, get other() { return @; } }",
            ]);
            let held = held.replace('@', &handle);
            match of.below(3) {
                0 => body.extend([taken(&first, &handle), taken(&second, &handle)]),
                // It has two names.
                1 => {
                    body.push(Stmt::constant(names.as_str(), Expr::code(&handle)));
                    body.extend([taken(&first, &handle), taken(&second, &names)]);
                }
                _ => {
                    body.push(Stmt::constant(names.as_str(), Expr::code(&held)));
                    let (one, other) = (format!("{names}.one"), format!("{names}.other"));
                    body.extend([taken(&first, &one), taken(&second, &other)]);
                }
            }
            let close = format!("{handle}.close");
            body.push(super::waits(&close, Effect::Write, &[]));
        }
    }
    scope.declare(&first, Kind::Text);
    scope.declare(&second, Kind::Text);
    (items, body)
}
