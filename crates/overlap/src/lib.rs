//! Finding awaits that wait needlessly, and planning how to rewrite them.
//!
//! One rewrite, one file in `rewrites`; each has a page of the same name in `docs/`. What may be
//! rewritten is decided by the contract (`docs/contract.md`).

mod again;
mod arbiter;
mod atomic_import;
mod block;
mod braces;
mod building;
mod caches;
mod cleanup;
mod clients;
mod crossing;
mod deciding;
mod dependence;
mod emit;
mod exclusive;
mod exits;
mod explain;
mod fetched;
mod finalizer;
mod finding;
mod first;
mod gain;
mod gates;
mod gathering;
mod guarded;
mod handed;
mod helper;
mod inferred;
mod items;
mod layout;
mod leaving;
mod log;
mod loops;
mod members;
mod met_before;
mod missing;
mod named;
mod naming;
mod narrowed;
mod parts;
mod paths;
mod pending;
mod places;
mod plain;
mod promised;
mod races;
mod reading;
mod repeated;
mod rewrites;
mod runs;
mod same_for_all;
mod schedule;
mod script;
mod search;
mod seen;
mod set_in_front;
mod siblings;
mod site;
mod tables;
mod unit;
mod unproved;
mod walk;
mod whole;
mod words;
mod write;

pub use deciding::When;
pub use emit::{EmitError, Emitter};
pub use explain::{Explanation, Sentence, explain};
pub use finding::{
    Errors, Finding, Form, Level, Part, Piece, Plan, PlannedBinding, PlannedOperation,
};
pub use guarded::Guard;
pub use helper::Helper;
pub use rewrites::{ATOMICITY, Meta, rule, rules};
pub use script::{Change, Fit, Fragment, FreshName, Script, Text};

use headstart_callgraph::FunctionRef;
use headstart_effects::{FileAnalysis, Summaries};
use headstart_ir::{FunctionId, Inst, InstId, Span};

/// All findings of a file, in source order.
#[must_use]
pub fn find<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
    errors: Errors,
) -> Vec<Finding> {
    search::find(analysis, summaries, errors)
}

/// How many awaits of a file wait for something outside the program, as far as that is known.
#[must_use]
pub fn count_io_awaits<'p>(analysis: &FileAnalysis<'p>, summaries: &'p Summaries<'p>) -> usize {
    let ir = analysis.ir;
    let waits_outside = |at: InstId| match ir.inst(at) {
        Inst::Await(operation) => {
            let function = summaries.graph.function_at(analysis.at(at));
            // A query may start where it is waited for.
            let starts = [operation, at].map(|it| (it, InstId::new(it.index() + 1)));
            starts.into_iter().any(|(first, end)| {
                site::touches_outside(&summaries.effects_of(function, first, end))
            })
        }
        _ => false,
    };
    (0..ir.insts.len()).map(InstId::new).filter(|&at| waits_outside(at)).count()
}

/// Why the awaits of a file overlap nothing: each await that has another before it in its block, with
/// the first reason; none where it can overlap. For finding out what to understand next.
#[must_use]
pub fn census<'p>(
    analysis: &FileAnalysis<'p>,
    summaries: &'p Summaries<'p>,
) -> Vec<(Span, Option<Sentence>)> {
    explain::census(analysis, summaries)
}

/// A function of a file, as the whole program names it.
pub(crate) fn function_ref(analysis: &FileAnalysis<'_>, function: FunctionId) -> FunctionRef {
    FunctionRef { file: u32::try_from(analysis.file).unwrap_or(u32::MAX), function }
}
