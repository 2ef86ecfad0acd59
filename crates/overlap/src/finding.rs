//! What a rewrite reports.

use headstart_effects::{Assumption, Blocker};
use headstart_ir::{BlockForm, DeclKind, Span};

use crate::guarded::Guard;
use crate::script::Script;

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
    /// The waiting that it would save, in microseconds: an estimate from typical costs.
    pub gain: u64,
    /// How to rewrite it; none for a hint.
    pub plan: Option<Plan>,
}

/// Statements in a row, and the order that replaces theirs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// From the start of the first statement to the end of the last.
    pub span: Span,
    /// How the statements stand: where they have no braces, a plan that needs more than one gives
    /// them some.
    pub form: BlockForm,
    /// The statements in their original order.
    pub pieces: Vec<Piece>,
    /// What is written.
    pub parts: Vec<Part>,
}

impl Plan {
    /// A plan that rewrites one statement by itself.
    pub(crate) fn within(statement: Span, form: BlockForm, script: &Script) -> Self {
        let script = Some(script.clone());
        let pieces = vec![Piece { statement, operation: None, script }];
        Self { span: statement, form, pieces, parts: vec![Part::Keep(0)] }
    }
}

/// One statement of a plan.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The whole statement.
    pub statement: Span,
    /// The operation that it waits for, where that moves.
    pub operation: Option<PlannedOperation>,
    /// How it is rewritten by itself.
    pub script: Option<Script>,
}

/// The operation of a statement: the operand of its `await`.
#[derive(Clone, Debug)]
pub struct PlannedOperation {
    /// The operation.
    pub span: Span,
    /// What is called, for naming its promise: `readFile`.
    pub callee: String,
    /// Whether the annotation of what gets its result has to stand at its promise, too.
    pub is_typed: bool,
    /// Whether nothing has started before somebody waits for it: a query that is built first.
    pub is_lazy: bool,
    /// Whether it may give a plain value and no promise, which has no method `catch`: by itself, where tests put
    /// something in its place, or as TypeScript knows it.
    pub may_be_value: bool,
    /// Whether it may throw before there is a promise, and that has to be handled where it is waited for.
    pub is_caught: bool,
    /// What decides whether it starts; none where it always does.
    pub guard: Option<Guard>,
    /// Where the result goes, for a statement that does nothing else.
    pub binding: Option<PlannedBinding>,
    /// Those that start right before it, and are waited for with it.
    pub before: Vec<PlannedOperation>,
}

/// `const pattern: annotation =` before the `await`.
#[derive(Clone, Debug)]
pub struct PlannedBinding {
    /// Its keyword; none where the result is not used.
    pub keyword: Option<DeclKind>,
    /// The end of its declarator: behind it there is at most a semicolon.
    pub end: u32,
    /// What it binds; empty where the result is not used.
    pub pattern: Span,
    /// The type annotation with its colon; empty where there is none.
    pub annotation: Span,
    /// Whether the pattern is a single name.
    pub is_name: bool,
}

/// One part of what is written. Numbers are those of the pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// The statement as it stands; `await operation` becomes `await name` where it has started.
    Keep(usize),
    /// Starts an operation, and gives its promise a name and a handler.
    Start(usize),
    /// Starts the operation of the statement that others start in front of, ahead of them: so that all start in the
    /// order of the program. It is waited for at once, and needs no handler.
    Lead(usize),
    /// Waits for several operations together.
    Group(Vec<usize>, Form),
}

/// How several operations are waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `const [a, b] = await Promise.all([…])`
    All,
    /// Promises with names, awaited where the original did: the error is the one that the original
    /// met first, and each name is bound when it was.
    Named,
}
