//! What the rest of a program shows of a file (`docs/whole-programs.md`).
//!
//! Nothing rests on it but what is worth converting, which functions count how deep their calls are, and what fast
//! methods of a name are given, which their symbol says: a call that may reach a fast form asks what it calls for one.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// Calls that take functions as text to another realm, where helpers of this file are not known.
pub const CARRIES_TEXT: [&str; 13] = [
    "$$eval",
    "$eval",
    "addInitScript",
    "evaluate",
    "evaluateAll",
    "evaluateHandle",
    "evaluateOnNewDocument",
    "execute",
    "executeAsync",
    "executeAsyncScript",
    "executeScript",
    "mock",
    "waitForFunction",
];

/// Names that stand in a program that may see the symbols of objects: what is read of proxies, and all that an object has.
pub const SEE_KEYS: [&str; 4] =
    ["Proxy", "getOwnPropertyDescriptors", "getOwnPropertySymbols", "ownKeys"];

/// What is known of a file that its text does not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct Outside<'o> {
    /// What the rest of its program shows of it.
    pub known: Option<&'o Known>,
    /// Where the functions begin that may be converted, as [`crate::Sampled::start_position`] says it; nothing where all may.
    pub only: Option<&'o FxHashSet<u32>>,
}

/// Places of a file, in bytes of its text without a BOM, that the call graph of the program tells something of.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    /// Where the async functions begin that a call may reach by more than a name of the file.
    pub reached: FxHashSet<u32>,
    /// Where the calls end that may reach an async method of a class of the program.
    pub methods: FxHashSet<u32>,
    /// Where the calls end that may reach another async function of it.
    pub values: FxHashSet<u32>,
    /// Where the calls end among these that may reach one that uses what it is called on.
    #[serde(default)]
    pub owned: FxHashSet<u32>,
    /// Where the calls end that may reach an async function by way of its `call` or `apply`.
    #[serde(default)]
    pub called: FxHashSet<u32>,
    /// Where the functions begin that have to count how deep their calls are, since they may call themselves, and the
    /// words of stack that what they call may take until the next one counts; `None` where these have no bound.
    pub counting: FxHashMap<u32, Option<u32>>,
    /// `name(position)`: a parameter that all methods of that name call, so that fast ones get the fast form of what is passed.
    /// Sorted.
    #[serde(default)]
    pub plain: Vec<String>,
    /// Where the functions and classes begin whose text is read somewhere.
    #[serde(default)]
    pub texts: FxHashSet<u32>,
    /// Whether the program makes proxies, which see what is read of them, or asks objects for their symbols.
    #[serde(default)]
    pub proxies: bool,
}
