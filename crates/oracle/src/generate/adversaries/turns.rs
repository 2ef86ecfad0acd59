//! Loops whose turns decide themselves whether they wait, recover or fail: tests around the operation and in
//! front of it, handlers that go on, end the loop or throw, writes to places of the turn's own or to a shared one.

use super::{Trap, code, operation, reads, waits};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Handler, Operation, Piece, Stmt};

/// What the loop goes over; each names `it`.
const HEADS: &[&str] = &[
    "for (const it of [\"i\", \"j\", \"d\"])",
    "for (const it of new Set([\"i\", \"j\", \"d\"]))",
    "for (const it of new Map([[\"i\", 1], [\"j\", 2], [\"d\", 3]]).keys())",
    "for (const [it, number] of Object.entries({ i: 1, j: 2, d: 3 }))",
    "for (const it of Object.keys({ i: 1, j: 2, d: 3 }))",
    "for (let it = 1; it <= 3; it++)",
    "for (let it = 0; it < 3; it++)",
    "for (let it = 2; it <= last; it += 1)",
    "for (let it = 0; it < out.length + 1 && it < 3; it++)",
];

/// What decides whether the operation starts, and what comes of it: the item alone, in the first few.
const TESTS: &[&str] = &[
    "it !== \"j\"",
    "it === \"j\"",
    "String(it).length > 1",
    "marks[it]",
    "(marks[it] ?? found)",
    "found",
    "out.length < 2",
    "count++ < 2",
    "notes.push(it) > 1",
    "Date.now() < 5",
];

/// What a turn waits for: reads of what the item names, the first few.
const OPERATIONS: &[(&str, &[&str], Effect)] = &[
    ("readFile", &["`d/${it}`", "\"utf8\""], Effect::Read),
    ("readFile", &["`d/${it}`", "\"utf8\""], Effect::Read),
    ("readFile", &["path", "\"utf8\""], Effect::Read),
    ("load", &["it"], Effect::Call),
    ("save", &["it"], Effect::Call),
    ("readFile", &["\"a\"", "\"utf8\""], Effect::Read),
    ("writeFile", &["`d/${it}`", "\"w\""], Effect::Write),
    ("appendFile", &["\"a\"", "`${it}`"], Effect::Write),
    ("rm", &["`d/${it}`", "{ force: true }"], Effect::Write),
    ("rename", &["`d/${it}`", "`e/${it}`"], Effect::Write),
];

const DECLARATIONS: &str = "const marks = { i: \"a\", d: \"b\", 1: \"c\" };\nconst notes = [];\n\
     const load = async (it) => (await readFile(`d/${it}`, \"utf8\")).trim();\n\
     const save = async (it) => { await writeFile(`d/${it}`, \"s\"); };\n\
     const last = 3";

pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let mut body = Vec::new();
    if of.below(2) == 0 {
        body.push(guard(of));
    }
    body.push(Stmt::constant("path", Expr::code("`d/${it}`")));
    let waits = waiting(of);
    body.extend(if of.below(2) == 0 { vec![attempt(of, waits)] } else { waits });
    if of.below(5) == 0 {
        body.push(guard(of));
    }
    if of.below(8) == 0 {
        let write = [
            operation("writeFile", Effect::Write, &["`d/${it}`", "\"after\""]),
            operation("writeFile", Effect::Write, &["`e/${it}`", "\"after\""]),
            operation("appendFile", Effect::Write, &["\"a\"", "\"after\""]),
        ];
        body.push(Stmt::Expr(Expr::awaited(write[of.below(write.len())].clone())));
    }
    scope.declare("out", Kind::List);
    scope.declare("found", Kind::Text);
    let head = often(of, HEADS);
    let statements = vec![
        Stmt::constant("out", Expr::code("[]")),
        Stmt::Declare { keyword: "let", pattern: "found".to_owned(), value: Expr::code("\"\"") },
        Stmt::Declare { keyword: "let", pattern: "count".to_owned(), value: Expr::code("0") },
        Stmt::Loop { head: Expr::code(head), body },
    ];
    (vec![code(DECLARATIONS)], statements)
}

