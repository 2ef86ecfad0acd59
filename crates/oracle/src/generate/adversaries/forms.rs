//! Programs of one form: two operations in a row, the first of which does something that the second depends
//! on, though that does not show where they stand.

use super::{Generator, Program, call, code, function, give, read};
use crate::tree::{Item, Stmt};

/// One way to hide it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Form {
    /// What stands in front of all functions.
    pub(super) declared: &'static str,
    /// The head of the function that the operations stand in, and what `main` does to call it; none where they
    /// stand in `main`.
    pub(super) within: Option<(&'static str, &'static [&'static str])>,
    /// The first operation: what is called, with what.
    pub(super) first: (&'static str, &'static str),
    /// Which file the second operation reads.
    pub(super) second: &'static str,
}

/// A program with one of some forms, and perhaps more reads around it.
pub(super) fn program(generator: &mut Generator, forms: &[Form]) -> Program {
    let form = forms[generator.below(forms.len())];
    let mut body: Vec<Stmt> = Vec::new();
    let mut given = vec!["v1", "v2"];
    if generator.chance(30) {
        body.push(read("v0", "readFile", &["\"e\"", "\"utf8\""]));
        given.push("v0");
    }
    body.push(call("v1", form.first.0, &[form.first.1]));
    body.push(read("v2", "readFile", &[form.second, "\"utf8\""]));
    if generator.chance(30) {
        body.push(read("v3", "stat", &["\"d\""]));
        given.push("v3.size");
    }
    body.push(give(&format!("[{}]", given.join(", "))));
    let mut items: Vec<Item> = vec![code("const state = { path: \"c\", count: 0 };")];
    if !form.declared.is_empty() {
        items.push(code(form.declared));
    }
    let main = "export async function main()";
    match form.within {
        None => items.push(function(main, body)),
        Some((head, calls)) => {
            items.push(function(head, body));
            let calls = calls.iter().map(|it| Stmt::code(*it)).collect();
            items.push(function(main, calls));
        }
    }
    Program { items }
}
