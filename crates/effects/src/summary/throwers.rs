//! Which functions run a `throw` of the program that reaches their callers: checks that were put there on
//! purpose.

use headstart_callgraph::{FunctionRef, InstRef};
use headstart_ir::{FileIr, FunctionId, Inst};
use rustc_hash::FxHashSet;

use super::Summaries;
use super::readers::callee_name;

/// Such functions, once somebody has asked.
#[derive(Debug, Default)]
pub(crate) struct Throwers {
    functions: FxHashSet<FunctionRef>,
    /// Those of them that do so though nothing has failed before: what is thrown in a handler tells of a failure.
    refusing: FxHashSet<FunctionRef>,
}

impl Summaries<'_> {
    /// Whether a call may run a `throw` of the program that nobody catches: a check that was put there
    /// on purpose.
    #[must_use]
    pub fn throws_on_purpose(&self, call: InstRef) -> bool {
        self.is_of(call, |it| &it.functions)
    }

    /// The same, though nothing has failed before: it may be there to say that what follows is not to run.
    #[must_use]
    pub fn refuses_on_purpose(&self, call: InstRef) -> bool {
        self.is_of(call, |it| &it.refusing)
    }

    fn is_of(&self, call: InstRef, of: impl Fn(&Throwers) -> &FxHashSet<FunctionRef>) -> bool {
        if self.is_taken_to_log(call) {
            return false;
        }
        let throwers = of(self.throwers.get_or_init(|| Throwers::of(self)));
        let is_thrower = |it: &FunctionRef| {
            self.needs(*it);
            throwers.contains(it)
        };
        // A setter, what `sort` compares with.
        let callees = self.callees(call);
        callees.functions.iter().chain(&callees.callbacks).any(is_thrower)
    }

    /// The same of a function that gives no promise by itself: what it throws comes where it is called.
    #[must_use]
    pub fn throws_at_once(&self, call: InstRef) -> bool {
        let files = self.graph.files();
        let is_plain = |it: &FunctionRef| !files[it.file as usize].function(it.function).is_async;
        self.callees(call).functions.iter().any(is_plain) && self.throws_on_purpose(call)
    }
}

impl Throwers {
    /// From where something is thrown up to all that calls that and catches nothing.
    fn of(all: &Summaries<'_>) -> Self {
        Self { functions: spread(all, with_throw(all)), refusing: spread(all, with_refusal(all)) }
    }
}

/// Some functions, and those that call them and catch nothing.
fn spread(all: &Summaries<'_>, mut pending: Vec<FunctionRef>) -> FxHashSet<FunctionRef> {
    let mut functions: FxHashSet<FunctionRef> = FxHashSet::default();
    while let Some(function) = pending.pop() {
        // Nothing that has a summary calls what has none.
        if !all.is_computed(function) {
            continue;
        }
        let summary = all.of(function);
        if (summary.throws || summary.rejects) && functions.insert(function) {
            let callers = all.callers(function).iter().filter(|&&it| !all.is_taken_to_log(it));
            pending.extend(callers.map(|&it| all.graph.function_at(it)));
        }
    }
    functions
}

/// The functions in whose text something is thrown, or a promise is made that fails, outside of what handles a failure.
fn with_refusal(all: &Summaries<'_>) -> Vec<FunctionRef> {
    let mut found = Vec::new();
    for (file, ir) in (0..).zip(all.graph.files()) {
        for (index, function) in ir.functions.iter().enumerate() {
            let at = FunctionRef { file, function: FunctionId::new(index) };
            let refuses = |it| match ir.inst(it) {
                Inst::Throw(_) => true,
                Inst::Call { .. } | Inst::CallMethod { .. } => {
                    matches!(callee_name(ir, it), Some("reject" | "assert" | "invariant"))
                }
                _ => false,
            };
            let mut all_of_it =
                FileIr::range(function.first, function.end).filter(|&it| refuses(it));
            if all_of_it.any(|it| !all.structure(at).handlers.contains(it)) {
                found.push(at);
            }
        }
    }
    found
}

/// The functions in whose text a `throw` stands, or the end of the program.
pub(super) fn with_throw(all: &Summaries<'_>) -> Vec<FunctionRef> {
    let mut found = Vec::new();
    for (file, ir) in (0..).zip(all.graph.files()) {
        for (index, function) in ir.functions.iter().enumerate() {
            let throws = |it| match ir.inst(it) {
                Inst::Throw(_) => true,
                _ if callee_name(ir, it) == Some("exit") => {
                    all.is_exit(all.callees(InstRef { file, inst: it }))
                }
                _ => false,
            };
            if FileIr::range(function.first, function.end).any(throws) {
                found.push(FunctionRef { file, function: FunctionId::new(index) });
            }
        }
    }
    found
}
