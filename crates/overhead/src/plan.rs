//! A function's body as the two printers need it: statements that hold a resume point taken
//! apart, everything else as text.
//!
//! Output guarantees of the lowering: sites are numbered from 1 in the order of the text, so those
//! of a node are a range; a node without sites prints alike in the fast function and in its twin.

use oxc_semantic::{ScopeId, SymbolId};
use oxc_span::Span;

use crate::facts::gives::Gives;
use crate::rope::{Rope, rope};

/// A statement.
#[derive(Debug)]
pub(crate) enum Node {
    /// Statements without a site.
    Raw(Rope),
    /// A statement that only the twin runs, and the `var`s in it.
    TwinOnly {
        text: Rope,
        vars: Vec<String>,
    },
    /// A function declaration.
    Hoisted(Rope),
    /// A `let`, `const` or `class` of the block it stands in.
    Declare(Declare),
    /// The site with this index.
    Site(usize),
    Return(Option<Returned>),
    /// `return await …`, where nothing between here and the caller could notice.
    /// With whether a fast function gives it.
    TailAwait(Rope, bool),
    If {
        test: Rope,
        then: Vec<Node>,
        otherwise: Vec<Node>,
    },
    Loop(Box<Loop>),
    ForOf(Box<ForOf>),
    Switch(Box<Switch>),
    Try(Box<Try>),
    Block {
        labels: Vec<String>,
        body: Vec<Node>,
    },
}

/// What is returned.
#[derive(Debug)]
pub(crate) struct Returned {
    pub(crate) text: Rope,
    /// Whether it can be no thenable, by its form.
    pub(crate) is_primitive: bool,
}

/// One declarator.
#[derive(Debug)]
pub(crate) struct Declare {
    pub(crate) keyword: &'static str,
    pub(crate) symbols: Vec<SymbolId>,
    /// Without type annotation.
    pub(crate) pattern: Rope,
    /// With it.
    pub(crate) typed: Rope,
    pub(crate) init: Option<Rope>,
}

impl Declare {
    /// An assignment to the variables, which are declared elsewhere; no statement begins with its
    /// pattern.
    pub(crate) fn assignment(&self) -> Rope {
        let value = self.init.clone().unwrap_or_else(|| "void 0".into());
        rope!["(", &self.pattern, " = ", value, ")"]
    }
}

impl Site {
    /// Whether the value of an operand decides whether anything is waited for.
    pub(crate) fn awaits(&self) -> bool {
        matches!(self.kind, SiteKind::Await(_))
    }
}

/// The head of a loop.
#[derive(Debug)]
pub(crate) enum Head {
    While(Rope),
    DoWhile(Rope),
    /// `for (;;)` with declarations, or an expression, at its start.
    For {
        declares: Vec<Declare>,
        init: Option<Rope>,
        test: Option<Rope>,
        update: Option<Rope>,
    },
}

/// `while`, `do` and `for (;;)`.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) labels: Vec<String>,
    pub(crate) head: Head,
    pub(crate) body: Vec<Node>,
}

/// `for (… of …)`, its iterator driven by hand.
#[derive(Debug)]
pub(crate) struct ForOf {
    pub(crate) labels: Vec<String>,
    /// The temporary that holds the iteration.
    pub(crate) items: usize,
    /// In the fast function, the variables with the array that it is of, and with where it is in that.
    pub(crate) array: Option<ArrayNames>,
    pub(crate) iterable: Rope,
    /// Whether something in it returns, or jumps to what stands around it.
    pub(crate) leaves: bool,
    /// Begins with what gives the variable its value.
    pub(crate) body: Vec<Node>,
}

/// The variables that a `for … of` over an array has: what the engine keeps in registers is stepped through in half the time.
#[derive(Clone, Debug)]
pub(crate) struct ArrayNames {
    /// The array; `null` for whatever else is iterated.
    pub(crate) list: String,
    /// The index of the next element.
    pub(crate) index: String,
}

/// `switch`.
#[derive(Debug)]
pub(crate) struct Switch {
    pub(crate) labels: Vec<String>,
    pub(crate) discriminant: Rope,
    /// The variable that holds the number of the case in the twin.
    pub(crate) chosen: String,
    pub(crate) cases: Vec<(Option<Rope>, Vec<Node>)>,
}

/// `try`.
#[derive(Debug)]
pub(crate) struct Try {
    pub(crate) block: Vec<Node>,
    pub(crate) handler: Option<Handler>,
    /// With its braces.
    pub(crate) finalizer: Option<Rope>,
}

/// `catch`.
#[derive(Debug)]
pub(crate) struct Handler {
    pub(crate) param: CatchParam,
    pub(crate) body: Vec<Node>,
}

