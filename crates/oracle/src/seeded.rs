//! Rewrites of trees that are known to be wrong, each in one way, and two that are known to be
//! right. They show what the oracle sees.

use crate::print::{mentions, stmt_text};
use crate::tree::{Context, Effect, Expr, Function, Operation, Piece, Program, Stmt};

/// A rewrite of one block; false where it found nothing to rewrite.
type Rewrite = fn(&mut Vec<Stmt>, Context) -> bool;

/// A rewrite with its name.
#[derive(Clone, Copy, Debug)]
pub struct Seeded {
    /// What it does.
    pub name: &'static str,
    rewrite: Rewrite,
}

impl Seeded {
    /// The program with the rewrite applied at the first place where it can be; none where there
    /// is no such place.
    #[must_use]
    pub fn apply(&self, program: &Program) -> Option<Program> {
        let mut rewritten = program.clone();
        let mut is_done = false;
        rewritten.each_block(&mut |block, context| {
            is_done = is_done || (self.rewrite)(block, context);
        });
        is_done.then_some(rewritten)
    }
}

/// Rewrites that break the contract.
pub const WRONG: &[Seeded] = &[
    Seeded { name: "a read starts before the guard in front of it", rewrite: over_guard },
    Seeded { name: "two effects change places", rewrite: |block, _| swap_effects(block) },
    Seeded { name: "a name is used before it is bound", rewrite: |block, _| before_binding(block) },
    Seeded { name: "a started promise has no handler", rewrite: no_handler },
    Seeded {
        name: "an access of shared state moves over an await",
        rewrite: |block, _| over_await(block),
    },
    Seeded { name: "a write starts before the read in front of it", rewrite: write_early },
    Seeded { name: "errors that are told apart come in any order", rewrite: any_error },
    Seeded { name: "a read is under way while a finally removes", rewrite: over_finally },
    Seeded { name: "the turns of a loop run at once", rewrite: |block, _| all_turns(block) },
    Seeded { name: "an await moves over output", rewrite: over_output },
    Seeded { name: "a read starts before the timer in front of it", rewrite: over_timer },
    Seeded {
        name: "a measured operation starts before the clock",
        rewrite: |block, _| over_clock(block),
    },
    Seeded { name: "an operation leaves the try around it", rewrite: out_of_try },
];

/// Rewrites that keep the contract.
pub const RIGHT: &[Seeded] = &[
    Seeded { name: "independent reads in Promise.all", rewrite: independent_reads },
    Seeded { name: "independent reads, errors in order", rewrite: named_promises },
];

/// What a tool does that knows no effects: an operation starts before the one in front of it, unless it
/// needs its result.
pub const EARLY: Seeded =
    Seeded { name: "an operation starts before the one in front of it", rewrite: early };

const STARTED: &str = "started";

fn early(block: &mut Vec<Stmt>, _: Context) -> bool {
    let is_started = |it: &Stmt| is_operation(it) || is_effect(it, Effect::Call);
    if block.iter_mut().any(group_awaits) {
        return true;
    }
    let found = block.windows(2).rposition(|pair| {
        let is_declared = matches!(pair[1], Stmt::Declare { .. });
        is_declared && pair.iter().all(is_started) && !needs(&pair[1], &pair[0])
    });
    found.is_some_and(|at| start_early(block, at, at + 1, true)) || start_always(block)
}

/// `const b = test && (await read())`: it starts in front of what stands before it, whatever the test says.
fn start_always(block: &mut Vec<Stmt>) -> bool {
    let part = |stmt: &Stmt| match stmt {
        Stmt::Declare { value, .. } if value.0.len() > 1 => {
            value.0.iter().find_map(|it| match it {
                Piece::Await(operation) => Some(Stmt::Expr(Expr::awaited(operation.clone()))),
                _ => None,
            })
        }
        _ => None,
    };
    let found =
        block.windows(2).rposition(|pair| part(&pair[1]).is_some_and(|it| !needs(&it, &pair[0])));
    let Some(at) = found else { return false };
    let Stmt::Declare { value, .. } = &mut block[at + 1] else { return false };
    let Some(piece) = value.0.iter_mut().find(|it| matches!(it, Piece::Await(_))) else {
        return false;
    };
    let Piece::Await(operation) = std::mem::replace(piece, Piece::Code(format!("await {STARTED}")))
    else {
        return false;
    };
    let started = Stmt::constant(STARTED, Expr(vec![Piece::Start(operation)]));
    block.insert(at, Stmt::code(format!("{STARTED}.catch(() => {{}})")));
    block.insert(at, started);
    true
}

