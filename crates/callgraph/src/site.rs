//! Calls as the analysis sees them: what is passed, and where the result goes.

use crate::ids::Node;

/// The nodes of one function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FunctionNodes {
    /// What calls of it give.
    pub(crate) result: Node,
    /// Its `this`.
    pub(crate) this: Node,
    /// Its first parameter; the others follow.
    pub(crate) params: Node,
    /// How many there are.
    pub(crate) count: u32,
    /// The elements of its rest parameter, where it has one.
    pub(crate) rest: Node,
    /// The elements of its `arguments`, where it uses them.
    pub(crate) arguments: Node,
}

/// A call: what is passed and where the result goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) callee: Node,
    pub(crate) this: Node,
    pub(crate) result: Node,
    /// Where its arguments start in the list of all.
    pub(crate) args: u32,
    pub(crate) count: u32,
    /// The instruction that it belongs to.
    pub(crate) origin: u32,
    pub(crate) how: How,
    /// How many native functions pass the call on: `f.call.apply(…)`.
    pub(crate) depth: u8,
    /// Whether `this` is given, by `call` or `bind`.
    pub(crate) gives_this: bool,
    /// Whether it is one of what `bind` has made.
    pub(crate) by_bind: bool,
    /// Whether `bind` has put arguments in front.
    pub(crate) is_bound: bool,
}

/// How a function is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// By a call.
    Call,
    /// By `new`.
    New,
    /// By `super(…)`.
    Super,
    /// By a native function that was given it.
    Callback,
}

/// An argument: a value, or one whose elements are the arguments from there on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arg {
    pub(crate) node: Node,
    pub(crate) is_spread: bool,
}

/// A call of a function of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Edge {
    pub(crate) origin: u32,
    pub(crate) function: u32,
    /// Whether a native function makes the call.
    pub(crate) is_callback: bool,
}
