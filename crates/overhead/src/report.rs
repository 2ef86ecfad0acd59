//! What became of each async function.

use serde::Serialize;

use crate::facts::FunctionFacts;

/// Why a function stays as it is that is not among those that may be converted ([`crate::Outside::only`]).
pub(crate) const COLD: &str = "cold";

/// An async function of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionReport {
    /// Its name, or that of what it is put into; empty where it has none.
    pub name: String,
    /// Where it begins, in bytes from the start of the text.
    pub offset: u32,
    /// By what a CPU profile may speak of it.
    #[serde(skip)]
    pub sampled: Sampled,
    /// Where the file mentions it, as far as that is known.
    pub calls: Calls,
    /// Awaits in it that no longer wait where nothing is pending, where it stays as it is.
    pub eased: Eased,
    /// Whether it only stays as it is since what it becomes does not parse: a mistake of this crate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub mistake: bool,
    /// What became of it.
    pub outcome: Outcome,
}

impl FunctionReport {
    /// What became of a function, and nothing else.
    pub(crate) fn new(name: String, offset: u32, outcome: Outcome) -> Self {
        let (calls, eased) = (Calls::default(), Eased::default());
        let sampled = Sampled { start_position: offset, ..Sampled::default() };
        Self { name, offset, sampled, calls, eased, mistake: false, outcome }
    }

    /// Whether the function became one that hands on a promise.
    pub(crate) fn is_unwrapped(&self) -> bool {
        matches!(self.outcome, Outcome::Unwrapped)
    }
}

/// What a CPU profile says of a function is found by this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sampled {
    /// Where V8 says that it begins: at its parameters; an arrow function, at its start.
    pub start_position: u32,
    /// How long its text is, in bytes.
    pub length: u32,
    /// The last names of what it calls, each once: V8 may count the time of these as its own.
    pub callees: Vec<String>,
}

impl Sampled {
    pub(crate) fn of(function: &FunctionFacts) -> Self {
        let mut callees: Vec<String> = function.calls.iter().map(|it| it.name.clone()).collect();
        callees.retain(|it| !it.is_empty());
        callees.sort_unstable();
        callees.dedup();
        Self { start_position: function.start_position, length: function.span.size(), callees }
    }
}

/// Awaits in a function that stays as it is, of calls of fast functions.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Eased {
    /// How many there are.
    pub count: usize,
    /// The names of what they call, each once, in the order of the text.
    pub of: Vec<String>,
}

impl Eased {
    /// Notes another one.
    pub(crate) fn add(&mut self, name: &str) {
        self.count += 1;
        if !self.of.iter().any(|it| it == name) {
            self.of.push(name.to_owned());
        }
    }
}

/// The places that mention a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Calls {
    /// Calls whose promise is awaited at once.
    pub awaited: usize,
    /// All others.
    pub other: usize,
}

/// What became of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Outcome {
    /// It is fast now.
    Converted {
        /// Where its twin stands: `none`, `lifted` or `nested`.
        twin: &'static str,
        /// How it is called: `asked` where it asked for the conversion, and callers get a value or a
        /// promise; `inPlace` where all callers await it at once; `beside` where these call another
        /// function than the rest; `inBlocks` where atomic blocks do, and all else keeps its ticks.
        entry: &'static str,
    },
    /// It was a generator behind a compiler's helper, and is an async function again.
    Restored {
        /// The helper.
        helper: &'static str,
        /// What it is now.
        form: &'static str,
    },
    /// It only handed on the promise of another, and is not async any more.
    Unwrapped,
    /// It is as it was.
    Kept {
        /// Why.
        reason: String,
    },
}

impl Outcome {
    /// What goes through a helper and has to.
    pub(crate) fn not_restored(helper: &str, reason: &str) -> Self {
        Self::Kept { reason: format!("not restored from {helper}: {reason}") }
    }
}

/// Adds what a later pass has to say of a function to what was said of it before.
pub(crate) fn merge(reports: &mut [FunctionReport], later: &FunctionReport) {
    let Some(report) = reports.iter_mut().find(|it| it.offset == later.offset) else { return };
    match (&mut report.outcome, &later.outcome) {
        (Outcome::Kept { reason }, Outcome::Kept { reason: further }) => {
            *reason = format!("{reason}; {further}");
        }
        (Outcome::Kept { .. }, outcome) => report.outcome = outcome.clone(),
        _ => {}
    }
}

/// Adds what became of a function for the atomic blocks that run it.
pub(crate) fn fused(reports: &mut [FunctionReport], later: &FunctionReport) {
    let Some(report) = reports.iter_mut().find(|it| it.offset == later.offset) else { return };
    if report.name != later.name {
        // It is what another pass has made of the function.
        return;
    }
    match (&report.outcome, &later.outcome) {
        (Outcome::Kept { .. }, Outcome::Converted { twin, .. }) => {
            report.outcome = Outcome::Converted { twin, entry: "inBlocks" };
        }
        _ if later.eased.count > 0 => report.eased = later.eased.clone(),
        _ => return,
    }
    report.calls = later.calls;
}
