//! How calls of code that nobody knows are written: what method of what, with which texts, and who hands what to whom.

use headstart_callgraph::{CallGraph, FunctionRef, InstRef};
use headstart_ir::{FileIr, Inst, InstId, Literal};
use rustc_hash::{FxHashMap, FxHashSet};

use super::chains::is_on_call;
use super::names::{asks_whether, gives_value, registers};
use super::readers::{callee_name, name_of};
use super::row::arguments;

/// What a method is called, with what it is called on.
pub(super) type Method<'p> = (&'p str, Option<&'p str>);

/// How a call is written; none of one that is on another call, where that says what it does.
pub(super) fn method<'p>(graph: &CallGraph<'p>, call: InstRef) -> Option<Method<'p>> {
    let ir: &'p FileIr = graph.files()[call.file as usize];
    let name = callee_name(ir, call.inst)?;
    let of = match ir.inst(call.inst) {
        Inst::CallMethod { object, .. } => name_of(ir, object),
        _ => None,
    };
    (!is_on_call(ir, call.inst)).then_some((name, of))
}

/// What methods of code that nobody knows were called on that were seen to touch something.
#[derive(Clone, Debug, Default)]
pub(super) struct Clients(FxHashSet<Box<str>>);

impl Clients {
    /// What calls that touch something are made on.
    pub(super) fn of(graph: &CallGraph<'_>, touching: impl Iterator<Item = InstRef>) -> Self {
        Self(touching.filter_map(|it| method(graph, it)?.1.map(Box::from)).collect())
    }

    /// Whether a call asks one of them for more than what is computed, or asks whether something is so.
    pub(super) fn are_asked(&self, graph: &CallGraph<'_>, call: InstRef) -> bool {
        !self.0.is_empty()
            && method(graph, call).is_some_and(|(name, of)| {
                !gives_value(name)
                    && !asks_whether(name)
                    && of.is_some_and(|it| self.0.contains(it))
            })
    }
}

/// The functions that methods of code that nobody knows are handed to be called later, by what the methods are called on.
pub(super) fn handlers<'p>(graph: &CallGraph<'p>) -> FxHashMap<&'p str, Vec<FunctionRef>> {
    let mut handlers: FxHashMap<&str, Vec<FunctionRef>> = FxHashMap::default();
    for file in (0..).zip(graph.files()).map(|it| it.0) {
        for call in graph.calls(file) {
            let ir: &'p FileIr = graph.files()[file as usize];
            let Some(args) = arguments(ir.inst(call.inst)) else { continue };
            let made = |it: &InstId| match ir.inst(*it) {
                Inst::Closure(function) => Some(FunctionRef { file, function }),
                _ => None,
            };
            let mut made = ir.args(args).iter().filter_map(made).peekable();
            if made.peek().is_some()
                && let Some((name, Some(of))) = method(graph, call)
                && registers(name)
                && graph.callees(call).obstacle().is_some()
            {
                handlers.entry(of).or_default().extend(made);
            }
        }
    }
    handlers
}

/// Whether something is, or is of, a module that a value names: `import(name)`, `require(name)`.
pub(super) fn is_loaded_by_value(ir: &FileIr, value: InstId) -> bool {
    match ir.inst(value) {
        Inst::LoadVar(var) => {
            let made = ir.initial_value(var).filter(|it| *it != value);
            made.is_some_and(|it| {
                !matches!(ir.inst(it), Inst::LoadVar(_)) && is_loaded_by_value(ir, it)
            })
        }
        Inst::Await(value) | Inst::Get { object: value, .. } => is_loaded_by_value(ir, value),
        Inst::DynamicImport { request, .. } => request.is_none(),
        Inst::Call { callee, .. } => name_of(ir, callee) == Some("require"),
        _ => false,
    }
}

/// Of each argument of a call, whether it is a text that stands in the program.
pub(super) fn written_arguments(ir: &FileIr, call: InstId) -> impl Iterator<Item = bool> {
    let args = arguments(ir.inst(call)).map(|it| ir.args(it)).unwrap_or_default();
    let is_text = |it: &InstId| {
        matches!(ir.inst(*it), Inst::Literal(Literal::String(_) | Literal::LongString))
    };
    args.iter().map(is_text)
}
