//! Methods that a decorator has run in a transaction.

use headstart_ir::{Decorated, Decoration, FileIr, Inst, InstId, Span};

use super::names::{begins_with, is_context_name, is_transactional};
use super::row::arguments;

/// A method that a decorator has run in a transaction: what it asks goes to one connection, one after the other.
pub(super) struct Transaction {
    span: Span,
    /// Whether only those calls belong to it that are handed the context that the decorator has put it into:
    /// `@InjectTransactionManager()`.
    is_handed_on: bool,
}

impl Transaction {
    /// Whether a call belongs to it.
    pub(super) fn holds(&self, ir: &FileIr, call: InstId) -> bool {
        let is_context = |it: &InstId| match ir.inst(*it) {
            Inst::LoadVar(var) => is_context_name(ir.name(ir.variable(var).name)),
            _ => false,
        };
        let args = arguments(ir.inst(call)).map(|it| ir.args(it)).unwrap_or_default();
        self.span.contains(ir.span(call)) && (!self.is_handed_on || args.iter().any(is_context))
    }
}

/// The methods of a file that a decorator has run in a transaction.
pub(super) fn transactions(ir: &FileIr) -> Vec<Transaction> {
    let of_method = |it: &Decoration| match it.target {
        Decorated::Method(function) => {
            let name = ir.name(it.name?);
            let is_handed_on = begins_with(name, "inject");
            let span = ir.function(function).span;
            is_transactional(name).then_some(Transaction { span, is_handed_on })
        }
        _ => None,
    };
    ir.decorations.iter().filter_map(of_method).collect()
}
