//! What the last match has found: `RegExp.$1` and its like, which are one for the whole program (TC39 proposal
//! "Legacy RegExp features").

use headstart_callgraph::{CallGraph, InstRef};
use headstart_ir::{FileIr, Inst, InstId, Key};

use super::Summaries;
use super::compute::Computation;
use super::order::When;
use super::place::{Location, Resource, Which};

/// The properties of `RegExp` that say so.
pub(crate) const FOUND: [&str; 19] = [
    "input",
    "lastMatch",
    "lastParen",
    "leftContext",
    "rightContext",
    "$_",
    "$&",
    "$+",
    "$`",
    "$'",
    "$1",
    "$2",
    "$3",
    "$4",
    "$5",
    "$6",
    "$7",
    "$8",
    "$9",
];

/// The methods that match.
const MATCHING: [&str; 8] =
    ["exec", "match", "matchAll", "replace", "replaceAll", "search", "split", "test"];

/// How many variables `RegExp` is followed through.
const LONGEST_TRACE: u32 = 4;

/// Whether the program reads anywhere what the last match has found.
pub(super) fn are_read(graph: &CallGraph<'_>) -> bool {
    (0..).zip(graph.files()).any(|(file, ir)| {
        let mut all = (0..ir.insts.len()).map(InstId::new);
        all.any(|inst| is_read(graph, InstRef { file, inst }))
    })
}

/// Whether an instruction reads that.
fn is_read(graph: &CallGraph<'_>, at: InstRef) -> bool {
    let ir = graph.files()[at.file as usize];
    let Inst::Get { object, key } = ir.inst(at.inst) else { return false };
    is_named(ir, key.get(), &FOUND)
        && is_class(graph, InstRef { inst: object, ..at }, LONGEST_TRACE)
}

/// Whether a value is `RegExp`.
fn is_class(graph: &CallGraph<'_>, at: InstRef, steps: u32) -> bool {
    let Some(steps) = steps.checked_sub(1) else { return false };
    let ir = graph.files()[at.file as usize];
    match ir.inst(at.inst) {
        Inst::LoadGlobal(name) => ir.name(name) == "RegExp",
        Inst::Get { key, .. } => is_named(ir, key.get(), &["RegExp"]),
        Inst::LoadVar(var) => {
            let given = graph
                .imported(at.file, var)
                .and_then(|(file, var)| Some(InstRef { file, inst: graph.always(file, var)? }));
            given.is_some_and(|it| is_class(graph, it, steps))
        }
        _ => false,
    }
}

fn is_named(ir: &FileIr, key: Key, names: &[&str]) -> bool {
    matches!(key, Key::Name(name) if names.contains(&ir.name(name)))
}

fn location() -> Location {
    Location::Resource(Resource::ModuleState, Which::Named("RegExp".to_owned()))
}

impl Summaries<'_> {
    /// What an instruction reads of what the last match has found.
    pub(crate) fn read_of_match(&self, at: InstRef) -> Option<Location> {
        (self.reads_matches && is_read(&self.graph, at)).then(location)
    }
}

impl Computation<'_, '_> {
    /// Each match writes what it has found, where the program reads that.
    pub(super) fn matched(&mut self, id: InstId, when: When) {
        if !self.roots.all.reads_matches {
            return;
        }
        if let Some(read) = self.roots.all.read_of_match(self.roots.at(id)) {
            self.read(read, when);
        }
        if let Inst::CallMethod { method, .. } = self.ir.inst(id)
            && let Inst::Get { key, .. } = self.ir.inst(method)
            && is_named(self.ir, key.get(), &MATCHING)
        {
            self.write(location(), when);
        }
    }
}
