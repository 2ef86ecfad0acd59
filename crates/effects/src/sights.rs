//! What runs of the program have shown of its awaits (`headstart observe`).

use std::sync::Arc;

use headstart_callgraph::InstRef;
use rustc_hash::FxHashMap;

use crate::answers::Answers;

/// What an `await` was seen to do, in all runs that were observed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sight {
    /// How much that is.
    pub does: SeenTo,
    /// How often its call was awaited.
    pub calls: usize,
    /// What it touched, as a sentence names it.
    pub touched: String,
    /// The awaits that have begun in its calls, in order.
    pub inner: Arc<[InstRef]>,
}

impl Sight {
    /// Whether an await has begun in its calls.
    pub(crate) fn has_run(&self, at: InstRef) -> bool {
        self.inner.binary_search(&at).is_ok()
    }
}

/// How much an `await` was seen to do outside of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeenTo {
    /// It read something, and did nothing else.
    Read,
    /// It changed something.
    Write,
    /// It touched nothing.
    Nothing,
    /// Nobody can say what it did.
    Unclear,
}

/// What was seen of awaits, by their instructions.
pub type Sights = FxHashMap<InstRef, Sight>;

/// What others say of a program: a person of its functions, and runs of its awaits.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// Of functions.
    pub answers: Answers,
    /// Of awaits.
    pub sights: Sights,
}
