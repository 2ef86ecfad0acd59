//! Statements: the structure of a function's instructions.

use crate::{BlockId, InstId, Span, VarId};

/// A statement. Its own expressions are the instructions from `first` to `end`, those of the
/// statements nested in it included.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What kind of statement, with its parts.
    pub kind: StmtKind,
    /// Its place in the source, the semicolon included.
    pub span: Span,
    /// Its first instruction.
    pub first: InstId,
    /// The instruction behind its last.
    pub end: InstId,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// An expression and nothing else.
    Expression {
        /// The value of the expression.
        value: InstId,
    },
    /// `const`, `let`, `var`, `using`.
    Declaration {
        /// Which of them.
        kind: DeclKind,
        /// Whether `export` stands before it.
        is_exported: bool,
        /// Its declarators, boxed to keep the common statement small.
        declarators: Box<[Declarator]>,
    },
    /// `return`.
    Return,
    /// `throw`.
    Throw,
    /// `if`.
    If {
        /// What runs when the test holds.
        then: BlockId,
        /// What runs when it does not.
        otherwise: Option<BlockId>,
    },
    /// Any loop. Its head and body are conditional on every turn.
    Loop {
        /// Which loop.
        kind: LoopKind,
        /// The body.
        body: BlockId,
        /// What it goes over, for `for (const … of …)` and its like.
        head: Option<Box<LoopHead>>,
    },
    /// `try`.
    Try(Box<TryParts>),
    /// `switch`: one block a case.
    Switch {
        /// The bodies of the cases in order; one may fall through into the next.
        cases: Box<[BlockId]>,
    },
    /// A nested block, or a labelled statement.
    Block(BlockId),
    /// `break`.
    Break {
        /// Whether it names a label: it may leave more than the innermost loop or `switch`.
        is_labelled: bool,
    },
    /// `continue`.
    Continue {
        /// Whether it names a label: it may go on with another loop than the innermost.
        is_labelled: bool,
    },
    /// A declaration that does nothing where it stands (functions, types, imports), an empty
    /// statement, `debugger`.
    Inert,
    /// A class declaration or an export of an expression: instructions without further structure.
    Other,
}

impl StmtKind {
    /// The blocks that are parts of the statement, in order.
    #[must_use]
    pub fn nested(&self) -> Vec<BlockId> {
        match self {
            StmtKind::If { then, otherwise } => [*then].into_iter().chain(*otherwise).collect(),
            StmtKind::Loop { body, .. } => vec![*body],
            StmtKind::Block(block) => vec![*block],
            StmtKind::Switch { cases } => cases.to_vec(),
            StmtKind::Try(parts) => {
                let rest = [parts.handler, parts.finalizer].into_iter().flatten();
                [parts.block].into_iter().chain(rest).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The parts of a `try` statement.
#[derive(Clone, Debug)]
pub struct TryParts {
    /// The guarded block.
    pub block: BlockId,
    /// The handler.
    pub handler: Option<BlockId>,
    /// Whether the handler names what it caught and uses it.
    pub handler_reads_error: bool,
    /// The `finally` block.
    pub finalizer: Option<BlockId>,
}

/// The keyword of a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclKind {
    /// `var`
    Var,
    /// `let`
    Let,
    /// `const`
    Const,
    /// `using`
    Using,
    /// `await using`
    AwaitUsing,
}

/// The kinds of loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// `for (let i = 0; i < n; i++)`
    For,
    /// `while`, `for (;;)`
    While,
    /// `do … while`
    DoWhile,
    /// `for … in`
    ForIn,
    /// `for … of`
    ForOf,
    /// `for await … of`
    ForAwait,
}

/// What a loop declares for each of some items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopOver {
    /// What iterating them gives: `for (const item of items)`.
    Values,
    /// Their keys: `for (const key in items)`.
    Keys,
    /// Their positions: `for (let i = 0; i < items.length; i++)`.
    Positions,
    /// Numbers, one by one: `for (let i = 1; i <= count; i++)`.
    Numbers {
        /// The first.
        first: u8,
        /// Whether the number that is compared with is the last, else it is the one behind that.
        is_last: bool,
    },
}

/// The head of a loop that declares something for each of some items: `const pattern of items`.
#[derive(Clone, Debug)]
pub struct LoopHead {
    /// What is declared for each of them.
    pub over: LoopOver,
    /// All of it, from the keyword to the end of what is between the parentheses.
    pub span: Span,
    /// What declares it.
    pub keyword: DeclKind,
    /// The pattern.
    pub pattern: Span,
    /// What binding the pattern may do.
    pub shape: PatternShape,
    /// What it goes over; of positions, what has the length that the loop compares with; of numbers, what the
    /// loop compares with.
    pub items: InstId,
    /// The place of that, parentheses around it included.
    pub items_span: Span,
}

/// One `pattern = value` of a declaration.
#[derive(Clone, Debug)]
pub struct Declarator {
    /// The pattern, its type annotation not included.
    pub pattern: Span,
    /// The type annotation with its colon, empty where there is none.
    pub annotation: Span,
    /// All of it, from the pattern to the end of the value.
    pub span: Span,
    /// Whether its type annotation, if it has one, is on one line and names no value (`typeof a`).
    pub has_plain_annotation: bool,
    /// Whether the value is `await` of a call and nothing else: no type assertion around either.
    pub is_plain_await: bool,
    /// What the pattern may do when it is bound.
    pub shape: PatternShape,
    /// The initial value.
    pub value: Option<InstId>,
}

impl Declarator {
    /// Whether it has a type annotation.
    #[must_use]
    pub fn has_annotation(&self) -> bool {
        self.annotation.start < self.annotation.end
    }
}

/// What binding a pattern may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternShape {
    /// One name: binds, nothing else.
    Name(VarId),
    /// `{a, b: c}` with known keys, no default, no nesting: reads properties.
    Properties,
    /// `[a, b]` with no default, no nesting: iterates.
    Elements,
    /// Anything else.
    Complex,
}

/// How the statements of a block stand in the source: it decides how another one may be put before
/// the first of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BlockForm {
    /// In a list of statements (ECMA-262, 14.2).
    #[default]
    List,
    /// A single one without braces, such as the body of an `if`. Behind the first number, the end of
    /// the token before it, there is only white space before it.
    Single(u32),
    /// The expression of an arrow function without a block. Its span takes in the parentheses around
    /// it, and the white space up to the `=>`.
    Concise(Span),
    /// Where nothing can be put before it: behind a label that loops are left by, or where a comment
    /// stands between it and the token before it.
    Fixed,
}

/// Statements that run one after the other: a range of the file's list of block items.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// How they stand in the source.
    pub form: BlockForm,
    /// Index of the first item.
    pub start: u32,
    /// Index behind the last item.
    pub end: u32,
}
