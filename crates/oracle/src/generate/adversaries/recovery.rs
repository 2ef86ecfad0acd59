//! Callers that go on when something has failed, and remove or change what may still be read.

use super::{Generator, Program, call, code, function, give, operation, read, started, write};
use crate::tree::{Effect, Expr, Handler, Item, Stmt};

const LOAD: &str = "async function load(one, two)";

pub(super) fn program(generator: &mut Generator) -> Program {
    let folder = generator.pick(&["d", "e"]);
    let (one, two) = (format!("\"{folder}/a\""), format!("\"{folder}/b\""));
    let args: [&str; 2] = [&one, &two];
    let clean = match generator.below(3) {
        0 => write("rm", &[&format!("\"{folder}\""), "{ recursive: true, force: true }"]),
        1 => write("rm", &[&two, "{ recursive: true, force: true }"]),
        _ => write("rename", &[&format!("\"{folder}\""), "\"gone\""]),
    };
    let mut items = vec![loader(generator)];
    let main = match generator.below(13) {
        0 => vec![call_then(&args, "(it) => it, clean")],
        1 => vec![call_then_catch(&args, ".then((it) => `${it}!`).catch(clean)")],
        2 => vec![
            Stmt::Expr(Expr::code(format!("await Promise.allSettled([load({one}, {two})])"))),
            clean.clone(),
            give("\"settled\""),
        ],
        3 => vec![
            Stmt::constant("p1", started(operation("load", Effect::Call, &args), "")),
            Stmt::constant("v1", Expr::code("await p1.catch(clean)")),
            give("v1"),
        ],
        4 => {
            items.push(safe(&args));
            vec![call("v1", "safe", &[]), clean.clone(), give("v1")]
        }
        5 => {
            let body = vec![
                Stmt::constant(
                    "v1",
                    Expr::code(format!(
                        "await Promise.race([load({one}, {two}), load(\"r/a\", \"r/b\")]).catch(() => \"none\")"
                    )),
                ),
                clean.clone(),
            ];
            [body, vec![give("v1")]].concat()
        }
        6 => vec![retry(&args, clean.clone()), give("\"never\"")],
        7 => {
            // Many callers stand between the reads and who recovers.
            let mut callee = "load".to_owned();
            for index in 1..=7 {
                let name = format!("f{index}");
                let inner = call("v1", &callee, &["one", "two"]);
                items.push(function(
                    &format!("async function {name}(one, two)"),
                    vec![inner, give("v1")],
                ));
                callee = name;
            }
            vec![
                attempt(call("v1", &callee, &args), vec![clean.clone(), give("\"cleaned\"")]),
                give("\"done\""),
            ]
        }
        8 => vec![
            Stmt::constant("p1", started(operation("load", Effect::Call, &args), "")),
            attempt(Stmt::Expr(Expr::code("await p1")), vec![clean.clone()]),
            give("\"done\""),
        ],
        9 => vec![
            Stmt::Expr(Expr::code(format!("await load({one}, {two}).finally(clean)"))),
            give("\"done\""),
        ],
        10 => {
            let pick = "await Promise.any([load(ONE, TWO), Promise.resolve(\"other\")])";
            vec![
                Stmt::constant("v1", Expr::code(pick.replace("ONE", &one).replace("TWO", &two))),
                clean.clone(),
                give("v1"),
            ]
        }
        11 => {
            items.push(function(
                "async function both()",
                vec![
                    Stmt::constant(
                        "[v1]",
                        Expr::code(format!("await Promise.all([load({one}, {two})])")),
                    ),
                    give("v1"),
                ],
            ));
            vec![call_name_catch("both", ".catch(() => \"none\")"), clean.clone(), give("v1")]
        }
        _ => vec![
            attempt(call("v1", "load", &args), vec![Stmt::Expr(Expr::code("await clean()"))]),
            give("\"done\""),
        ],
    };
    items.push(function("async function clean()", vec![clean, give("\"cleaned\"")]));
    items.push(function("export async function main()", main));
    if generator.chance(30) {
        items.insert(0, code("const ROOT = \"r\";"));
    }
    Program { items }
}

/// Two reads, one after the other.
fn loader(generator: &mut Generator) -> Item {
    let (second, kind) = (generator.pick(&["readFile", "readFile", "stat"]), "\"utf8\"");
    let mut body = vec![
        read("v1", "readFile", &["one", kind]),
        match second {
            "stat" => read("v2", "stat", &["two"]),
            _ => read("v2", "readFile", &["two", kind]),
        },
    ];
    body.push(give(if second == "stat" { "v1 + v2.size" } else { "v1 + v2" }));
    function(LOAD, body)
}

/// `return await load(…).then(…)`
fn call_then(args: &[&str], handlers: &str) -> Stmt {
    call_then_catch(args, &format!(".then({handlers})"))
}

fn call_then_catch(args: &[&str], tail: &str) -> Stmt {
    let mut value = started(operation("load", Effect::Call, args), tail);
    value.0.insert(0, crate::tree::Piece::Code("await ".to_owned()));
    Stmt::Return(value)
}

/// `const v1 = await name().catch(…)`
fn call_name_catch(name: &str, tail: &str) -> Stmt {
    let mut value = started(operation(name, Effect::Call, &[]), tail);
    value.0.insert(0, crate::tree::Piece::Code("await ".to_owned()));
    Stmt::constant("v1", value)
}

/// A function that gives a default where something fails.
fn safe(args: &[&str]) -> Item {
    let body = attempt(call("v1", "load", args), vec![give("\"none\"")]);
    function("async function safe()", vec![body, give("\"done\"")])
}

/// `for (…) try { … } catch { … }`
fn retry(args: &[&str], clean: Stmt) -> Stmt {
    let turn = attempt(call("v1", "load", args), vec![clean]);
    Stmt::Loop { head: Expr::code("for (const attempt1 of [\"i\", \"j\"])"), body: vec![turn] }
}

fn attempt(stmt: Stmt, handler: Vec<Stmt>) -> Stmt {
    let handler = Some(Handler { parameter: None, body: handler });
    Stmt::Try { block: vec![stmt], handler, finalizer: None }
}
