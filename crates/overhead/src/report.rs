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
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a function.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Outcome {
    /// It is fast now.
    Converted {
        /// Where its twin stands: `none`, `lifted` or `nested`.
        twin: &'static str,
    },
    /// It is as it was.
    Kept {
        /// Why.
        reason: String,
    },
}
