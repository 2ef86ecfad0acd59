//! Regular expressions that several calls share: where one stops, the next may go on (`lastIndex`).

use headstart_callgraph::{CallGraph, Modelled, ObjectId, PathKey};
use headstart_ir::{ExportSource, FileIr, Inst, InstId, Literal, VarId};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::place::Root;
use super::readers::name_of;
use super::roots::Roots;

/// The methods of strings that begin at the start of their text with a pattern that has the flag `g`, whatever its `lastIndex` is.
/// (`matchAll` begins there.)
const FROM_THE_START: [&str; 4] = ["match", "replace", "replaceAll", "split"];

/// The variables whose regular expression, a literal with the flag `g`, is only ever handed to such methods: where one stops
/// is of no account for the next.
pub(super) fn restarted(files: &[&FileIr]) -> FxHashSet<(u32, VarId)> {
    let mut found = FxHashSet::default();
    for (file, ir) in (0..).zip(files) {
        found.extend(restarted_in(ir).into_iter().map(|var| (file, var)));
    }
    found
}

fn restarted_in(ir: &FileIr) -> FxHashSet<VarId> {
    let is_one = |var: &VarId| {
        let value = ir.initial_value(*var).map(|it| ir.inst(it));
        matches!(value, Some(Inst::Literal(Literal::RegExp { restarts: true, .. })))
    };
    let mut found: FxHashSet<VarId> =
        (0..ir.variables.len()).map(VarId::new).filter(is_one).collect();
    if found.is_empty() {
        return found;
    }
    for export in &ir.exports {
        match export.source {
            ExportSource::Local(var) => _ = found.remove(&var),
            ExportSource::Value(value) => _ = loaded(ir, value).is_some_and(|it| found.remove(&it)),
            ExportSource::From(..) | ExportSource::All(_) => {}
        }
    }
    for inst in &ir.insts {
        let pattern = match *inst {
            Inst::CallMethod { method, args, .. }
                if name_of(ir, method).is_some_and(|it| FROM_THE_START.contains(&it)) =>
            {
                ir.args(args).first().copied()
            }
            _ => None,
        };
        inst.for_each_operand(ir, &mut |value| {
            if pattern != Some(value)
                && let Some(var) = loaded(ir, value)
            {
                found.remove(&var);
            }
        });
    }
    found
}

fn loaded(ir: &FileIr, value: InstId) -> Option<VarId> {
    match ir.inst(value) {
        Inst::LoadVar(var) => Some(var),
        _ => None,
    }
}

impl Roots<'_, '_> {
    /// Whether nothing can tell where a match with a pattern has stopped.
    pub(crate) fn is_restarted(&self, pattern: InstId) -> bool {
        loaded(self.ir(), pattern)
            .is_some_and(|it| self.all.restarted.contains(&(self.function.file, it)))
    }

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
