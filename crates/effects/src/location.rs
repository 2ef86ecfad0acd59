//! Abstract locations: what MOD and REF are sets of.

use headstart_ir::{InstId, NameId, Span, VarId};
use headstart_models::Resource;

use crate::grouping::Topic;
use crate::reasons::Reason;

/// The longest access path that is told apart; a longer one is its prefix of this length, which
/// stands for everything below it.
const LONGEST_PATH: usize = 4;

/// A set of memory locations: a root and the properties read from it (paper, section 4.1).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccessPath {
    /// Where it starts.
    pub root: Root,
    /// The properties, outermost first; none where the key is computed.
    pub keys: Vec<Option<NameId>>,
}

/// Where an access path starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// A variable.
    Variable(VarId),
    /// A name that the file does not declare.
    Global(NameId),
    /// `this`
    This,
    /// The value of an instruction that has no name.
    Value(InstId),
}

impl AccessPath {
    /// The path of one step.
    #[must_use]
    pub fn new(root: Root) -> Self {
        Self { root, keys: Vec::new() }
    }

    /// This path and one property more.
    #[must_use]
    pub fn then(mut self, key: Option<NameId>) -> Self {
        if self.keys.len() < LONGEST_PATH {
            self.keys.push(key);
        }
        self
    }
}

/// A location that code reads or writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Location {
    /// A variable.
    Variable(VarId),
    /// A property of an object.
    Property(AccessPath),
    /// Something outside the program's memory.
    Region(Region),
}

/// Something outside the program's memory. The value, where there is one, is the argument that says
/// which.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// What kind of thing.
    pub resource: Resource,
    /// The argument that says which; none where any may be meant.
    pub which: Option<InstId>,
}

/// Another place that a sentence speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// The file, by its index in the program.
    pub file: usize,
    /// The place in it.
    pub span: Span,
}

/// Something that is taken for granted, and has to be printed with what rests on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// What it says; `{}` in its sentence is the source text of `span`.
    pub reason: Reason,
    /// What it is about.
    pub span: Span,
    /// What it is about elsewhere, such as who writes something.
    pub elsewhere: Vec<Elsewhere>,
    /// By what it can be told in one sentence with others that are alike.
    pub topic: Option<Topic>,
}

/// Why something cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocker {
    /// What it says; `{}` in its sentence is the source text of `span`.
    pub reason: Reason,
    /// What stands in the way.
    pub span: Span,
    /// What it is about elsewhere, such as who writes something.
    pub elsewhere: Vec<Elsewhere>,
}

impl Assumption {
    /// A sentence about one place.
    #[must_use]
    pub fn new(reason: impl Into<Reason>, span: Span) -> Self {
        Self { reason: reason.into(), span, elsewhere: Vec::new(), topic: None }
    }

    /// A sentence about one place, of what nearly always holds.
    #[must_use]
    pub fn usual(reason: impl Into<Reason>, span: Span) -> Self {
        Self::new(reason, span).on(Topic::usual())
    }

    /// The same, which can be told with others that are alike.
    #[must_use]
    pub fn on(mut self, topic: Topic) -> Self {
        self.topic = Some(topic);
        self
    }
}

impl Blocker {
    /// A sentence about one place.
    #[must_use]
    pub fn new(reason: impl Into<Reason>, span: Span) -> Self {
        Self { reason: reason.into(), span, elsewhere: Vec::new() }
    }

    /// The same of the operation that is called `name`, where it is said of every one.
    #[must_use]
    pub fn of_operation(&self, name: &str) -> Self {
        Self { reason: self.reason.of_operation(name), ..self.clone() }
    }
}
