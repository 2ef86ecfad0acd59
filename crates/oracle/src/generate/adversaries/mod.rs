//! Adversaries: programs that are made to be rewritten wrongly. Each stands for one class of mistakes
//! that was found in a program of somebody else, and has many forms.

mod clients;
mod recovery;
mod replaced;
mod requests;

use super::Generator;
use crate::tree::{Effect, Expr, Function, Item, Operation, Piece, Program, Stmt};

/// A class of programs.
#[derive(Clone, Copy, Debug)]
pub struct Adversary {
    /// What it is called on the command line.
    pub name: &'static str,
    make: fn(&mut Generator) -> Program,
}

/// All of them.
pub const ADVERSARIES: &[Adversary] = &[
    Adversary { name: "clients", make: clients::program },
    Adversary { name: "recovery", make: recovery::program },
    Adversary { name: "replaced", make: replaced::program },
    Adversary { name: "requests", make: requests::program },
];

impl Adversary {
    /// The adversary with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        ADVERSARIES.iter().copied().find(|it| it.name == name)
    }

    /// The program of a seed.
    #[must_use]
    pub fn generate(&self, seed: u64) -> Program {
        (self.make)(&mut Generator::new(seed))
    }

    /// The adversary whose turn it is at a seed; none at most seeds.
    pub(super) fn of(seed: u64) -> Option<Self> {
        /// One of so many programs is an adversary's.
        const EVERY: u64 = 8;
        let turn = usize::try_from(seed / EVERY).unwrap_or(0) % ADVERSARIES.len();
        (seed % EVERY == EVERY - 1).then(|| ADVERSARIES[turn])
    }
}

/// A declaration as source text.
fn code(text: impl Into<String>) -> Item {
    Item::Code(text.into())
}

/// A function of the program.
fn function(head: &str, body: Vec<Stmt>) -> Item {
    Item::Function(Function { head: head.to_owned(), body })
}

/// A call that gives a promise, with its arguments as source text.
fn operation(callee: &str, effect: Effect, args: &[&str]) -> Operation {
    let args = args.iter().map(|arg| Expr::code(*arg)).collect();
    Operation { callee: callee.to_owned(), args, effect }
}

/// `const name = await callee(…)`
fn read(name: &str, callee: &str, args: &[&str]) -> Stmt {
    Stmt::constant(name, Expr::awaited(operation(callee, Effect::Read, args)))
}

/// `const name = await callee(…)` of a function of the program, or of what writes.
fn call(name: &str, callee: &str, args: &[&str]) -> Stmt {
    Stmt::constant(name, Expr::awaited(operation(callee, Effect::Call, args)))
}

/// `await callee(…)` of what writes.
fn write(callee: &str, args: &[&str]) -> Stmt {
    Stmt::Expr(Expr::awaited(operation(callee, Effect::Write, args)))
}

/// `return text`
fn give(text: &str) -> Stmt {
    Stmt::Return(Expr::code(text))
}

/// The expression of a call that is only started, and what is done with its promise.
fn started(operation: Operation, tail: &str) -> Expr {
    Expr(vec![Piece::Start(operation), Piece::Code(tail.to_owned())])
}
