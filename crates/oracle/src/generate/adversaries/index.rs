//! Commands that seem to read and bring the index of the repository up to date, before and after those
//! that show what is in it.

use super::{Trap, awaited};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Function, Item, Stmt};

const COMMANDS: &[&str] = &[
    "[\"status\", \"--porcelain\"]",
    "[\"diff\", \"--stat\"]",
    "[\"diff-files\", \"--name-only\"]",
    "[\"diff-index\", \"--name-only\", \"HEAD\"]",
    "[\"rev-parse\", \"HEAD\"]",
];

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let mut items = vec![Item::Code("const run = promisify(execFile);".to_owned())];
    let in_callee = of.chance(40);
    if in_callee {
        let output = awaited("run", Effect::Read, &["\"git\"", "args"]);
        let body = vec![Stmt::constant("output", output), Stmt::Return(Expr::code("output"))];
        let head = "async function git(...args)".to_owned();
        items.push(Item::Function(Function { head, body }));
    }
    let mut body = Vec::new();
    for _ in 0..2 + of.below(2) {
        let (name, args) = (of.name("v"), of.pick(COMMANDS));
        let call = match in_callee {
            true => awaited("git", Effect::Call, &[args.trim_matches(['[', ']'])]),
            false => awaited("run", Effect::Read, &["\"git\"", args]),
        };
        body.push(Stmt::constant(name.as_str(), call));
        scope.declare(&name, Kind::Output);
    }
    (items, body)
}
