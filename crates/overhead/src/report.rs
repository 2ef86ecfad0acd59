//! What became of each async function.

use serde::Serialize;

/// An async function of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FunctionReport {
    /// Its name, or that of what it is put into; empty where it has none.
    pub name: String,
    /// Where it begins, in bytes from the start of the text.
    pub offset: u32,
    /// Where the file mentions it, as far as that is known.
    pub calls: Calls,
    /// What became of it.
    pub outcome: Outcome,
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
        /// function than the rest.
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
