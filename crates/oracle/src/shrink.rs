//! Making a program smaller while something stays true of it.

use crate::print::{expr_text, mentions};
use crate::tree::{Expr, Item, Piece, Program, Stmt};

/// The smallest program that can be reached by single steps, each of which keeps `holds` true. At
/// most `budget` programs are tried.
///
/// # Errors
/// What `holds` fails with.
pub fn shrink<E>(
    program: &Program,
    mut budget: usize,
    holds: &mut dyn FnMut(&Program) -> Result<bool, E>,
) -> Result<Program, E> {
    let mut smallest = program.clone();
    loop {
        let mut is_changed = false;
        let mut at = 0;
        while let Some(candidate) = step(&smallest, at) {
            if budget == 0 {
                return Ok(smallest);
            }
            budget -= 1;
            if is_closed(&candidate) && holds(&candidate)? {
                (smallest, is_changed) = (candidate, true);
            } else {
                at += 1;
            }
        }
        if !is_changed {
            return Ok(smallest);
        }
    }
}

/// Whether every numbered name, which is how the generator names what it declares, is declared.
fn is_closed(program: &Program) -> bool {
    let mut declared = String::new();
    let mut declare = |text: &str| {
        declared.push_str(text);
        declared.push(' ');
    };
    let mut copy = program.clone();
    copy.each_block(&mut |block, _| {
        for stmt in block {
            match stmt {
                Stmt::Declare { pattern, .. } => declare(pattern),
                Stmt::Loop { head, .. } => declare(&expr_text(head)),
                _ => {}
            }
        }
    });
    for item in &program.items {
        if let Item::Function(function) = item {
            declare(&function.head);
        }
    }
    let text = program.to_string();
    let mut words = text.split(|it: char| !it.is_alphanumeric());
    words.all(|word| !is_numbered(word) || mentions(&declared, word))
}

fn is_numbered(word: &str) -> bool {
    const STEMS: &[&str] = &[
        "v", "f", "g", "h", "p", "o", "item", "out", "before", "start", "took", "attempt", "page",
    ];
    let stem = word.trim_end_matches(|it: char| it.is_ascii_digit());
    stem.len() < word.len() && STEMS.contains(&stem)
}

/// The program after its `index`-th possible step.
fn step(program: &Program, index: usize) -> Option<Program> {
    let mut left = index;
    let mut changed = program.clone();
    // Whole declarations first.
    if left < changed.items.len() {
        changed.items.remove(left);
        return Some(changed);
    }
    left -= changed.items.len();
    let mut is_done = false;
    for item in &mut changed.items {
        if let Item::Class(_, _, methods) = item {
            if left < methods.len() {
                methods.remove(left);
                return Some(changed);
            }
            left -= methods.len();
        }
    }
    changed.each_block(&mut |block, _| {
        is_done = is_done || step_in_block(block, &mut left);
    });
    is_done.then_some(changed)
}

fn step_in_block(block: &mut Vec<Stmt>, left: &mut usize) -> bool {
    for at in 0..block.len() {
        if take(left) {
            block.remove(at);
            return true;
        }
        let inner: Vec<Vec<Stmt>> =
            block[at].blocks_mut().into_iter().map(|it| it.clone()).collect();
        for statements in inner {
            if take(left) {
                block.splice(at..=at, statements);
                return true;
            }
        }
        if step_in_stmt(&mut block[at], left) {
            return true;
        }
    }
    false
}

fn step_in_stmt(stmt: &mut Stmt, left: &mut usize) -> bool {
    match stmt {
        Stmt::If { otherwise, .. } if !otherwise.is_empty() && take(left) => {
            otherwise.clear();
            return true;
        }
        Stmt::Try { handler: Some(_), finalizer, .. } if finalizer.is_some() && take(left) => {
            *finalizer = None;
            return true;
        }
        Stmt::Try { handler, finalizer: Some(_), .. } if handler.is_some() && take(left) => {
            *handler = None;
            return true;
        }
        _ => {}
    }
    stmt.expressions_mut().into_iter().any(|expr| step_in_expr(expr, left))
}

/// An expression becomes one of its operations, or an argument a plain text.
fn step_in_expr(expr: &mut Expr, left: &mut usize) -> bool {
    if expr.0.len() > 1 {
        for piece in expr.0.clone() {
            if matches!(piece, Piece::Await(_)) && take(left) {
                *expr = Expr(vec![piece]);
                return true;
            }
        }
    }
    if let [Piece::Code(code)] = expr.0.as_slice()
        && code.len() > 2
        && code.starts_with(['[', '`'])
        && take(left)
    {
        *expr = Expr::code("\"\"");
        return true;
    }
    expr.0.iter_mut().any(|piece| match piece {
        Piece::Await(operation) | Piece::Start(operation) => {
            operation.args.iter_mut().skip(1).any(|arg| step_in_expr(arg, left))
        }
        Piece::Code(_) | Piece::Arrow(_) => false,
    })
}

/// Whether this is the step that was asked for; counts it otherwise.
fn take(left: &mut usize) -> bool {
    let is_it = *left == 0;
    *left = left.wrapping_sub(1);
    is_it
}