/// What a `catch` clause calls the error.
#[derive(Debug)]
pub(crate) enum CatchParam {
    None,
    Variable(SymbolId),
    /// A temporary, where the clause takes the error apart.
    Temp(usize),
}

/// Where the value awaited goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    Temp(usize),
    /// A variable declared by the awaiting declaration.
    Variable(SymbolId),
}

/// What happens at a site.
#[derive(Debug)]
pub(crate) enum SiteKind {
    /// An await whose operand decides whether anything is waited for.
    Await(Rope),
    /// An await of what never is a promise: a yield that somebody wants.
    Yield(Rope),
    /// Code that only the twin can run comes next.
    Enter,
    /// The start of a function that may call itself, or get very many arguments.
    Entry,
}

/// A place where the fast function hands over to its twin.
#[derive(Debug)]
pub(crate) struct Site {
    pub(crate) kind: SiteKind,
    pub(crate) target: Target,
    /// The start of the statement it belongs to: what is mentioned later is still needed.
    pub(crate) position: u32,
    /// The scopes of the function that are open here.
    pub(crate) scopes: Vec<ScopeId>,
    /// The loops around it, outermost first.
    pub(crate) loops: Vec<LoopSpan>,
    /// Temporaries that are still needed.
    pub(crate) temps: Vec<usize>,
    /// Whether leaving from here would run a `finally`.
    pub(crate) flagged: bool,
    /// Whether a fast function gives what is awaited, and has not looked at it.
    pub(crate) is_raw: bool,
    /// The type of what is awaited, where that is likely to be a primitive value.
    pub(crate) gives: Gives,
}

/// A loop around a site.
#[derive(Clone, Debug)]
pub(crate) struct LoopSpan {
    pub(crate) span: Span,
    /// The variables of the head of a `for (let …;;)`.
    pub(crate) head: Vec<SymbolId>,
    /// The head, which runs on a copy of them.
    pub(crate) outside_body: Span,
    /// The variable that counts the rounds, one by one from an integer.
    pub(crate) counter: Option<SymbolId>,
}

/// A whole function.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) body: Vec<Node>,
    pub(crate) sites: Vec<Site>,
    /// The loops that are taken apart; some have no site, but a tail await.
    pub(crate) loops: Vec<LoopSpan>,
    /// The names of the temporaries.
    pub(crate) temps: Vec<String>,
    /// The one that is a parameter in front of all others: the fast form of one of these.
    pub(crate) plain: Option<usize>,
}

/// The numbers of the sites in some nodes: first and last.
pub(crate) fn range(nodes: &[Node]) -> Option<(usize, usize)> {
    nodes.iter().filter_map(range_of).reduce(|(first, _), (_, last)| (first, last))
}

/// The numbers of the sites in a node.
pub(crate) fn range_of(node: &Node) -> Option<(usize, usize)> {
    match node {
        Node::Site(index) => Some((index + 1, index + 1)),
        Node::If { then, otherwise, .. } => join(range(then), range(otherwise)),
        Node::Loop(it) => range(&it.body),
        Node::ForOf(it) => range(&it.body),
        Node::Switch(it) => it.cases.iter().map(|(_, body)| range(body)).fold(None, join),
        Node::Try(it) => join(range(&it.block), it.handler.as_ref().and_then(|it| range(&it.body))),
        Node::Block { body, .. } => range(body),
        Node::Raw(_)
        | Node::TwinOnly { .. }
        | Node::Hoisted(_)
        | Node::Declare(_)
        | Node::Return(_)
        | Node::TailAwait(..) => None,
    }
}

fn join(a: Option<(usize, usize)>, b: Option<(usize, usize)>) -> Option<(usize, usize)> {
    match (a, b) {
        (Some((first, _)), Some((_, last))) => Some((first, last)),
        (one, other) => one.or(other),
    }
}

/// Calls `see` with all nodes, outer ones first.
pub(crate) fn visit(nodes: &[Node], see: &mut impl FnMut(&Node)) {
    for node in nodes {
        see(node);
        match node {
            Node::If { then, otherwise, .. } => {
                visit(then, see);
                visit(otherwise, see);
            }
            Node::Loop(it) => visit(&it.body, see),
            Node::ForOf(it) => visit(&it.body, see),
            Node::Switch(it) => it.cases.iter().for_each(|(_, body)| visit(body, see)),
            Node::Try(it) => {
                visit(&it.block, see);
                it.handler.iter().for_each(|it| visit(&it.body, see));
            }
            Node::Block { body, .. } => visit(body, see),
            Node::Raw(_)
            | Node::TwinOnly { .. }
            | Node::Hoisted(_)
            | Node::Declare(_)
            | Node::Site(_)
            | Node::Return(_)
            | Node::TailAwait(..) => {}
        }
    }
}
