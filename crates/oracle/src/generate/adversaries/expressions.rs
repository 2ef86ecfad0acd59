//! Awaits in one expression, or inside the array of a `Promise.all`, of which some write, take a lock or
//! open something.

use super::{Trap, code, operation};
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

/// What stands around the awaits: before them, between them, behind them.
const FORMS: &[(&str, &str, &str)] = &[
    ("[", ", ", "]"),
    ("await Promise.all([", ", ", "])"),
    ("await Promise.all([note(\"first\"), ", ", ", "])"),
    ("await Promise.all([", ", note(\"between\"), ", "])"),
    ("(await Promise.all([", ", ", "])).join()"),
];

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let name = of.name("v");
    let (before, between, behind) = FORMS[of.below(FORMS.len())];
    let mut pieces = vec![Piece::Code(before.to_owned())];
    for index in 0..2 + of.below(2) {
        if index > 0 {
            pieces.push(Piece::Code(between.to_owned()));
        }
        let (callee, args, effect) = OPERATIONS[of.below(OPERATIONS.len())];
        let operation = operation(callee, effect, args);
        // One that is only started runs beside those that follow.
        let is_started = between == ", " && before.starts_with("await") && of.below(2) == 0;
        let piece = if is_started { Piece::Start(operation) } else { Piece::Await(operation) };
        pieces.push(piece);
    }
    pieces.push(Piece::Code(behind.to_owned()));
    scope.declare(&name, Kind::Text);
    let mut statements = Vec::new();
    if of.below(2) == 0 {
        let (callee, args, effect) = OPERATIONS[of.below(2)];
        let earlier = of.name("v");
        scope.declare(&earlier, Kind::Text);
        let read = Expr(vec![Piece::Await(operation(callee, effect, args))]);
        statements.push(Stmt::constant(earlier, read));
    }
    statements.push(Stmt::constant(name, Expr(pieces)));
    let notes = "const notes = [];\nconst note = (text) => notes.push(text)";
    (vec![code(notes)], statements)
}
