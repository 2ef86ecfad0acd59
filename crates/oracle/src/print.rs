//! Trees as source text.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::tree::{Expr, Function, Item, Operation, Piece, Program, Stmt};

/// What programs may import, and by which names that is recognised.
const IMPORTS: &[(&str, &[&str])] = &[
    (
        "node:fs/promises",
        &[
            "access",
            "appendFile",
            "copyFile",
            "cp",
            "link",
            "lstat",
            "mkdir",
            "open",
            "opendir",
            "readdir",
            "readFile",
            "rename",
            "rm",
            "rmdir",
            "stat",
            "symlink",
            "unlink",
            "writeFile",
        ],
    ),
    ("node:fs", &["appendFileSync", "constants", "createWriteStream", "writeFileSync"]),
    ("node:child_process", &["execFile"]),
    ("node:util", &["promisify"]),
    ("node:timers/promises", &["setTimeout"]),
    ("node:path", &["join"]),
    ("pg", &["Pool", "Client"]),
    ("mongodb", &["MongoClient"]),
    ("ioredis", &["Redis"]),
    ("undici", &["setGlobalDispatcher"]),
];

/// What programs may import as the default of a module.
const DEFAULTS: &[(&str, &str)] = &[("axios", "axios")];

impl Display for Program {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut body = String::new();
        for item in &self.items {
            print_item(&mut body, item)?;
        }
        for (module, names) in IMPORTS {
            let used: Vec<&str> =
                names.iter().copied().filter(|name| mentions(&body, name)).collect();
            if !used.is_empty() {
                writeln!(out, "import {{ {} }} from \"{module}\";", used.join(", "))?;
            }
        }
        for (module, name) in DEFAULTS.iter().filter(|it| mentions(&body, it.1)) {
            writeln!(out, "import {name} from \"{module}\";")?;
        }
        write!(out, "\n{body}")
    }
}

/// Whether `text` has `name` as a word of its own that is no property.
pub(crate) fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let is_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
        !is_word(before) && before != Some('.') && !is_word(after)
    })
}

fn print_item(out: &mut String, item: &Item) -> fmt::Result {
    match item {
        Item::Code(code) => writeln!(out, "{code}"),
        Item::Function(function) => {
            out.push('\n');
            print_function(out, function, 0)?;
            writeln!(out)
        }
        Item::Class(name, lines, methods) => {
            writeln!(out, "\nclass {name} {{")?;
            lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            for method in methods {
                out.push_str("\n  ");
                print_function(out, method, 1)?;
                out.push('\n');
            }
            writeln!(out, "}}\n")
        }
    }
}

fn print_function(out: &mut String, function: &Function, depth: usize) -> fmt::Result {
    write!(out, "{} ", function.head)?;
    print_block(out, &function.body, depth)
}

fn print_block(out: &mut String, block: &[Stmt], depth: usize) -> fmt::Result {
    out.push_str("{\n");
    for stmt in block {
        indent(out, depth + 1);
        print_stmt(out, stmt, depth + 1)?;
        out.push('\n');
    }
    indent(out, depth);
    out.push('}');
    Ok(())
}

fn indent(out: &mut String, depth: usize) {
    (0..depth).for_each(|_| out.push_str("  "));
}

fn print_stmt(out: &mut String, stmt: &Stmt, depth: usize) -> fmt::Result {
    match stmt {
        Stmt::Declare { keyword, pattern, value } => {
            write!(out, "{keyword} {pattern} = ")?;
            print_simple(out, value, depth)
        }
        Stmt::Assign { target, value } => {
            write!(out, "{target} = ")?;
            print_simple(out, value, depth)
        }
        Stmt::Expr(value) => print_simple(out, value, depth),
        Stmt::Return(value) => {
            let mut printed = String::new();
            print_simple(&mut printed, value, depth)?;
            // As a formatter would not write it, and a minifier does.
            let blank = if printed.starts_with(['(', '[']) { "" } else { " " };
            write!(out, "return{blank}{printed}")
        }
        Stmt::Throw(value) => {
            out.push_str("throw ");
            print_simple(out, value, depth)
        }
        Stmt::Jump(keyword) => write!(out, "{keyword};"),
        Stmt::If { test, then, otherwise } => {
            out.push_str("if (");
            print_expr(out, test, depth)?;
            out.push_str(") ");
            print_block(out, then, depth)?;
            if otherwise.is_empty() {
                return Ok(());
            }
            out.push_str(" else ");
            print_block(out, otherwise, depth)
        }
        Stmt::Loop { head, body } => {
            print_expr(out, head, depth)?;
            out.push(' ');
            print_block(out, body, depth)
        }
        Stmt::Try { block, handler, finalizer } => {
            out.push_str("try ");
            print_block(out, block, depth)?;
            if let Some(handler) = handler {
                match &handler.parameter {
                    Some(name) => write!(out, " catch ({name}) ")?,
                    None => out.push_str(" catch "),
                }
                print_block(out, &handler.body, depth)?;
            }
            if let Some(finalizer) = finalizer {
                out.push_str(" finally ");
                print_block(out, finalizer, depth)?;
            }
            Ok(())
        }
    }
}

fn print_simple(out: &mut String, value: &Expr, depth: usize) -> fmt::Result {
    print_expr(out, value, depth)?;
    out.push(';');
    Ok(())
}

fn print_expr(out: &mut String, expr: &Expr, depth: usize) -> fmt::Result {
    expr.0.iter().try_for_each(|piece| match piece {
        Piece::Code(code) => {
            out.push_str(code);
            Ok(())
        }
        Piece::Await(operation) => {
            out.push_str("await ");
            print_operation(out, operation, depth)
        }
        Piece::Start(operation) => print_operation(out, operation, depth),
        Piece::Arrow(function) => print_function(out, function, depth),
    })
}

fn print_operation(out: &mut String, operation: &Operation, depth: usize) -> fmt::Result {
    write!(out, "{}(", operation.callee)?;
    for (index, arg) in operation.args.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        print_expr(out, arg, depth)?;
    }
    out.push(')');
    Ok(())
}

/// An expression as source text.
pub(crate) fn expr_text(expr: &Expr) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = print_expr(&mut text, expr, 0);
    text
}

/// A statement as source text.
pub(crate) fn stmt_text(stmt: &Stmt) -> String {
    let mut text = String::new();
    let _ = print_stmt(&mut text, stmt, 0);
    text
}
