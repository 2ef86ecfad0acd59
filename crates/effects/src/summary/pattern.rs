//! Regular expressions that several calls share: where one stops, the next may go on (`lastIndex`).

use headstart_callgraph::{CallGraph, Modelled, ObjectId, PathKey};
use headstart_ir::InstId;

use super::Summaries;
use super::place::Root;
use super::roots::Roots;

impl Roots<'_, '_> {
    /// Whether a method of strings matches with a regular expression that others have, too, and whose flags
    /// nobody knows: all that it may change is where the next match begins, if any asks for that. What
    /// parameters bring is for callers to say.
    pub(crate) fn matches_anew(&self, member: &Modelled<'_>, pattern: InstId) -> bool {
        let is_method = || {
            self.all.matches(member)
                && !self.is_each_pattern(pattern, |graph, it| graph.has_known_flags(it))
        };
        let is_shared = |root: Root| match root {
            Root::Parameter(_) | Root::This => false,
            // What another function makes, and keeps: `regEx(/…/)`, which makes each once.
            Root::Made(at) => self.all.graph.function_at(at) != self.function,
            _ => true,
        };
        let places = self.under(pattern, PathKey::ANY);
        !places.is_empty() && places.iter().all(|it| is_shared(it.root)) && is_method()
    }

    /// Whether all that a value may be is of a kind, and it is something.
    pub(crate) fn is_each_pattern(
        &self,
        value: InstId,
        is_one: impl Fn(&CallGraph<'_>, ObjectId) -> bool,
    ) -> bool {
        let graph = &self.all.graph;
        let objects = graph.value_objects(self.at(value));
        !objects.is_empty() && objects.into_iter().all(|it| is_one(graph, it))
    }
}

impl Summaries<'_> {
    /// Whether a member is a method of strings that matches with the regular expression that it is given.
    pub(crate) fn matches(&self, member: &Modelled<'_>) -> bool {
        member.module == "ecmascript"
            && member.call.is_some_and(|row| !row.mutates.is_empty())
            && self.graph.name(member).starts_with("String.")
    }
}
