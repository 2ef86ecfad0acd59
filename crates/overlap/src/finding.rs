//! What a rewrite reports.

use headstart_effects::{Assumption, Blocker};
use headstart_ir::{DeclKind, Span};

/// How sure a finding is (the contract, "Levels"). The order is from the surest down.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// Holds for every completion order and every set of failing operations.
    Safe,
    /// Holds if each assumption that is printed holds.
    Likely,
    /// Needs a person: the blocker is printed.
    Hint,
}

impl Level {
    /// The name used on the command line and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Level::Safe => "safe",
            Level::Likely => "likely",
            Level::Hint => "hint",
        }
    }
}

/// Which error a rewritten function throws when several of its operations fail (the contract, S1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Errors {
    /// The error of one of them, so that the result can be a `Promise.all`.
    #[default]
    One,
    /// The one that the original would have met first.
    Exact,
}

/// One place where operations wait for one another needlessly.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rewrite that found it.
    pub rule: &'static str,
    /// How sure it is.
    pub level: Level,
    /// The statement that waits needlessly.
    pub range: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// The statements whose operations would run at the same time as that of `range`.
    pub overlaps: Vec<Span>,
    /// The awaits that the operation of `range` would no longer wait for.
    pub crosses: Vec<Span>,
    /// What is taken for granted.
    pub assumptions: Vec<Assumption>,
    /// What stands in the way, for a hint.
    pub blockers: Vec<Blocker>,
    /// How to rewrite it; none for a hint.
    pub plan: Option<Plan>,
}

/// A group of adjacent awaiting declarations, and the form that replaces it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// From the start of the first statement to the end of the last.
    pub span: Span,
    /// The operations in their original order.
    pub reads: Vec<PlannedRead>,
    /// What is written.
    pub form: Form,
}

/// One `pattern = await operation` of a plan.
#[derive(Clone, Debug)]
pub struct PlannedRead {
    /// The whole statement.
    pub statement: Span,
    /// Its keyword.
    pub keyword: DeclKind,
    /// The end of its declarator: behind it there is at most a semicolon.
    pub declarator_end: u32,
    /// What it binds.
    pub pattern: Span,
    /// The type annotation with its colon; empty where there is none.
    pub annotation: Span,
    /// Whether the pattern is a single name.
    pub is_name: bool,
    /// The operation: the operand of `await`.
    pub operation: Span,
    /// What is called, for naming its promise: `readFile`.
    pub callee: String,
}

/// What replaces a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `const [a, b] = await Promise.all([…])`
    All,
    /// Promises with names, awaited where the original did: the error is the one that the original
    /// met first, and each name is bound when it was.
    Named,
}
