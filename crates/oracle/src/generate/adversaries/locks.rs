//! Files that serve as locks: of two tasks that take the same one, one fails, and what it guards is
//! read and written by whoever holds it.

use super::{Trap, awaited, operation, reads, waits};
use crate::generate::Generator;
use crate::generate::scope::{Kind, Scope};
use crate::tree::{Effect, Expr, Function, Item, Operation, Stmt};

/// How a lock is taken, and how it is given back. `PATH` is the lock, `AT` stands in front of what
/// the task shares with the other one.
const WAYS: &[(&str, &[&str], &str)] = &[
    ("open", &["`${at}l/k`", "\"wx\""], "rm"),
    ("open", &["`${at}l/k`", "\"ax+\""], "rm"),
    ("open", &["`${at}l/k`", "flags"], "rm"),
    ("mkdir", &["`${at}l/k`"], "rmdir"),
    ("link", &["`${at}g/own`", "`${at}l/k`"], "unlink"),
    ("symlink", &["\"g/own\"", "`${at}l/k`"], "unlink"),
    ("writeFile", &["`${at}l/k`", "\"held\"", "{ flag: \"wx\" }"], "rm"),
    ("copyFile", &["`${at}g/own`", "`${at}l/k`", "constants.COPYFILE_EXCL"], "rm"),
    ("copyFile", &["`${at}g/own`", "`${at}l/k`", "1"], "rm"),
    ("cp", &["`${at}g/own`", "`${at}l/k`", "{ errorOnExist: true, force: false }"], "rm"),
    // Whoever moves it has it.
    ("rename", &["`${at}l/free`", "`${at}l/k`"], "rename"),
];

/// The other task and what it shares with `main`: the same lock, the same file.
pub(super) fn make(of: &mut Generator, scope: &mut Scope) -> Trap {
    let index = of.below(WAYS.len());
    let (callee, args, release) = WAYS[index];
    let in_callee = of.chance(50);
    let (mut items, mut body) = (Vec::new(), Vec::new());
    if args.contains(&"flags") {
        items.push(Item::Code("const flags = [\"w\", \"x\"].join(\"\");".to_owned()));
    }
    let take = |at: &str| -> Operation {
        match in_callee {
            true => operation("take", Effect::Call, &[&format!("\"{at}\"")]),
            false => {
                let args: Vec<String> = args.iter().map(|it| plain(it, at)).collect();
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                operation(callee, Effect::Write, &args)
            }
        }
    };
    if in_callee {
        let inner = Stmt::Expr(awaited(callee, Effect::Write, args));
        let head = "async function take(at)".to_owned();
        items.push(Item::Function(Function { head, body: vec![inner] }));
    }
    items.push(Item::Function(other(of, Stmt::Expr(Expr::awaited(take("o/../"))), release)));
    if of.chance(50) {
        let before = of.name("v");
        body.push(reads(&before, "\"a\""));
        scope.declare(&before, Kind::Text);
    }
    body.push(match (callee, of.chance(30)) {
        ("open", true) if !in_callee => Stmt::constant(of.name("h"), Expr::awaited(take(""))),
        _ => Stmt::Expr(Expr::awaited(take(""))),
    });
    let guarded = of.name("v");
    body.push(reads(&guarded, "\"g/n\""));
    scope.declare(&guarded, Kind::Text);
    if of.chance(40) {
        let second = of.name("v");
        body.push(reads(&second, "\"g/m\""));
        scope.declare(&second, Kind::Text);
    }
    body.push(waits("writeFile", Effect::Write, &["\"g/n\"", &format!("`${{{guarded}}}m`")]));
    body.push(released(release, ""));
    (items, body)
}

/// The text of an argument for a task that puts this in front of what is shared.
fn plain(argument: &str, at: &str) -> String {
    argument.replace("${at}", at).replace('`', "\"")
}

fn released(release: &str, at: &str) -> Stmt {
    let (lock, free) = (format!("\"{at}l/k\""), format!("\"{at}l/free\""));
    match release {
        "rename" => waits("rename", Effect::Write, &[&lock, &free]),
        "rm" => waits("rm", Effect::Write, &[&lock, "{ recursive: true, force: true }"]),
        _ => waits(release, Effect::Write, &[&lock]),
    }
}

fn other(of: &mut Generator, take: Stmt, release: &str) -> Function {
    let mut body = vec![take, reads("seen", "\"o/../g/n\"")];
    body.push(waits("writeFile", Effect::Write, &["\"o/../g/n\"", "`${seen}o`"]));
    if of.chance(70) {
        body.push(released(release, "o/../"));
    }
    body.push(Stmt::Return(Expr::code("seen")));
    Function { head: "export async function other()".to_owned(), body }
}
