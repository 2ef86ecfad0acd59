//! Adversaries: programs that are made to be rewritten wrongly. Each stands for one class of mistakes
//! that was found in a program of somebody else, has many forms, and brings what is needed to see it.
//! One file for each; programs have at most one.

mod beside;
mod choking;
mod clients;
mod closing;
mod constructed;
mod decorated;
mod early;
mod expressions;
mod forms;
mod handed;
mod heirs;
mod index;
mod inputs;
mod lazy;
mod lingering;
mod locks;
mod loggers;
mod parameters;
mod pending;
mod plain;
mod prefixes;
mod recovery;
mod replaced;
mod requests;
mod skipping;
mod sometimes;
mod state;
mod turns;
mod widened;

use super::Generator;
use super::scope::Scope;
use crate::tree::{Effect, Expr, Function, Item, Operation, Piece, Program, Stmt};

/// How many of a hundred programs have an adversary.
const SHARE: u8 = 30;

/// What a program declares in front of `main`, and what stands in `main`.
type Trap = (Vec<Item>, Vec<Stmt>);

/// A class of programs.
#[derive(Clone, Copy, Debug)]
pub struct Adversary {
    /// What it is called by `--adversary`.
    pub name: &'static str,
    make: Make,
}

/// Makes what is declared in front of `main`, and what stands in it.
pub(super) type MakeMain = fn(&mut Generator, &mut Scope) -> Trap;

/// How an adversary makes programs.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// What it declares in front of `main`, and what stands in `main`.
    Main(MakeMain),
    /// The whole program.
    Program(fn(&mut Generator) -> Program),
}

/// All of them.
pub const ADVERSARIES: &[Adversary] = &[
    Adversary { name: "locks", make: Make::Main(locks::make) },
    Adversary { name: "inputs", make: Make::Main(inputs::make) },
    Adversary { name: "closing", make: Make::Main(closing::make) },
    Adversary { name: "pending", make: Make::Main(pending::make) },
    Adversary { name: "index", make: Make::Main(index::make) },
    Adversary { name: "clients", make: Make::Program(clients::program) },
    Adversary { name: "recovery", make: Make::Program(recovery::program) },
    Adversary { name: "replaced", make: Make::Program(replaced::program) },
    Adversary { name: "requests", make: Make::Program(requests::program) },
    Adversary { name: "widened", make: Make::Program(widened::program) },
    Adversary { name: "state", make: Make::Program(state::program) },
    Adversary { name: "expressions", make: Make::Main(expressions::make) },
    Adversary { name: "constructed", make: Make::Program(constructed::program) },
    Adversary { name: "decorated", make: Make::Program(decorated::program) },
    Adversary { name: "handed", make: Make::Program(handed::program) },
    Adversary { name: "heirs", make: Make::Program(heirs::program) },
    Adversary { name: "beside", make: Make::Program(beside::program) },
    Adversary { name: "choking", make: Make::Program(choking::program) },
    Adversary { name: "early", make: Make::Program(early::program) },
    Adversary { name: "lazy", make: Make::Program(lazy::program) },
    Adversary { name: "lingering", make: Make::Main(lingering::make) },
    Adversary { name: "loggers", make: Make::Program(loggers::program) },
    Adversary { name: "parameters", make: Make::Program(parameters::program) },
    Adversary { name: "plain", make: Make::Program(plain::program) },
    Adversary { name: "prefixes", make: Make::Program(prefixes::program) },
    Adversary { name: "skipping", make: Make::Program(skipping::program) },
    Adversary { name: "sometimes", make: Make::Program(sometimes::program) },
    Adversary { name: "turns", make: Make::Main(turns::make) },
];

impl Adversary {
    /// The adversary of a program; none for most. It does not change what else programs have.
    pub(super) fn of(seed: u64) -> Option<&'static Self> {
        let mut random = fastrand::Rng::with_seed(seed ^ 0x6164_7665_7273_6172);
        (random.u8(0..100) < SHARE).then(|| &ADVERSARIES[random.usize(0..ADVERSARIES.len())])
    }

    /// A program with it.
    pub(super) fn program(&self, mut of: Generator) -> Program {
        match self.make {
            Make::Main(make) => of.around(make),
            Make::Program(make) => make(&mut of),
        }
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

/// `await callee(args)`
fn awaited(callee: &str, effect: Effect, args: &[&str]) -> Expr {
    Expr::awaited(operation(callee, effect, args))
}

/// `await callee(args);`
fn waits(callee: &str, effect: Effect, args: &[&str]) -> Stmt {
    Stmt::Expr(awaited(callee, effect, args))
}

/// `const name = await readFile(path, "utf8");`
pub(super) fn reads(name: &str, path: &str) -> Stmt {
    Stmt::constant(name, awaited("readFile", Effect::Read, &[path, "\"utf8\""]))
}
