//! What the states of a machine do.

use oxc_span::Span;

/// Something in the text that means something to the machine.
#[derive(Clone, Debug)]
pub(super) enum Op {
    /// Goes to a state. `abrupt`: by way of the `finally` blocks in between.
    Jump { to: u32, abrupt: bool },
    /// Waits for a value, and goes to a state.
    Wait { value: Option<Span>, to: u32 },
    /// Ends the function.
    Return { value: Option<Span> },
    /// Goes on with what was going on before a `finally` block.
    EndFinally,
    /// Only says which state comes next in the text.
    Next { to: u32 },
    /// Means nothing here.
    Nothing,
    /// What was waited for, or caught.
    Sent,
    /// A variable that the machine keeps.
    Kept(String),
}

/// A state: what comes behind a label.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) label: u32,
    /// What begins it, such as `case 1:`.
    pub(super) head: Span,
    /// Its last statement gives control away.
    pub(super) ends: bool,
    /// It begins with what was waited for, or caught.
    pub(super) takes_sent: bool,
}

/// A `try` statement, by its labels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Try {
    pub(super) start: u32,
    pub(super) catch: Option<u32>,
    pub(super) finally: Option<u32>,
    /// What comes behind it; where there is no `finally`, not always known.
    pub(super) end: Option<u32>,
}

/// All that was read.
#[derive(Debug, Default)]
pub(super) struct States {
    pub(super) states: Vec<State>,
    /// Each with the state it is in.
    pub(super) ops: Vec<(usize, Span, Op)>,
    pub(super) tries: Vec<Try>,
    /// From the statement that returns the machine to its first state.
    pub(super) opening: Span,
    /// From behind the last state to the end of the statement.
    pub(super) closing: Span,
}
