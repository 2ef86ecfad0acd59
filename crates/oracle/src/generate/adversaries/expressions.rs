//! Awaits in one expression, of which some write, take a lock or open something.

use super::{Trap, operation};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Piece, Stmt};

const OPERATIONS: &[(&str, &[&str], Effect)] = &[
    ("readFile", &["\"a\"", "\"utf8\""], Effect::Read),
    ("readFile", &["\"b\"", "\"utf8\""], Effect::Read),
    ("readFile", &["\"/dev/stdin\"", "\"utf8\""], Effect::Read),
    ("open", &["\"a\""], Effect::Read),
    ("open", &["\"l/k\"", "\"wx\""], Effect::Write),
    ("appendFile", &["\"a\"", "\"x\""], Effect::Write),
    ("unlink", &["\"b\""], Effect::Write),
];

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let name = of.name("v");
    let mut pieces = vec![Piece::Code("[".to_owned())];
    for index in 0..2 + of.below(2) {
        if index > 0 {
            pieces.push(Piece::Code(", ".to_owned()));
        }
        let (callee, args, effect) = OPERATIONS[of.below(OPERATIONS.len())];
        pieces.push(Piece::Await(operation(callee, effect, args)));
    }
    pieces.push(Piece::Code("]".to_owned()));
    scope.declare(&name, Kind::Text);
    (Vec::new(), vec![Stmt::constant(name, Expr(pieces))])
}
