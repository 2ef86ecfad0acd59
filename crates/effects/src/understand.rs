//! What is known of a program, put together in one place.

use std::sync::atomic::AtomicBool;

use headstart_callgraph::{CallGraph, STOPPED};
use headstart_ir::FileIr;
use headstart_models::Models;
use rustc_hash::FxHashSet;

use crate::facts::ProgramFacts;
use crate::summary::Summaries;

/// The facts of a program, and what its functions do. Whoever prints or judges effects gets them
/// from here, so that all go by the same.
///
/// Setting `stop` ends the analysis soon.
///
/// # Errors
/// Models that lack a type of the language, and that it was stopped.
pub fn understand<'p>(
    files: &'p [&'p FileIr],
    models: &'p Models,
    stop: &'p AtomicBool,
) -> Result<(ProgramFacts, Summaries<'p>), String> {
    let mut facts = ProgramFacts::collect(files, models);
    let graph = CallGraph::build(files, models, &FxHashSet::default(), stop)?;
    facts.learn(&graph, models);
    let mut summaries = Summaries::compute_without(graph, facts.patched.clone());
    if summaries.graph.is_stopped() {
        return Err(STOPPED.to_owned());
    }
    summaries.set_open_hooks(facts.open_hooks.clone());
    Ok((facts, summaries))
}
