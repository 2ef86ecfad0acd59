//! The schedule oracle: random programs, before and after a rewrite, in virtual worlds in which
//! operations end in every order and fail in every way. `docs/oracle.md` says what is compared.

mod fixture;
mod generate;
mod node;
mod print;
mod rewrite;
mod run;
mod seeded;
mod shrink;
mod tree;

pub use fixture::{Expected, Fixture, parse_fixtures};
pub use generate::{ADVERSARIES, Adversary, generate};
pub use node::{Node, Pair, Verdict, Violation};
pub use rewrite::rewrite;
pub use run::{Found, Rewriter, Source, Summary, reduce, run, run_with};
pub use seeded::{NAIVE, RIGHT, Seeded, WRONG};
pub use shrink::shrink;
pub use tree::*;
