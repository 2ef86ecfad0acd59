//! State that methods of built-in objects look at: what they give decides which file is read, and an
//! earlier statement changes it, or another task.

mod changing;
mod looking;
mod objects;

use changing::CHANGING;
use looking::WAYS;
use objects::STATES;

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::{Expr, Item, Stmt};

/// How a program changes the object.
struct Change {
    /// What it declares for that.
    declared: Option<&'static str>,
    /// What it changes, called `it`.
    core: &'static str,
    /// The statement.
    statement: String,
}

impl Change {
    /// In half of all programs as it stands, else by a way to it.
    fn of(generator: &mut Generator, changes: &'static str) -> Self {
        if generator.chance(50) {
            return Self { declared: None, core: changes, statement: changes.to_owned() };
        }
        let (declared, statement) = CHANGING[generator.below(CHANGING.len())];
        let statement = within(statement, changes);
        Self { declared: (!declared.is_empty()).then_some(declared), core: changes, statement }
    }

    /// What it declares; an import stands for itself.
    fn items(&self, items: &mut Vec<Item>) {
        let Some(declared) = self.declared else { return };
        let (import, rest) = match declared.strip_prefix("import ").and(declared.split_once("; ")) {
            Some((import, rest)) => (Some(import), rest),
            None => (None, declared),
        };
        items.extend(import.map(|import| code(format!("{import};"))));
        items.push(code(within(rest, self.core)));
    }
}

/// A text whose `$S` changes what is called `it`.
fn within(text: &str, changes: &str) -> String {
    text.replace("$S", &changes.replace("kept", "it"))
}

pub(super) fn program(generator: &mut Generator) -> Program {
    let (made, changes, looks) = STATES[generator.below(STATES.len())];
    let look = looks[generator.below(looks.len())];
    let (mut declaration, mut look) = (format!("const kept = {made}"), look.to_owned());
    let has_way = generator.chance(40);
    if has_way {
        let (way, there) = WAYS[generator.below(WAYS.len())];
        declaration = format!("{declaration}; {way}");
        look = look.replace("kept", there);
    }
    let choice = format!("{look} ? \"b\" : \"c\"");
    let change = Change::of(generator, changes);
    let is_elsewhere = generator.chance(25);
    let is_local = !is_elsewhere && generator.chance(30);
    let mut items: Vec<Item> = Vec::new();
    change.items(&mut items);
    let mut body: Vec<Stmt> = Vec::new();
    if is_local {
        body.push(Stmt::Expr(Expr::code(declaration.as_str())));
    } else {
        items.push(code(format!("{declaration};")));
    }
    if !is_elsewhere && !is_local && generator.chance(30) {
        return looked_at_late(items, &choice, &change.statement);
    }
    if is_elsewhere {
        body.push(read("v1", "readFile", &["\"a\"", "\"utf8\""]));
        let changes = vec![Stmt::Expr(Expr::code(change.statement.as_str()))];
        items.push(function("export async function other()", changes));
    } else if is_local || generator.chance(30) {
        body.push(read("v1", "readFile", &["\"a\"", "\"utf8\""]));
        body.push(Stmt::Expr(Expr::code(change.statement.as_str())));
    } else {
        let load = vec![
            read("text", "readFile", &["\"a\"", "\"utf8\""]),
            Stmt::Expr(Expr::code(change.statement.as_str())),
            give("text"),
        ];
        items.push(function("async function load()", load));
        body.push(call("v1", "load", &[]));
    }
    if generator.chance(25) {
        let handed = match (is_local, has_way) {
            (false, _) => "",
            (true, true) => "kept, way",
            (true, false) => "kept",
        };
        items.push(code(format!("const which = ({handed}) => ({choice});")));
        let which = format!("which({handed})");
        body.push(read("v2", "readFile", &[which.as_str(), "\"utf8\""]));
    } else if generator.chance(25) {
        body.push(Stmt::constant("path", Expr::code(choice.as_str())));
        body.push(read("v2", "readFile", &["path", "\"utf8\""]));
    } else {
        body.push(read("v2", "readFile", &[&choice, "\"utf8\""]));
    }
    body.push(give("[v1, v2]"));
    items.push(function("export async function main()", body));
    Program { items }
}

/// Who looks does so behind a wait of its own, and who changes something does so at once.
fn looked_at_late(mut items: Vec<Item>, choice: &str, change: &str) -> Program {
    let look = vec![
        read("text", "readFile", &["\"a\"", "\"utf8\""]),
        Stmt::constant("found", Expr::code(choice)),
        give("text + found"),
    ];
    let change = vec![
        Stmt::Expr(Expr::code(change)),
        read("text", "readFile", &["\"b\"", "\"utf8\""]),
        give("text"),
    ];
    items.push(function("async function look()", look));
    items.push(function("async function begin()", change));
    let body = vec![call("v1", "look", &[]), call("v2", "begin", &[]), give("[v1, v2]")];
    items.push(function("export async function main()", body));
    Program { items }
}
