//! What is looked for in the code of one function, before anything is written.

use std::collections::BTreeSet;

/// What they have.
#[derive(Default)]
pub(crate) struct Scan {
    /// Whether they suspend the function: `await`, `yield`, `for await`, `await using`.
    pub(crate) suspends: bool,
    /// Names that are looked for, and whether one is declared with `var`.
    pub(crate) names: BTreeSet<String>,
    pub(crate) declares: bool,
    /// Whether a declaration with `var` is being looked at.
    pub(crate) is_var: bool,
}
