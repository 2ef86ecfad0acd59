//! Functions of which a person says what they do (`assume` in the configuration).
//!
//! Such a function may still do anything; what it is said to do is what is taken for granted of it, so that findings
//! which rest on that are `likely` and say so.

use std::collections::BTreeSet;

use headstart_callgraph::FunctionRef;

use super::place::{Location, Place, Resource, Root, Which};
use super::{Assumed, Effects, Summaries, Summary, Waiting};
use crate::answers::Does;

impl Summaries<'_> {
    /// What a person says that a function does; none where nobody has said it, or its code contradicts that.
    #[must_use]
    pub fn answer(&self, function: FunctionRef) -> Option<Does> {
        self.answers.get(&function).copied().filter(|_| self.answered.contains_key(&function))
    }

    /// The functions of which a person says something that their code is known to contradict: they write outside the
    /// program, or take a lock. What was said of them does not count.
    #[must_use]
    pub fn contradicted(&self) -> Vec<FunctionRef> {
        let said = self.answers.iter().filter(|it| *it.1 != Does::Anything).map(|it| *it.0);
        let is_used = |it: &FunctionRef| self.answered.contains_key(it) || !self.is_computed(*it);
        let mut found: Vec<FunctionRef> = said.filter(|it| !is_used(it)).collect();
        found.sort_unstable();
        found
    }

    /// Notes what a function is said to do, beside what its code says. That is kept: others ask who writes what.
    pub(super) fn note_answer(&mut self, function: FunctionRef, known: &Summary) {
        let Some(&does) = self.answers.get(&function) else { return };
        match does == Does::Anything || known.contradicts(does) {
            true => self.answered.remove(&function),
            false => {
                self.answered.insert(function, self.as_answered(function, does, known.clone()))
            }
        };
    }

    /// The summary of a function as far as its code says, with what a person says of it.
    fn as_answered(&self, function: FunctionRef, does: Does, known: Summary) -> Summary {
        let ir = self.graph.files()[function.file as usize];
        let data = ir.function(function.function);
        let mut effects = read_memory(&known);
        for place in self.handed_over_to(function) {
            effects.reads.insert(Location::Memory(place));
        }
        match does {
            Does::Computes | Does::Anything => {}
            Does::Reads => {
                effects.reads.insert(Location::Resource(Resource::Outside, Which::Any));
            }
            Does::Logs => {
                effects.writes.insert(Location::Resource(Resource::Log, Which::Any));
            }
        }
        let after = if data.is_async { effects.clone() } else { Effects::default() };
        let answered = BTreeSet::from([function]);
        let assumed = Assumed { answered, before: effects, after, ..Assumed::default() };
        let settling = match does {
            Does::Reads => Waiting::Answers,
            Does::Computes | Does::Logs | Does::Anything => Waiting::Settles,
        };
        let anything = match known.anything.is_empty() {
            true => vec![data.first],
            false => known.anything,
        };
        Summary {
            waits: known.waits || data.is_async,
            awaits: known.awaits.into_iter().map(|it| (it.0, settling)).collect(),
            throws_shared: known.throws_shared,
            abandons: known.abandons,
            consumes: known.consumes,
            throws: !data.is_async,
            rejects: true,
            settling,
            anything,
            assumed: Some(Box::new(assumed)),
            returned: known.returned,
            returns_unknown: known.returns_unknown,
            returns_fresh: known.returns_fresh,
            ..Summary::default()
        }
    }

    /// What a call hands to a function: its parameters and `this`, each with all below it.
    fn handed_over_to(&self, function: FunctionRef) -> impl Iterator<Item = Place> {
        let data = self.graph.files()[function.file as usize].function(function.function);
        // One more than it declares: the rest of them.
        let parameters = (0..=data.params).map(|it| Place::all_of(Root::Parameter(it)));
        parameters.chain([Place::all_of(Root::This)])
    }
}

impl Summary {
    /// Whether what is known of it is more than a person says that it does.
    fn contradicts(&self, does: Does) -> bool {
        let is_more = |it: &Location| match it {
            Location::Resource(Resource::Log | Resource::Output, _) => does != Does::Logs,
            Location::Resource(_, Which::Queried(_) | Which::Unless(_)) | Location::Memory(_) => {
                false
            }
            Location::Resource(..) => true,
        };
        let all = [&self.before, &self.after];
        self.locks || self.gives || all.iter().any(|it| it.writes.iter().any(is_more))
    }
}

/// What is known to be read of the memory of the program.
fn read_memory(known: &Summary) -> Effects {
    let mut found = Effects::default();
    for effects in known.effects() {
        found.reads.extend(effects.of_memory().reads);
    }
    found
}