/// `[await a(), await b()]` becomes `await Promise.all([a(), b()])`.
fn group_awaits(stmt: &mut Stmt) -> bool {
    let Stmt::Declare { value, .. } = stmt else { return false };
    let awaits = value.0.iter().filter(|it| matches!(it, Piece::Await(_))).count();
    if awaits < 2 {
        return false;
    }
    for piece in &mut value.0 {
        if let Piece::Await(operation) = piece {
            *piece = Piece::Start(operation.clone());
        }
    }
    value.0.insert(0, Piece::Code("await Promise.all(".to_owned()));
    value.0.push(Piece::Code(")".to_owned()));
    true
}

fn over_guard(block: &mut Vec<Stmt>, _: Context) -> bool {
    let is_guard = |stmt: &Stmt| match stmt {
        Stmt::If { then, .. } => {
            matches!(then.last(), Some(Stmt::Return(_) | Stmt::Throw(_) | Stmt::Jump(_)))
        }
        _ => false,
    };
    let Some(at) = pair(block, |first, second| is_guard(first) && is_read(second)) else {
        return false;
    };
    start_early(block, at, at + 1, true)
}

fn swap_effects(block: &mut [Stmt]) -> bool {
    let Some(at) = pair(block, |first, second| {
        is_effect(first, Effect::Write) && second.operation().is_some() && !needs(second, first)
    }) else {
        return false;
    };
    block.swap(at, at + 1);
    true
}

fn before_binding(block: &mut [Stmt]) -> bool {
    let Some(at) = pair(block, |first, second| first.operation().is_some() && needs(second, first))
    else {
        return false;
    };
    block.swap(at, at + 1);
    true
}

fn no_handler(block: &mut Vec<Stmt>, _: Context) -> bool {
    let Some(at) =
        pair(block, |first, second| is_read(first) && is_read(second) && !needs(second, first))
    else {
        return false;
    };
    start_early(block, at, at + 1, false)
}

fn over_await(block: &mut [Stmt]) -> bool {
    let is_access = |stmt: &Stmt| {
        let text = stmt_text(stmt);
        stmt.operation().is_none() && (text.contains("state.") || mentions(&text, "shared"))
    };
    let is_simple = |stmt: &Stmt| matches!(stmt, Stmt::Expr(_) | Stmt::Declare { .. });
    let Some(at) = pair(block, |first, second| {
        is_read(first) && is_simple(second) && is_access(second) && !needs(second, first)
    }) else {
        return false;
    };
    block.swap(at, at + 1);
    true
}

fn write_early(block: &mut Vec<Stmt>, _: Context) -> bool {
    let Some(at) = pair(block, |first, second| {
        is_read(first) && is_effect(second, Effect::Write) && !needs(second, first)
    }) else {
        return false;
    };
    start_early(block, at, at + 1, true)
}

fn any_error(block: &mut Vec<Stmt>, context: Context) -> bool {
    context.tells_apart && group_reads(block)
}

fn over_finally(block: &mut Vec<Stmt>, context: Context) -> bool {
    context.has_finalizer && group_reads(block)
}

fn all_turns(block: &mut [Stmt]) -> bool {
    let found = block.iter_mut().find_map(|stmt| match stmt {
        Stmt::Loop { head, body } => {
            let text = crate::print::expr_text(head);
            let (item, list) =
                text.strip_prefix("for (const ")?.strip_suffix(')')?.split_once(" of ")?;
            let inside: String = body.iter().map(stmt_text).collect();
            let leaves = ["break", "continue", "return"].iter().any(|it| mentions(&inside, it));
            (!leaves).then(|| (stmt_head(item), list.to_owned(), stmt))
        }
        _ => None,
    });
    let Some((head, list, stmt)) = found else { return false };
    let Stmt::Loop { body, .. } = stmt else { return false };
    let arrow = Piece::Arrow(Function { head, body: std::mem::take(body) });
    let before = Piece::Code(format!("await Promise.all({list}.map("));
    *stmt = Stmt::Expr(Expr(vec![before, arrow, Piece::Code("))".to_owned())]));
    true
}

fn stmt_head(item: &str) -> String {
    format!("async ({item}) =>")
}

fn over_output(block: &mut Vec<Stmt>, _: Context) -> bool {
    let Some(at) = pair(block, |first, second| {
        is_operation(first)
            && stmt_text(second).starts_with("console.log(")
            && !needs(second, first)
    }) else {
        return false;
    };
    if !start_early(block, at, at, true) {
        return false;
    }
    // The start, its handler, the await, the output.
    block.swap(at + 2, at + 3);
    true
}

fn over_timer(block: &mut Vec<Stmt>, _: Context) -> bool {
    let Some(at) = pair(block, |first, second| is_effect(first, Effect::Timer) && is_read(second))
    else {
        return false;
    };
    start_early(block, at, at + 1, true)
}

