//! Clients that may have been given code which their operations run: their options come from where
//! nobody has looked (the contract, trap 27). Which code runs such operations.

use headstart_callgraph::{Callees, FunctionRef, Handing, InstRef};
use headstart_ir::{FileIr, Inst, InstId};
use headstart_models::{PromiseKind, Resource};
use rustc_hash::FxHashMap;

use super::Summaries;
use super::row::arguments;

/// Why nobody knows whether operations are what models say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// A client gets options that may hold code.
    Options,
    /// Code that nobody knows has got hold of a client.
    Handed,
    /// A client has code that is told of its operations, or stands around them.
    Observed,
    /// Something is put into a module whose name is computed, or text is run that may put it there.
    Replaced,
    /// The program has a server: requests to this machine run its code.
    Server,
    /// Unknown code may have replaced methods of the program, or made accessors of properties.
    InOtherHands(Handing),
}

/// A place that operations may get code of the program from, which nobody knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpenHook {
    /// Why.
    pub doubt: Doubt,
    /// The module of the operations; `*` for any. Of what is handed over, who has it.
    pub module: String,
    /// Their name in it; none for any that waits. Of what is handed over, what it is called.
    pub member: Option<String>,
    /// Where the client is made, or something is replaced.
    pub at: InstRef,
}

impl OpenHook {
    /// Whether an operation is one of those.
    fn is_about(&self, name: &str, module: &str, is_operation: bool) -> bool {
        if self.module != "*" && self.module != module {
            return false;
        }
        match (self.doubt, &self.member) {
            (Doubt::Server | Doubt::InOtherHands(_), _) => false,
            (Doubt::Options | Doubt::Observed | Doubt::Handed, _) => true,
            (Doubt::Replaced, None) => is_operation,
            // `mod.promises = …` replaces all that is below.
            (Doubt::Replaced, Some(member)) => {
                name.rsplit(['.', '#', '/']).next() == Some(member.as_str())
                    || module.rsplit(['.', '#', '/']).next() == Some(member.as_str())
            }
        }
    }
}

/// Which functions run operations of such clients, once somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct Hooking {
    functions: FxHashMap<FunctionRef, usize>,
}

impl Summaries<'_> {
    /// The client whose operations instructions of a function run, themselves or by what they call,
    /// if that may have been given code.
    #[must_use]
    pub fn open_hook(
        &self,
        function: FunctionRef,
        (first, end): (InstId, InstId),
    ) -> Option<&OpenHook> {
        if self.open_hooks.is_empty() {
            return None;
        }
        let hooking = self.hooking.get_or_init(|| Hooking::of(self));
        FileIr::range(first, end).find_map(|inst| {
            let at = InstRef { file: function.file, inst };
            if let Some(handed) = self.handed_at(at) {
                return self.open_hooks.get(handed);
            }
            let callees = self.graph.callees(at);
            let known = |it: &FunctionRef| hooking.functions.get(it).copied();
            let number = self
                .own_hook(at, callees)
                .or_else(|| callees.functions.iter().chain(&callees.callbacks).find_map(known))?;
            self.open_hooks.get(number)
        })
    }

    /// What an access goes by that unknown code may have replaced, by its place in the list.
    fn handed_at(&self, at: InstRef) -> Option<usize> {
        self.graph.handed_at(at).map(|it| self.first_handed + it)
    }

    /// The client whose operation a call is, by its place in the list.
    fn own_hook(&self, at: InstRef, callees: &Callees<'_>) -> Option<usize> {
        // What is handed over, thousands of places in large programs, is no operation.
        let of_operations = &self.open_hooks[..self.first_handed];
        if of_operations.is_empty() {
            return None;
        }
        let of_member = callees.modelled.iter().find_map(|member| {
            let module = &member.row?.0.module;
            let name = self.graph.name(member);
            let is_operation =
                member.call?.promise != PromiseKind::No || !self.graph.awaited(at).is_empty();
            of_operations.iter().position(|it| it.is_about(&name, module, is_operation))
        });
        let server = || of_operations.iter().position(|it| it.doubt == Doubt::Server);
        of_member.or_else(|| server().filter(|_| self.asks_this_machine(at, callees)))
    }

    /// Whether a call is a request to this machine.
    fn asks_this_machine(&self, at: InstRef, callees: &Callees<'_>) -> bool {
        let ir = self.graph.files()[at.file as usize];
        let Some(args) = arguments(ir.inst(at.inst)).map(|it| ir.args(it)) else { return false };
        let rows = callees.modelled.iter().filter_map(|it| it.call);
        let addresses: Vec<InstId> = rows
            .flat_map(|row| row.reads.iter().chain(&row.writes))
            .filter_map(|it| match it {
                Resource::Network(position) => args.get(*position).copied(),
                _ => None,
            })
            .collect();
        if addresses.is_empty() {
            return false;
        }
        let computation = self.computation(self.graph.function_at(at));
        addresses.into_iter().any(|it| computation.roots.asks_this_machine(it))
    }
}

impl Hooking {
    /// From what calls operations up to all that calls that.
    fn of(all: &Summaries<'_>) -> Self {
        let mut functions: FxHashMap<FunctionRef, usize> = FxHashMap::default();
        let mut pending: Vec<(FunctionRef, usize)> = Vec::new();
        for (file, _) in (0..).zip(all.graph.files()) {
            for at in all.graph.calls(file) {
                if let Some(number) = all.own_hook(at, all.graph.callees(at)) {
                    pending.push((all.graph.function_at(at), number));
                }
            }
        }
        if !all.graph.handed().is_empty() {
            pending.extend(accesses(all));
        }
        all.spread_to_callers(pending, |function, number| {
            functions.insert(function, number).is_none()
        });
        Self { functions }
    }
}

/// The accesses to what unknown code may have replaced.
fn accesses(all: &Summaries<'_>) -> Vec<(FunctionRef, usize)> {
    let mut found = Vec::new();
    for (file, ir) in (0..).zip(all.graph.files()) {
        for (index, inst) in ir.insts.iter().enumerate() {
            if !matches!(inst, Inst::Get { .. } | Inst::Set { .. }) {
                continue;
            }
            let at = InstRef { file, inst: InstId::new(index) };
            if let Some(number) = all.handed_at(at) {
                found.push((all.graph.function_at(at), number));
            }
        }
    }
    found
}