/// `if (test) continue;` and what else ends a turn, or the loop.
fn guard(of: &mut Generator) -> Stmt {
    let test = Expr::code(often(of, TESTS));
    let then = match of.below(10) {
        0..=6 => Stmt::Jump("continue"),
        7 => Stmt::Jump("break"),
        8 => Stmt::Return(Expr::code("[\"early\"]")),
        _ => Stmt::Throw(Expr::code("new Error(`no ${it}`)")),
    };
    Stmt::If { test, then: vec![then], otherwise: Vec::new() }
}

/// One of the first few, mostly.
fn often<T: Copy>(of: &mut Generator, all: &[T]) -> T {
    let count = if of.below(4) == 0 { all.len() } else { 4 };
    all[of.below(count)]
}

fn picked(of: &mut Generator) -> Operation {
    let (callee, args, effect) = often(of, OPERATIONS);
    operation(callee, effect, args)
}

/// The operation of a turn, behind a test or not.
fn waiting(of: &mut Generator) -> Vec<Stmt> {
    let wait = Piece::Await(picked(of));
    let test = often(of, TESTS);
    let text = |it: String| Piece::Code(it);
    let within = |before: String, behind: &str| {
        Expr(vec![text(before), wait.clone(), text(behind.to_owned())])
    };
    let push = |value: Expr| {
        let mut pieces = vec![text("out.push(".to_owned())];
        pieces.extend(value.0);
        pieces.push(text(")".to_owned()));
        Stmt::Expr(Expr(pieces))
    };
    let plain = push(Expr(vec![wait.clone()]));
    match of.below(12) {
        0 => vec![push(within(format!("{test} && ("), ")"))],
        1 => vec![push(within(format!("{test} || ("), ")"))],
        2 => vec![push(within(format!("({test}) ?? ("), ")"))],
        3 => vec![push(within(format!("{test} ? "), " : \"other\""))],
        4 => vec![push(within(format!("{test} ? \"other\" : "), ""))],
        5 => vec![Stmt::If { test: Expr::code(test), then: vec![plain], otherwise: Vec::new() }],
        6 => {
            let then = vec![Stmt::code("out.push(\"then\")")];
            vec![Stmt::If { test: Expr::code(test), then, otherwise: vec![plain] }]
        }
        7 => {
            let test = within(format!("{test} || ("), ")");
            let then = vec![Stmt::code("found += it")];
            vec![Stmt::If { test, then, otherwise: Vec::new() }]
        }
        8 => vec![Stmt::Expr(within(format!("found {}= ", ["||", "??", "&&"][of.below(3)]), ""))],
        9 => vec![
            waits("writeFile", Effect::Write, &["`d/${it}`", "\"own\""]),
            reads("seen", "`d/${it}`"),
            Stmt::code("out.push(seen)"),
        ],
        _ => vec![plain],
    }
}

/// `try` around it, whose handler goes on, ends the loop, or throws.
fn attempt(of: &mut Generator, block: Vec<Stmt>) -> Stmt {
    let rethrow = || Stmt::Throw(Expr::code("error"));
    let only = |then| Stmt::If {
        test: Expr::code("error.code === \"ENOENT\""),
        then: vec![then],
        otherwise: Vec::new(),
    };
    let body = match of.below(9) {
        0 => vec![Stmt::Jump("continue")],
        1 => vec![only(Stmt::Jump("continue")), rethrow()],
        2 => vec![Stmt::Throw(Expr::code("new Error(`failed ${it}`)"))],
        3 => vec![Stmt::code("out.push(error.message)")],
        4 => vec![Stmt::code("found = \"failed\"")],
        5 => vec![Stmt::Jump("break")],
        6 => vec![Stmt::Return(Expr::code("[\"failed\"]"))],
        7 => {
            let path = ["`d/${it}`", "\"d/j\"", "\"log\""][of.below(3)];
            vec![Stmt::Expr(Expr::awaited(operation(
                "appendFile",
                Effect::Write,
                &[path, "\"failed\""],
            )))]
        }
        _ => vec![rethrow()],
    };
    let handler = Some(Handler { parameter: Some("error".to_owned()), body });
    let finalizer = (of.below(5) == 0).then(|| vec![Stmt::code("notes.push(\"end\")")]);
    Stmt::Try { block, handler, finalizer }
}
