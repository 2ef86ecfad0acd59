//! The gate of atomic blocks, compiled into `async` functions.
//!
//! Purpose: a task keeps its identity over each `await`, and waits while an atomic block of another task is open
//! (`docs/atomic.md`, "What the compiler writes"). Input: the syntax tree of a file. Output: edits of its text, in
//! order, and the places where code resumes that they do not reach. What does not suspend costs nothing: functions
//! without an `await` of their own stay as they are.

mod hoisted;
mod names;
mod suspends;
mod ungated;
mod visitor;

use oxc_ast::ast::Program;

pub use ungated::{Ungated, UngatedKind};

/// The module that compiled code takes its functions from.
pub const RUNTIME: &str = "headstart-activities/runtime";

/// The directive of files that stay as they are: what the gate itself is made of would wait for itself.
const UNGATED: &str = "ungated";

/// How a file is compiled.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether it is CommonJS where it neither imports nor exports anything; where nobody knows, it is if it mentions
    /// what only CommonJS has.
    pub commonjs: Option<bool>,
    /// Whether its types stay in it.
    pub keep_types: bool,
}

/// A part of a text, in bytes, and what has to stand there instead. Parts do not overlap; of those that are empty and
/// stand at one place, the first comes first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Where it starts.
    pub start: u32,
    /// Where it ends, not included.
    pub end: u32,
    /// What stands there then.
    pub text: String,
}

/// What becomes of a file.
#[derive(Clone, Debug, Default)]
pub struct Gated {
    /// None where nothing in it suspends.
    pub edits: Vec<Edit>,
    /// Where code of the file resumes or is called back, and does not pass the gate.
    pub ungated: Vec<Ungated>,
}

/// Compiles the gate into a file. `uncounted`: the names of functions that others go on as, which began before the
/// blocks that are open when these do: whoever awaits them is counted as a call under way there, and they are not.
#[must_use]
pub fn gate(program: &Program<'_>, text: &str, options: Options, uncounted: &[String]) -> Gated {
    if program.directives.iter().any(|it| it.directive == UNGATED) {
        return Gated::default();
    }
    visitor::compile(program, text, options, uncounted)
}
