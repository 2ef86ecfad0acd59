//! What is known of a program, put together in one place.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use headstart_callgraph::{CallGraph, STOPPED};
use headstart_ir::FileIr;
use headstart_models::Models;

use crate::api::{FileAnalysis, FileNames};
use crate::facts::ProgramFacts;
use crate::sights::Told;
use crate::summary::Summaries;

/// A program that is understood: its facts, its call graph, and what its functions do. Whoever prints or
/// judges effects asks it, so that all go by the same. Several threads may ask at the same time.
#[derive(Debug)]
pub struct Session<'p> {
    files: &'p [&'p FileIr],
    models: &'p Models,
    /// What only the whole program shows.
    pub facts: Arc<ProgramFacts>,
    /// What its functions do, over its call graph.
    pub summaries: Summaries<'p>,
}

impl<'p> Session<'p> {
    /// Understands a program; `told` is what others say of it. Setting `stop` ends that soon.
    ///
    /// # Errors
    /// Models that lack a type of the language, and that it was stopped.
    pub fn new(
        files: &'p [&'p FileIr],
        models: &'p Models,
        told: Told,
        stop: &'p AtomicBool,
    ) -> Result<Self, String> {
        let graph = call_graph(files, models, stop)?;
        let facts = Arc::new(facts(files, models, told, &graph));
        Self::with(files, models, facts, Arc::new(graph), None)
    }

    /// As [`Self::new`], with nothing told and the call graph that [`call_graph`] gives for the same program.
    ///
    /// # Errors
    /// That it was stopped.
    pub fn of_graph(
        files: &'p [&'p FileIr],
        models: &'p Models,
        graph: CallGraph<'p>,
    ) -> Result<Self, String> {
        let facts = Arc::new(facts(files, models, Told::default(), &graph));
        Self::with(files, models, facts, Arc::new(graph), None)
    }

    /// As [`Self::new`], for those who ask about some files alone, by their indices. If what they ask takes
    /// more, [`Summaries::lacks`] or [`Summaries::has_supposed`] says so when they have asked, and
    /// [`Self::whole`] has the answers.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub fn about(
        named: &[usize],
        files: &'p [&'p FileIr],
        models: &'p Models,
        told: Told,
        stop: &'p AtomicBool,
    ) -> Result<Self, String> {
        let graph = call_graph(files, models, stop)?;
        let facts = Arc::new(facts(files, models, told, &graph));
        let session = Self::with(files, models, facts, Arc::new(graph), Some(named))?;
        if session.summaries.lacks() { session.whole() } else { Ok(session) }
    }

    /// The same program, with all there is to know.
    ///
    /// # Errors
    /// That it was stopped.
    pub fn whole(&self) -> Result<Self, String> {
        let graph = Arc::clone(&self.summaries.graph);
        Self::with(self.files, self.models, Arc::clone(&self.facts), graph, None)
    }

    fn with(
        files: &'p [&'p FileIr],
        models: &'p Models,
        facts: Arc<ProgramFacts>,
        graph: Arc<CallGraph<'p>>,
        named: Option<&[usize]>,
    ) -> Result<Self, String> {
        let summaries = Summaries::compute(graph, &facts, named);
        if summaries.graph.is_stopped() {
            return Err(STOPPED.to_owned());
        }
        Ok(Self { files, models, facts, summaries })
    }

    /// One file, by its index in the program.
    #[must_use]
    pub fn file(&'p self, index: usize) -> FileAnalysis<'p> {
        let names = FileNames::new(index, self.files[index], self.models, &self.facts);
        FileAnalysis::new(names, &self.summaries)
    }

    /// All files, in the order of the program.
    pub fn files(&'p self) -> impl Iterator<Item = FileAnalysis<'p>> {
        (0..self.files.len()).map(|it| self.file(it))
    }
}

/// What the whole program shows, without what its functions do: enough where nothing is asked about any of
/// them.
///
/// # Errors
/// As for [`Session::new`].
pub fn program_facts<'p>(
    files: &'p [&'p FileIr],
    models: &'p Models,
    stop: &'p AtomicBool,
) -> Result<ProgramFacts, String> {
    let graph = call_graph(files, models, stop)?;
    if graph.is_stopped() {
        return Err(STOPPED.to_owned());
    }
    Ok(facts(files, models, Told::default(), &graph))
}

fn facts(files: &[&FileIr], models: &Models, told: Told, graph: &CallGraph<'_>) -> ProgramFacts {
    let mut facts = ProgramFacts::collect(files, models);
    facts.answers = told.answers;
    facts.sights = told.sights;
    facts.learn(graph, models);
    facts
}

/// The call graph of a program alone.
///
/// # Errors
/// Models that lack a type of the language, and that it was stopped.
pub fn call_graph<'p>(
    files: &'p [&'p FileIr],
    models: &'p Models,
    stop: &'p AtomicBool,
) -> Result<CallGraph<'p>, String> {
    CallGraph::build(files, models, stop)
}

#[cfg(test)]
mod tests {
    use super::Session;

    fn on_any_thread<T: Send + Sync>() {}

    #[test]
    fn several_threads_may_ask() {
        on_any_thread::<Session<'static>>();
    }
}