fn over_clock(block: &mut [Stmt]) -> bool {
    let is_clock = |stmt: &Stmt| stmt_text(stmt).contains(".now()");
    let Some(at) = pair(block, |first, second| is_clock(first) && is_read(second)) else {
        return false;
    };
    block.swap(at, at + 1);
    true
}

fn out_of_try(block: &mut Vec<Stmt>, _: Context) -> bool {
    let Some(at) = block.iter().position(|stmt| match stmt {
        Stmt::Try { block, handler: Some(_), .. } => block.first().is_some_and(is_operation),
        _ => false,
    }) else {
        return false;
    };
    let Some(Stmt::Try { block: inner, .. }) = block.get_mut(at) else { return false };
    let first = inner.remove(0);
    block.insert(at, first);
    true
}

fn independent_reads(block: &mut Vec<Stmt>, context: Context) -> bool {
    !context.tells_apart && !context.has_finalizer && group_reads(block)
}

fn named_promises(block: &mut Vec<Stmt>, context: Context) -> bool {
    if context.has_finalizer {
        return false;
    }
    let Some(at) = literal_reads(block) else { return false };
    start_early(block, at, at + 1, true)
}

/// `const [a, b] = await Promise.all([…])` of two reads of literal paths.
fn group_reads(block: &mut Vec<Stmt>) -> bool {
    let Some(at) = literal_reads(block) else { return false };
    let second = block.remove(at + 1);
    let (Some((one, first)), Some((two, second))) = (declared(&block[at]), declared(&second))
    else {
        return false;
    };
    let code = |text: &str| Piece::Code(text.to_owned());
    let pieces = vec![
        code("await Promise.all(["),
        Piece::Start(first),
        code(", "),
        Piece::Start(second),
        code("])"),
    ];
    block[at] = Stmt::constant(format!("[{one}, {two}]"), Expr(pieces));
    true
}

/// Two declarations in a row that read, the second one from a path that is fixed.
fn literal_reads(block: &[Stmt]) -> Option<usize> {
    let is_literal = |stmt: &Stmt| {
        declared(stmt).is_some_and(|(_, operation)| {
            let path = operation.args.first().map(crate::print::expr_text).unwrap_or_default();
            let is_fixed = path.starts_with('"') || path.starts_with("`tmp/");
            operation.effect == Effect::Read && is_fixed && operation.args.len() < 3
        })
    };
    let is_file = |stmt: &Stmt| {
        declared(stmt)
            .is_some_and(|(_, it)| ["readFile", "stat", "readdir"].contains(&it.callee.as_str()))
    };
    pair(block, |first, second| {
        [first, second].iter().all(|stmt| is_literal(stmt) && is_file(stmt))
    })
}

fn declared(stmt: &Stmt) -> Option<(String, Operation)> {
    match stmt {
        Stmt::Declare { keyword: "const", pattern, value } => {
            Some((pattern.clone(), value.as_await()?.clone()))
        }
        _ => None,
    }
}

/// The first place where two statements in a row are as asked for.
fn pair(block: &[Stmt], is_wanted: impl Fn(&Stmt, &Stmt) -> bool) -> Option<usize> {
    block.windows(2).position(|window| is_wanted(&window[0], &window[1]))
}

fn is_effect(stmt: &Stmt, effect: Effect) -> bool {
    stmt.operation().is_some_and(|operation| operation.effect == effect)
}

fn is_read(stmt: &Stmt) -> bool {
    is_effect(stmt, Effect::Read)
}

fn is_operation(stmt: &Stmt) -> bool {
    is_read(stmt) || is_effect(stmt, Effect::Write)
}

/// Whether a statement mentions a name that another one binds.
fn needs(stmt: &Stmt, binding: &Stmt) -> bool {
    let bound = match binding {
        Stmt::Declare { pattern, .. } => pattern,
        Stmt::Assign { target, .. } => target,
        _ => return false,
    };
    let text = stmt_text(stmt);
    let mut words = bound.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.any(|word| mentions(&text, word))
}

/// Starts the operation of the statement at `from` in front of the one at `to`.
fn start_early(block: &mut Vec<Stmt>, to: usize, from: usize, has_handler: bool) -> bool {
    let value = match &mut block[from] {
        Stmt::Declare { value, .. } | Stmt::Assign { value, .. } => value,
        Stmt::Expr(value) | Stmt::Return(value) => value,
        _ => return false,
    };
    let awaited = std::mem::replace(value, Expr::code(format!("await {STARTED}")));
    let Some(operation) = awaited.as_await() else { return false };
    let start = Expr(vec![Piece::Start(operation.clone())]);
    if has_handler {
        block.insert(to, Stmt::code(format!("{STARTED}.catch(() => {{}})")));
    }
    block.insert(to, Stmt::constant(STARTED, start));
    true
}
