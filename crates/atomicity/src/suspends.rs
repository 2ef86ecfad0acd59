//! What is looked for in the code of one function, before anything is written.

use std::collections::BTreeSet;

use crate::hoisted::Declared;

/// What that has.
#[derive(Default)]
pub(crate) struct Scan {
    /// Whether it stands in an asynchronous generator, where `return` waits for what it gives.
    pub(crate) is_generator: bool,
    /// Whether it suspends the function: `await`, `yield`, `for await`, `await using`, such a `return`.
    pub(crate) suspends: bool,
    /// What it declares for the whole function.
    pub(crate) declared: Declared,
    /// Whether a declaration with `var` is being looked at.
    pub(crate) is_var: bool,
    /// The labels that it has, and those that it jumps to.
    pub(crate) labels: BTreeSet<String>,
    pub(crate) jumps: BTreeSet<String>,
}
