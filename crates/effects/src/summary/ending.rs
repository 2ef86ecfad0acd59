//! What ends the program: nobody reads any more then.

use headstart_callgraph::{Callees, FunctionRef, InstRef, Modelled};

use headstart_ir::{Inst, InstId};

use super::Summaries;
use super::place::Location;
use super::row::arguments;

impl Summaries<'_> {
    /// Whether all that is not known of what an instruction does is that the program ends, and it writes
    /// nothing before that but lines of a log: `process.exit(1)`, or a handler that prints and ends so.
    #[must_use]
    pub fn only_ends(&self, at: InstRef) -> bool {
        let callees = self.callees(at);
        let ir = self.graph.files()[at.file as usize];
        // What it calls is written there, and nothing else.
        let is_closure = |&it: &InstId| matches!(ir.inst(it), Inst::Closure(_));
        let is_written = arguments(ir.inst(at.inst))
            .is_some_and(|args| !ir.args(args).is_empty() && ir.args(args).iter().all(is_closure));
        let is_known = is_written && callees.obstacle().is_none() && callees.functions.is_empty();
        let ends =
            !callees.callbacks.is_empty() && callees.callbacks.iter().all(|it| self.is_end(*it));
        self.is_exit(callees) || (is_known && ends)
    }

    /// Whether a function may do anything only where it ends the program.
    pub(super) fn is_end(&self, function: FunctionRef) -> bool {
        let summary = self.of(function);
        let mut writes = summary.before.writes.iter().chain(&summary.after.writes);
        let is_exit = |&inst: &_| self.is_exit(self.callees(InstRef { file: function.file, inst }));
        !summary.is_too_much
            && summary.anything.iter().all(is_exit)
            && writes.all(|it| it.is_log() || matches!(it, Location::Memory(_)))
    }

    /// Whether a call of these ends the program: `process.exit(1)`.
    pub(crate) fn is_exit(&self, callees: &Callees<'_>) -> bool {
        let is_exit = |it: &Modelled<'_>| {
            let module = it.row.map_or(it.module, |(module, _)| module.module.as_str());
            module == "process" && self.graph.name(it).ends_with("exit")
        };
        callees.unknown.is_empty()
            && callees.functions.is_empty()
            && !callees.modelled.is_empty()
            && callees.modelled.iter().all(is_exit)
    }
}
