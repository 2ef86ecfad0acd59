//! Programs as trees, which can be printed, rewritten and shrunk.
//!
//! Statements are a tree. An expression is a sequence of pieces: text that suspends nothing, and
//! between it operations and functions. That is all the structure that rewriting and shrinking need.

/// What an operation does to the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It only reads.
    Read,
    /// It writes, or may.
    Write,
    /// It is a deliberate wait.
    Timer,
    /// It calls a function of the program.
    Call,
}

/// A call that gives a promise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The callee, as source text.
    pub callee: String,
    /// Its arguments.
    pub args: Vec<Expr>,
    /// What it does.
    pub effect: Effect,
}

/// A part of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Source text that waits for nothing.
    Code(String),
    /// An operation that is waited for at once.
    Await(Operation),
    /// An operation that is only started.
    Start(Operation),
    /// An arrow function.
    Arrow(Function),
}

/// An expression: its pieces, one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expr(pub Vec<Piece>);

/// What a `catch` has: the name of the error, where there is one, and its statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The name of the error.
    pub parameter: Option<String>,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stmt {
    /// `keyword pattern = value`
    Declare {
        /// `const`, `let` or `var`.
        keyword: &'static str,
        /// What is declared.
        pattern: String,
        /// The first value.
        value: Expr,
    },
    /// `target = value`
    Assign {
        /// What is assigned.
        target: String,
        /// The value.
        value: Expr,
    },
    /// An expression on its own.
    Expr(Expr),
    /// `return value`
    Return(Expr),
    /// `throw value`
    Throw(Expr),
    /// `break` or `continue`
    Jump(&'static str),
    /// `if`
    If {
        /// The condition.
        test: Expr,
        /// Where it holds.
        then: Vec<Stmt>,
        /// Where it does not.
        otherwise: Vec<Stmt>,
    },
    /// A loop; the head is all that stands before the body.
    Loop {
        /// `for (const x of y)` and the like.
        head: Expr,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// `try`
    Try {
        /// What is tried.
        block: Vec<Stmt>,
        /// `catch`
        handler: Option<Handler>,
        /// `finally`
        finalizer: Option<Vec<Stmt>>,
    },
}

/// A function: what stands before its body, and the body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// `async function f(dir)`, `async (x) =>`, `async load()`
    pub head: String,
    /// The statements.
    pub body: Vec<Stmt>,
}

/// A declaration of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// Source text.
    Code(String),
    /// A function.
    Function(Function),
    /// A class: its name, lines of source text, methods.
    Class(String, Vec<String>, Vec<Function>),
}

/// A module that exports `main`, and perhaps `other`, which runs beside it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// What it declares, `main` last.
    pub items: Vec<Item>,
}

impl Expr {
    /// Source text as an expression.
    pub fn code(text: impl Into<String>) -> Self {
        Self(vec![Piece::Code(text.into())])
    }

    /// `await operation`
    #[must_use]
    pub fn awaited(operation: Operation) -> Self {
        Self(vec![Piece::Await(operation)])
    }

    /// The operation, if the expression does nothing but wait for one.
    #[must_use]
    pub fn as_await(&self) -> Option<&Operation> {
        match self.0.as_slice() {
            [Piece::Await(operation)] => Some(operation),
            _ => None,
        }
    }
}

impl Stmt {
    /// Source text as a statement.
    pub fn code(text: impl Into<String>) -> Self {
        Self::Expr(Expr::code(text))
    }

    /// `const pattern = value`
    pub fn constant(pattern: impl Into<String>, value: Expr) -> Self {
        Self::Declare { keyword: "const", pattern: pattern.into(), value }
    }

    /// The operation that the statement does nothing but wait for, whatever becomes of its result.
    #[must_use]
    pub fn operation(&self) -> Option<&Operation> {
        match self {
            Self::Declare { value, .. } | Self::Assign { value, .. } => value.as_await(),
            Self::Expr(value) | Self::Return(value) => value.as_await(),
            _ => None,
        }
    }

    /// The expressions that stand directly in the statement.
    pub fn expressions_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            Self::Declare { value, .. } | Self::Assign { value, .. } => vec![value],
            Self::Expr(value) | Self::Return(value) | Self::Throw(value) => vec![value],
            Self::If { test, .. } => vec![test],
            Self::Loop { head, .. } => vec![head],
            Self::Jump(_) | Self::Try { .. } => Vec::new(),
        }
    }

    /// The blocks of the statement, without those of functions in it.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Stmt>> {
        match self {
            Self::If { then, otherwise, .. } => vec![then, otherwise],
            Self::Loop { body, .. } => vec![body],
            Self::Try { block, handler, finalizer } => {
                let handler = handler.as_mut().map(|handler| &mut handler.body);
                [Some(block), handler, finalizer.as_mut()].into_iter().flatten().collect()
            }
            _ => Vec::new(),
        }
    }
}

/// What encloses a block inside its function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// A `try` whose handler names the error.
    pub tells_apart: bool,
    /// A `try` with a `finally`.
    pub has_finalizer: bool,
}

/// What is done to each block.
pub type Visit<'v> = dyn FnMut(&mut Vec<Stmt>, Context) + 'v;

impl Program {
    /// Calls `visit` with each block of the program, the outer ones first.
    pub fn each_block(&mut self, visit: &mut Visit<'_>) {
        let context = Context::default();
        for item in &mut self.items {
            match item {
                Item::Code(_) => {}
                Item::Function(function) => walk_block(&mut function.body, context, visit),
                Item::Class(_, _, methods) => {
                    methods.iter_mut().for_each(|it| walk_block(&mut it.body, context, visit));
                }
            }
        }
    }
}

fn walk_block(block: &mut Vec<Stmt>, context: Context, visit: &mut Visit<'_>) {
    visit(block, context);
    for stmt in block {
        stmt.expressions_mut().into_iter().for_each(|it| walk_expr(it, context, visit));
        let Stmt::Try { block, handler, finalizer } = stmt else {
            stmt.blocks_mut().into_iter().for_each(|it| walk_block(it, context, visit));
            continue;
        };
        let guarded =
            Context { has_finalizer: context.has_finalizer || finalizer.is_some(), ..context };
        let tells_apart = handler.as_ref().is_some_and(|it| it.parameter.is_some());
        let tried = Context { tells_apart: context.tells_apart || tells_apart, ..guarded };
        walk_block(block, tried, visit);
        if let Some(handler) = handler {
            walk_block(&mut handler.body, guarded, visit);
        }
        if let Some(finalizer) = finalizer {
            walk_block(finalizer, context, visit);
        }
    }
}

fn walk_expr(expr: &mut Expr, context: Context, visit: &mut Visit<'_>) {
    for piece in &mut expr.0 {
        match piece {
            Piece::Code(_) => {}
            Piece::Await(operation) | Piece::Start(operation) => {
                operation.args.iter_mut().for_each(|it| walk_expr(it, context, visit));
            }
            Piece::Arrow(function) => walk_block(&mut function.body, context, visit),
        }
    }
}
