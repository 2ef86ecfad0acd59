//! What is known of a program, put together in one place.

use headstart_callgraph::CallGraph;
use headstart_ir::FileIr;
use headstart_models::Models;
use rustc_hash::FxHashSet;

use crate::facts::ProgramFacts;
use crate::summary::Summaries;

/// The facts of a program, and what its functions do. Whoever prints or judges effects gets them
/// from here, so that all go by the same.
///
/// # Errors
/// Models that lack a type of the language.
pub fn understand<'p>(
    files: &'p [&'p FileIr],
    models: &'p Models,
) -> Result<(ProgramFacts, Summaries<'p>), String> {
    let mut facts = ProgramFacts::collect(files, models);
    let graph = CallGraph::build(files, models, &FxHashSet::default())?;
    facts.learn(&graph, models);
    let mut summaries = Summaries::compute_without(graph, facts.patched.clone());
    summaries.set_open_hooks(facts.open_hooks.clone());
    Ok((facts, summaries))
}
