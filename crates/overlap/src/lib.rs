//! Finding awaits that wait needlessly, and planning how to rewrite them.
//!
//! One rewrite, one file; each has a page of the same name in `docs/`. What may be rewritten is
//! decided by the contract (`docs/contract.md`).

mod adjacent_awaits;
mod emit;
mod explain;
mod finding;
mod group;
mod layout;
mod site;
mod walk;

pub use emit::{EmitError, Emitter};
pub use explain::{Explanation, explain};
pub use finding::{Errors, Finding, Form, Level, Plan, PlannedRead};

use headstart_effects::FileAnalysis;

/// All findings of a file, in source order.
#[must_use]
pub fn find(analysis: &FileAnalysis<'_>, errors: Errors) -> Vec<Finding> {
    let mut findings = adjacent_awaits::find(analysis, errors);
    findings.sort_by_key(|finding| finding.range.start);
    findings
}

/// How many awaits of a file wait for an operation that a model describes as I/O.
#[must_use]
pub fn count_io_awaits(analysis: &FileAnalysis<'_>) -> usize {
    use headstart_ir::Inst;
    analysis
        .ir
        .insts
        .iter()
        .filter(|inst| match **inst {
            Inst::Await(value) => analysis
                .operation(value, &headstart_effects::Known::default())
                .is_ok_and(|it| !it.reads.is_empty() || !it.writes.is_empty()),
            _ => false,
        })
        .count()
}
