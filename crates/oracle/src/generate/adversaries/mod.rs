//! Adversaries: programs that break one rule of the contract if it is not kept, each with what is
//! needed to see it. One file for each; programs have at most one.

mod closing;
mod expressions;
mod index;
mod inputs;
mod locks;
mod pending;

use super::Generator;
use super::scope::Scope;
use crate::tree::{Effect, Expr, Item, Operation, Stmt};

/// How many of a hundred programs have an adversary.
const SHARE: u8 = 30;

/// What a program declares in front of `main`, and what stands in `main`.
type Trap = (Vec<Item>, Vec<Stmt>);

/// One kind of trap.
#[derive(Clone, Copy, Debug)]
pub struct Adversary {
    /// What it is called by `--adversary`.
    pub name: &'static str,
    make: fn(&mut Generator, &mut Scope) -> Trap,
}

/// All of them.
pub const ADVERSARIES: &[Adversary] = &[
    Adversary { name: "locks", make: locks::make },
    Adversary { name: "inputs", make: inputs::make },
    Adversary { name: "closing", make: closing::make },
    Adversary { name: "pending", make: pending::make },
    Adversary { name: "index", make: index::make },
    Adversary { name: "expressions", make: expressions::make },
];

impl Adversary {
    /// The adversary of a program; none for most. It does not change what else programs have.
    pub(super) fn of(seed: u64) -> Option<&'static Self> {
        let mut random = fastrand::Rng::with_seed(seed ^ 0x6164_7665_7273_6172);
        (random.u8(0..100) < SHARE).then(|| &ADVERSARIES[random.usize(0..ADVERSARIES.len())])
    }

    pub(super) fn make(&self, of: &mut Generator, scope: &mut Scope) -> Trap {
        (self.make)(of, scope)
    }
}

/// `callee(args)`
fn operation(callee: &str, effect: Effect, args: &[&str]) -> Operation {
    let args = args.iter().map(|arg| Expr::code(*arg)).collect();
    Operation { callee: callee.to_owned(), args, effect }
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
